import GraphQLJSON

/// A piece of GraphQL text and the name people know it by: a path, or a label such as `GraphQL request`.
///
/// The bytes are kept as they came, followed by padding that lets the lexer look ahead without bounds checks.
public final class Source: Sendable {
  /// Tells sources apart inside a ``SourceSpan``. Drawn at random, so that files read on many threads need no shared
  /// counter.
  public struct ID: Sendable, Hashable {
    let rawValue: UInt64

    /// The id of syntax that was built in code, and is not in a text.
    public static let none = ID(rawValue: 0)
  }

  /// What diagnostics call this source. Usually a file path.
  public let name: String

  /// Identifies this source in the spans of the nodes parsed from it.
  public let id: ID

  /// Where in its file the text begins: (1, 1) unless it was cut out of a larger file.
  public let origin: SourceLocation

  /// The text as UTF-8, followed by `padding` zero bytes.
  let paddedBytes: [UInt8]

  /// The offset of the first byte that is not valid UTF-8, or `nil` when all of it is.
  let firstInvalidOffset: Int?

  static let padding = 16

  /// Makes a source from text.
  public init(_ text: String, name: String = "GraphQL request", origin: SourceLocation = .start) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + Self.padding)
    bytes.append(contentsOf: text.utf8)
    bytes.append(contentsOf: repeatElement(0, count: Self.padding))
    self.name = name
    self.origin = origin
    self.paddedBytes = bytes
    self.firstInvalidOffset = nil
    self.id = ID(rawValue: UInt64.random(in: 1 ... .max))
  }

  /// Makes a source from the bytes of a file. Bytes that are not UTF-8 are reported when the source is parsed.
  public init(utf8 bytes: some Collection<UInt8>, name: String, origin: SourceLocation = .start) {
    var padded: [UInt8] = []
    padded.reserveCapacity(bytes.count + Self.padding)
    padded.append(contentsOf: bytes)
    self.firstInvalidOffset = UTF8Validation.firstInvalidOffset(in: padded)
    padded.append(contentsOf: repeatElement(0, count: Self.padding))
    self.name = name
    self.origin = origin
    self.paddedBytes = padded
    self.id = ID(rawValue: UInt64.random(in: 1 ... .max))
  }

  /// The length in UTF-8 bytes.
  public var count: Int { paddedBytes.count - Self.padding }

  /// The text in UTF-8.
  public var utf8: ArraySlice<UInt8> { paddedBytes[..<count] }

  /// The whole text.
  public var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The UTF-8 offset of a Unicode scalar by its index; nil if the text has no more scalars than that.
  func offset(ofScalar index: Int) -> Int? {
    guard count > index else { return nil }
    var remaining = index
    for (offset, byte) in utf8.enumerated() where byte & 0xC0 != 0x80 {
      if remaining == 0 { return offset }
      remaining -= 1
    }
    return nil
  }

  /// The text between two UTF-8 offsets, which are clamped to the source.
  public func text(from start: Int, to end: Int) -> String {
    let start = min(max(0, start), count)
    return String(decoding: paddedBytes[start..<min(max(start, end), count)], as: UTF8.self)
  }
}
