import ApolloConcurrency
import ApolloAPI
public import Foundation

/// An object that is told of every change of a store. A class implements one of the two functions: that of Apollo iOS
/// 1, which is also given the identifier of the writer, or that of Apollo iOS 2.
///
/// The store calls it after each write, in the order of the writes, on any thread and without holding a lock. It should
/// return soon, because other subscribers are told after it.
public protocol ApolloStoreSubscriber: AnyObject {
  /// Tells which fields a write changed: the form of Apollo iOS 1. The default implementation calls
  /// ``store(_:didChangeKeys:)``.
  ///
  /// - Parameters:
  ///   - store: The store that changed.
  ///   - changedKeys: The fields that are new, have another value, or are gone, as `record.field`.
  ///   - contextIdentifier: The identifier that the writer gave; nil if it gave none.
  func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>, contextIdentifier: UUID?)

  /// Tells which fields a write changed: the form of Apollo iOS 2. The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - store: The store that changed.
  ///   - changedKeys: The fields that are new, have another value, or are gone, as `record.field`.
  func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>)
}

extension ApolloStoreSubscriber {
  /// Calls ``store(_:didChangeKeys:)``.
  public func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>, contextIdentifier: UUID?) {
    self.store(store, didChangeKeys: changedKeys)
  }

  /// Does nothing.
  public func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>) {}
}

extension ApolloStore {
  /// Identifies a subscription, so that `unsubscribe(_:)` can end it. The name is
  /// that of Apollo iOS 2.
  public struct SubscriptionToken: Hashable, Sendable {
    let id: UInt64
  }

  /// The changes of the store from now on: one element for each write that changes something, in the order of the
  /// writes.
  ///
  /// Each sequence has all changes. It ends when its task is cancelled, or when the store is released. Changes that a
  /// slow consumer has not taken yet are kept.
  ///
  ///     for await change in store.changes where change.removedRecords.contains("User:1") { … }
  public var changes: AsyncStream<ApolloStore.Change> {
    AsyncStream { continuation in
      let consumer = ChangeConsumer(continuation: continuation)
      let id = engine.subscribe(nil) { consumer.continuation.yield($0) }
      continuation.onTermination = { [weak engine] _ in engine?.unsubscribe(id) }
    }
  }

  /// Calls a body with every change.
  ///
  /// - Parameter body: Called after each write, in the order of the writes.
  /// - Returns: Ends it.
  package func onChange(_ body: @escaping @Sendable (ApolloStore.Change) -> Void) -> @Sendable () -> Void {
    let id = engine.subscribe(nil, body)
    return { [weak engine] in engine?.unsubscribe(id) }
  }

  /// Tells a subscriber of every change, until ``unsubscribe(_:)-(ApolloStoreSubscriber)``: the form of Apollo iOS 1.
  /// The store holds the subscriber until then.
  ///
  /// - Parameter subscriber: The subscriber. If it is added twice, it is told twice.
  public func subscribe(_ subscriber: any ApolloStoreSubscriber) { _ = add(subscriber) }

  /// Tells a subscriber of every change, until `unsubscribe(_:)`: the form of Apollo iOS 2. The
  /// store holds the subscriber until then.
  ///
  /// - Parameter subscriber: The subscriber. If it is added twice, it is told twice.
  /// - Returns: Identifies the subscription, so that it can be ended.
  @discardableResult
  nonisolated(nonsending) public func subscribe(
    _ subscriber: any ApolloStoreSubscriber
  ) async -> SubscriptionToken { add(subscriber) }

  /// Ends all subscriptions of an object: the form of Apollo iOS 1. A change that is being told at this moment may
  /// still reach it.
  public func unsubscribe(_ subscriber: any ApolloStoreSubscriber) {
    for id in engine.subscribers.withLock({ $0.ids(of: ObjectIdentifier(subscriber)) }) { engine.unsubscribe(id) }
  }

  /// Ends a subscription: the form of Apollo iOS 2. A change that is being told at this moment may still reach the
  /// subscriber.
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

/// Receives the changes for a sequence. The store holds it, so the sequence ends when the store is released.
private final class ChangeConsumer: Sendable {
  let continuation: AsyncStream<ApolloStore.Change>.Continuation

  init(continuation: AsyncStream<ApolloStore.Change>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}
