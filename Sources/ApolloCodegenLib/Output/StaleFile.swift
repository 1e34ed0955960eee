import Foundation

/// A file that differs from what would be generated now.
public struct StaleFile: Sendable, Equatable {
  /// How a file differs.
  public enum Reason: Sendable, Equatable {
    /// The file does not exist.
    case missing
    /// The file has other contents. The numbers are those of the lines that generating would add and remove. If it
    /// would only move lines, they are those of the lines that are not in their places.
    case different(added: Int, removed: Int)
    /// An earlier run wrote the file, and it is no longer generated.
    case obsolete
  }

  /// The absolute path of the file.
  public var path: String
  /// How the file differs.
  public var reason: Reason

  init(obsolete path: String) {
    self.path = path
    reason = .obsolete
  }

  /// Compares a file with the disk; nil if it is up to date.
  init?(_ file: OutputFile) {
    path = file.path
    guard let data = FileManager.default.contents(atPath: file.path) else {
      reason = .missing
      return
    }
    guard data != Data(file.text.utf8) else { return nil }
    let (added, removed) = Self.difference(from: String(decoding: data, as: UTF8.self), to: file.text)
    reason = .different(added: added, removed: removed)
  }

  /// Counts the lines that only one of two texts has, wherever they are: the time for a shortest list of changes grows
  /// with the square of their number.
  private static func difference(from old: String, to new: String) -> (added: Int, removed: Int) {
    let old = lines(old), new = lines(new)
    var surplus: [Substring: Int] = [:]
    for line in new { surplus[line, default: 0] += 1 }
    for line in old { surplus[line, default: 0] -= 1 }
    let added = surplus.values.reduce(0) { $0 + max(0, $1) }
    guard added == 0, old.count == new.count else { return (added, added + old.count - new.count) }
    let moved = zip(old, new).count { $0 != $1 }
    return (moved, moved)
  }

  /// (Swift takes the end of a line on Windows for one character, which is not that of other lines.)
  private static func lines(_ text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
  }
}
