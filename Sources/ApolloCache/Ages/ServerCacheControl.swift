package import ApolloAPI
import Foundation

extension ApolloStore {
  /// What a server says about how long its answers may be kept, and whether the cache follows it: see
  /// ``ApolloStore/serverCacheControl``.
  public struct ServerCacheControl: OptionSet, Hashable, Sendable {
    /// The bits of the members.
    public let rawValue: Int

    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `Cache-Control: max-age=60` (RFC 9111, section 5.2.2.1), less the `Age` of the answer. `no-cache` is read as a
    /// `max-age` of 0. `s-maxage` and `Expires` are not read.
    public static let maxAge = ServerCacheControl(rawValue: 1)
    /// `Cache-Control: no-store`: the values are in memory as long as a watcher reads them, and never in a backend.
    public static let noStore = ServerCacheControl(rawValue: 2)
    /// The hints for single fields in the `extensions.cacheControl` of Apollo Server.
    public static let fieldHints = ServerCacheControl(rawValue: 4)
    /// What is for one user only, by `Cache-Control: private` or by the scope of a hint, is not stored either.
    public static let privateIsNotStored = ServerCacheControl(rawValue: 8)
  }
}

extension ApolloStore.ServerCacheControl {
  /// How long the values of an answer may be kept.
  ///
  /// Where the header is malformed, they are too old at once: RFC 9111, section 4.2.1, says so.
  ///
  /// - Parameter header: Gives the value of a header field of the answer.
  /// - Returns: nil if the answer does not say it, or the cache does not follow it.
  package func lifetime(header: (String) -> String?) -> Lifetime? {
    guard !isEmpty, let control = header("Cache-Control") else { return nil }
    var seconds: UInt32?
    for directive in control.split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces).lowercased()
      }
      switch parts.first {
      case "no-store" where contains(.noStore): return .notStored
      case "private" where contains(.privateIsNotStored): return .notStored
      case "no-cache" where contains(.maxAge) && parts.count == 1: seconds = 0
      case "max-age" where contains(.maxAge):
        let age = parts.count == 2 ? Self.seconds(parts[1]) : 0
        seconds = min(age, seconds ?? age)
      default: break
      }
    }
    let age = header("Age").map { Self.seconds($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    return seconds.map { .seconds($0 - min($0, age)) }
  }

  /// A number of seconds, at most 2^31 (RFC 9111, section 1.2.2); 0 for what is not one.
  private static func seconds(_ text: String) -> UInt32 {
    let digits = text.trimmingCharacters(in: ["\""])
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return 0
    }
    return min(UInt32(digits) ?? .max, 1 << 31)
  }
}

extension ApolloStore {
  /// What is found out while a response is read about how long its values may be kept.
  package var lifetimeRules: LifetimeRules {
    let control = serverCacheControl
    // In memory alone there is nothing to be kept out of.
    return LifetimeRules(
      readsHints: control.contains(.fieldHints), leavesOutPrivate: control.contains(.privateIsNotStored),
      ages: engine.backend == nil ? nil : engine.ages)
  }
}
