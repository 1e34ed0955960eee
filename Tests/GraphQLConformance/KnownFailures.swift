import Foundation

/// The recorded cases that fail and are expected to, with the reasons.
public struct KnownFailures: Sendable {
  /// Why a case fails.
  public struct Reason: Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Group: String, Sendable {
      /// The case cannot be replayed, because the recording lacks something, or has something that only JavaScript has.
      case notReplayable = "not replayable"
      /// This package differs from the reference implementation on purpose.
      case deliberate = "deliberate"
    }

    /// The kind of reason.
    public let group: Group
    /// The reason in words.
    public let text: String

    /// The kind, and the reason in words.
    public var description: String { "\(group.rawValue): \(text)" }
  }

  private struct Entry {
    var pattern: [Substring]
    var reason: Reason
  }

  private var entries: [Entry] = []

  /// Reads the list `known-failures.txt` beside this file. A line `## group` begins a group, a line that begins with
  /// `#` is a reason, and the lines after it are the names of cases, in which `*` stands for any text.
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

  /// Why a case fails; nil if it should pass.
  public func reason(for name: String) -> Reason? {
    entries.first { Self.matches(name, $0.pattern) }?.reason
  }

  /// The patterns that match none of the names: their cases pass now. Patterns of releases that are not among the
  /// corpora are left out.
  public func unused(by names: [String], in corpora: Set<String>) -> [String] {
    entries.filter { entry in
      let release = entry.pattern[0].split(separator: "/", omittingEmptySubsequences: false)[0]
      return corpora.contains { $0.hasPrefix(release) }
    }.filter { entry in !names.contains { Self.matches($0, entry.pattern) } }.map {
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
