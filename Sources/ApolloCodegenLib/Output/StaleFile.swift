import Foundation

/// A file that is not what would be generated now.
public struct StaleFile: Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    case missing
    /// The numbers of lines that generating would add and remove.
    case different(added: Int, removed: Int)
    /// An earlier run wrote it, and nothing stands for it any more.
    case obsolete
  }

  public var path: String
  public var reason: Reason

  init(obsolete path: String) {
    self.path = path
    reason = .obsolete
  }

  /// nil if the file is as it should be.
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
