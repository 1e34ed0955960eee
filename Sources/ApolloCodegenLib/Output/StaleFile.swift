import Foundation

/// A file that differs from what would be generated now.
public struct StaleFile: Sendable, Equatable {
  /// How a file differs.
  public enum Reason: Sendable, Equatable {
    /// The file does not exist.
    case missing
    /// The file has other contents. The numbers are those of the lines that generating would add and remove.
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
    let difference = Self.lines(file.text).difference(from: Self.lines(String(decoding: data, as: UTF8.self)))
    reason = .different(added: difference.insertions.count, removed: difference.removals.count)
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
