import Foundation

/// The cases in which we differ from the reference implementation on purpose, each with the reason.
public struct KnownFailures: Sendable {
  private var reasons: [String: String] = [:]

  /// Reads the list beside this file: a reason on a line that begins with `#`, then the names it holds for.
  public static func load() throws -> KnownFailures {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("known-failures.txt")
    var known = KnownFailures()
    var reason = ""
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") {
        reason = line.dropFirst().trimmingCharacters(in: .whitespaces)
      } else {
        known.reasons[String(line)] = reason
      }
    }
    return known
  }

  /// Why a case fails, or `nil` when it should not.
  public func reason(for name: String) -> String? { reasons[name] }

  /// The names in the list.
  public var names: [String] { reasons.keys.sorted() }
}
