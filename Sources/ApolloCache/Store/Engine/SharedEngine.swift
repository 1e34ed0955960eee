import ApolloAPI
import Foundation

/// Where a backend has the engine of its stores, as long as one of them is there.
///
/// An engine takes what it has in memory for what the backend has. So all stores over one backend have one engine: what
/// one of them writes or clears, it writes or clears for all.
package final class SharedEngine: Sendable {
  private struct State {
    weak var engine: RecordEngine?
  }

  private let state = Locked(State())

  package init() {}

  /// The engine that there is, or else a new one.
  func engine(orElse make: () -> RecordEngine) -> RecordEngine {
    state.withLock { state in
      if let engine = state.engine { return engine }
      let engine = make()
      state.engine = engine
      return engine
    }
  }
}

/// A backend whose stores share their engine.
package protocol EngineSharing {
  var sharedEngine: SharedEngine { get }
}

extension RecordEngine {
  /// The engine for a store: that of the other stores over the same backend, if they share it, or else a new one.
  ///
  /// - Parameters:
  ///   - cache: The backend.
  ///   - memoryLimit: How many bytes the records of a new engine may take in memory; nil: any number.
  ///   - memoryExpiresAfter: For how many seconds a new engine keeps a record in memory without a use; nil: for ever.
  /// - Returns: The engine.
  static func forStore(
    over cache: any NormalizedCache, memoryLimit: Int?, memoryExpiresAfter: TimeInterval?
  ) -> RecordEngine {
    if let cache = cache as? InMemoryNormalizedCache { return cache.engine }
    func make() -> RecordEngine {
      RecordEngine(backend: cache, sizeLimit: memoryLimit, unusedLimit: memoryExpiresAfter.map(unusedLimit))
    }
    return (cache as? any EngineSharing)?.sharedEngine.engine(orElse: make) ?? make()
  }
}
