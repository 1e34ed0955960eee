import Foundation

/// The cases that fail and should, each with the reason.
public struct KnownFailures: Sendable {
  /// Why a case may fail.
  public struct Reason: Sendable, CustomStringConvertible {
    public enum Group: String, Sendable {
      /// No implementation could pass: the recording lacks what the case needs, or holds what only JavaScript has.
      case notReplayable = "not replayable"
      /// Ours differs from the reference implementation on purpose.
      case deliberate = "deliberate"
    }

    public let group: Group
    public let text: String

    public var description: String { "\(group.rawValue): \(text)" }
  }

  private struct Entry {
    var pattern: [Substring]
    var reason: Reason
  }

  private var entries: [Entry] = []

  /// Reads the list beside this file: `## group`, then a reason on a line that begins with `#`, then the names it holds
  /// for, in which `*` stands for anything.
  public static func load() throws -> KnownFailures {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("known-failures.txt")
    var known = KnownFailures()
    var group = Reason.Group.deliberate
    var reason = ""
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("## ") {
        guard let named = Reason.Group(rawValue: String(line.dropFirst(3))) else {
          throw CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: "No such group: \(line)"])
        }
        group = named
      } else if line.hasPrefix("# ") {
        reason = String(line.dropFirst(2))
      } else {
        known.entries.append(
          Entry(
            pattern: line.split(separator: "*", omittingEmptySubsequences: false),
            reason: Reason(group: group, text: reason)))
      }
    }
    return known
  }

  /// Why a case fails, or `nil` when it should not.
  public func reason(for name: String) -> Reason? {
    entries.first { Self.matches(name, $0.pattern) }?.reason
  }

  /// The patterns that none of the names fits: what they stood for passes now.
  public func unused(by names: [String]) -> [String] {
    entries.filter { entry in !names.contains { Self.matches($0, entry.pattern) } }.map {
      $0.pattern.joined(separator: "*")
    }
  }

  private static func matches(_ name: String, _ pattern: [Substring]) -> Bool {
    guard let first = pattern.first, let last = pattern.last, pattern.count > 1 else {
      return name == pattern.first ?? ""
    }
    guard name.hasPrefix(first), name.hasSuffix(last), name.count >= first.count + last.count else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in pattern.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
