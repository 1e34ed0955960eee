package import Foundation

/// The identifiers of the writes of one observer. It is not told of these writes, and other observers learn from them why
/// the cache has changed.
package struct ObserverWrites: Sendable {
  /// Identifies writes that the app has asked for.
  private let asked: UUID
  /// Identifies writes of answers to requests that the observer has sent by itself because the cache had changed; nil: it
  /// never sends any.
  let automatic: UUID?
  /// The name of its operation.
  let name: String

  /// Names the writes of an observer.
  package init(asked: UUID, automatic: UUID? = nil, name: String = "") {
    self.asked = asked
    self.automatic = automatic
    self.name = name
  }

  /// Identifies a write.
  ///
  /// - Parameter isAutomatic: Whether the observer has asked for it by itself, because the cache has changed.
  /// - Returns: The identifier; nil if the observer never does that.
  package func identifier(isAutomatic: Bool) -> UUID? { isAutomatic ? automatic : asked }

  var identifiers: [UUID] { [asked] + (automatic.map { [$0] } ?? []) }

  func contains(_ origin: UUID?) -> Bool { origin != nil && (origin == asked || origin == automatic) }
}

/// Why the cache has changed, for an observer.
package enum ChangeCause: Sendable, Equatable {
  /// A write of the app, the event of a subscription, or the answer to a request of the app.
  case outside
  /// The answer to a request that another observer has sent because the cache had changed.
  case observer(name: String)
}
