import ApolloAPI
public import Foundation

/// Is told of every change of a store. A class implements one of the two functions: that of Apollo iOS 1.x, which gets the
/// identifier of the writer, or that of 2.x.
///
/// The store calls it for one write after the other, in their order, when the write is over and no lock is held, on any
/// thread. It should return soon: others are told after it.
public protocol ApolloStoreSubscriber: AnyObject {
  /// Tells which fields a write changed, as in Apollo iOS 1.x. By default it calls ``store(_:didChangeKeys:)``.
  ///
  /// - Parameters:
  ///   - changedKeys: The fields that are new, have another value, or are gone, as `record.field`.
  ///   - contextIdentifier: The identifier that the writer gave; nil if it gave none.
  func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>, contextIdentifier: UUID?)

  /// Tells which fields a write changed, as in Apollo iOS 2.x. By default it does nothing.
  ///
  /// - Parameter changedKeys: The fields that are new, have another value, or are gone, as `record.field`.
  func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>)
}

extension ApolloStoreSubscriber {
  public func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>, contextIdentifier: UUID?) {
    self.store(store, didChangeKeys: changedKeys)
  }

  public func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>) {}
}

extension ApolloStore {
  /// What ends a subscription: ``ApolloStore/unsubscribe(_:)-(SubscriptionToken)``. The name is that of Apollo iOS 2.x.
  public struct SubscriptionToken: Hashable, Sendable {
    let id: UInt64
  }

  /// The changes of the store from now on, one element for each write that changes something, in the order of the writes.
  ///
  /// Each sequence gets all changes. It ends with the task that waits for it, or with the store. What a slow
  /// consumer has not taken yet is kept for it.
  ///
  ///     for await change in store.changes where change.removedRecords.contains("User:1") { … }
  public var changes: AsyncStream<StoreChange> {
    AsyncStream { continuation in
      let consumer = ChangeConsumer(continuation: continuation)
      let id = engine.subscribe(nil) { consumer.continuation.yield($0) }
      continuation.onTermination = { [weak engine] _ in engine?.unsubscribe(id) }
    }
  }

  /// Tells a subscriber of every change, until ``unsubscribe(_:)-(ApolloStoreSubscriber)``, as in Apollo iOS 1.x. The store
  /// holds it until then.
  ///
  /// - Parameter subscriber: An object that is added twice is told twice.
  public func subscribe(_ subscriber: any ApolloStoreSubscriber) { _ = add(subscriber) }

  /// Tells a subscriber of every change, until ``unsubscribe(_:)-(SubscriptionToken)``, as in Apollo iOS 2.x. The store
  /// holds it until then.
  ///
  /// - Parameter subscriber: An object that is added twice is told twice.
  /// - Returns: What ends the subscription.
  @discardableResult
  nonisolated(nonsending) public func subscribe(
    _ subscriber: any ApolloStoreSubscriber
  ) async -> SubscriptionToken { add(subscriber) }

  /// Ends all subscriptions of an object, as in Apollo iOS 1.x. What is told at this moment may still reach it.
  public func unsubscribe(_ subscriber: any ApolloStoreSubscriber) {
    for id in engine.subscribers.withLock({ $0.ids(of: ObjectIdentifier(subscriber)) }) { engine.unsubscribe(id) }
  }

  /// Ends a subscription, as in Apollo iOS 2.x. What is told at this moment may still reach the subscriber.
  public func unsubscribe(_ subscriptionToken: SubscriptionToken) { engine.unsubscribe(subscriptionToken.id) }

  private func add(_ subscriber: any ApolloStoreSubscriber) -> SubscriptionToken {
    let handed = Handoff(subscriber)
    let id = engine.subscribe(ObjectIdentifier(subscriber)) { [weak self] change in
      guard let self else { return }
      handed.value.store(
        self, didChangeKeys: Set(change.changedKeys.map(\.description)), contextIdentifier: change.contextIdentifier)
    }
    return SubscriptionToken(id: id)
  }
}

/// Who gets the changes. The store holds it, so the sequence ends when the store is gone.
private final class ChangeConsumer: Sendable {
  let continuation: AsyncStream<StoreChange>.Continuation

  init(continuation: AsyncStream<StoreChange>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}
