/// A pattern for cache keys, for removing several records at a time.
///
/// - A pattern with `*` matches whole keys, with any text in place of each `*`: `Human:*` matches `Human:1000`.
/// - Any other pattern matches the keys that contain it, without regard to case: `human` matches `Human:1000` and
///   `Superhuman:1`.
/// - An empty pattern matches nothing.
public struct CacheKeyPattern: Hashable, Sendable {
  private let pattern: String
  private let parts: [[UInt8]]

  /// Makes a pattern.
  ///
  /// - Parameter pattern: The text of the pattern.
  public init(_ pattern: String) {
    self.pattern = pattern
    let text = pattern.contains("*") ? pattern : pattern.lowercased()
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether the pattern is empty, so that it matches nothing.
  var isEmpty: Bool { pattern.isEmpty }

  /// Whether a key matches the pattern.
  public func matches(_ key: CacheKey) -> Bool {
    guard !isEmpty else { return false }
    guard parts.count > 1 else { return Self.find(parts[0], in: Array(key.lowercased().utf8)[...]) != nil }
    var rest = Array(key.utf8)[...]
    guard rest.starts(with: parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let end = Self.find(part, in: rest) else { return false }
      rest = rest[end...]
    }
    return rest.count >= parts[parts.count - 1].count && rest.reversed().starts(with: parts[parts.count - 1].reversed())
  }

  /// The end of the first occurrence of `part`; nil if there is none.
  private static func find(_ part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard part.count <= text.count else { return nil }
    return (text.startIndex...(text.endIndex - part.count)).first { text[$0...].starts(with: part) }
      .map { $0 + part.count }
  }
}
