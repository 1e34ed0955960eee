import ApolloAPI
package import Foundation

/// What a read does with values that are older than they may be. The name is that of Apollo iOS 3.
public enum TTLEnforcement: Hashable, Sendable {
  /// A value that is older than it may be is as good as missing.
  case strict
  /// Values of any age are used.
  case permissive
}

/// How long a value may be too old and is used nevertheless.
package struct StaleLimit: Hashable, Sendable {
  /// In seconds.
  let seconds: UInt32

  /// A value that is too old is not used.
  static let strict = StaleLimit(seconds: 0)
  /// Values of any age are used.
  package static let permissive = StaleLimit(seconds: AgeRules.anyAge)

  private init(seconds: UInt32) { self.seconds = seconds }

  /// A limit in seconds; a negative one, or one that is not a number, stands for 0.
  package init(_ enforcement: TTLEnforcement, maxStale: TimeInterval? = nil) {
    switch enforcement {
    case .strict: seconds = maxStale.map { $0 > 0 ? UInt32(min($0.rounded(.up), Double(UInt32.max))) : 0 } ?? 0
    case .permissive: seconds = AgeRules.anyAge
    }
  }
}
