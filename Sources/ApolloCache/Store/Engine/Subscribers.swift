import ApolloAPI

/// The subscribers that are told of all changes.
struct Subscribers {
  typealias Tell = @Sendable (ApolloStore.Change) -> Void

  private struct Subscriber {
    /// The version of the table when the subscriber came. Earlier writes are not told to it.
    let version: UInt64
    /// The identity of the object, so that it can be removed; nil for a sequence.
    let object: ObjectIdentifier?
    let tell: Tell
  }

  private var subscribers: [UInt64: Subscriber] = [:]
  private var nextID: UInt64 = 0

  mutating func add(_ object: ObjectIdentifier?, since version: UInt64, _ tell: @escaping Tell) -> UInt64 {
    nextID += 1
    subscribers[nextID] = Subscriber(version: version, object: object, tell: tell)
    return nextID
  }

  /// - Returns: What told the subscriber, which is not to be released under a lock; nil if there is no such subscriber.
  mutating func remove(_ id: UInt64) -> Tell? { subscribers.removeValue(forKey: id)?.tell }

  /// The identifiers of an object's subscriptions.
  func ids(of object: ObjectIdentifier) -> [UInt64] { subscribers.filter { $0.value.object == object }.map(\.key) }

  /// The subscribers to tell of a write, in the order in which they came.
  ///
  /// - Parameter version: The version of the table that the write made.
  /// - Returns: The functions to call.
  func concerned(at version: UInt64) -> [Tell] {
    guard !subscribers.isEmpty else { return [] }
    return subscribers.filter { $0.value.version < version }.sorted { $0.key < $1.key }.map(\.value.tell)
  }
}

extension RecordEngine {
  func subscribe(_ object: ObjectIdentifier?, _ tell: @escaping Subscribers.Tell) -> UInt64 {
    let version = state.withLock { state in
      state.deliveries.listenerCount += 1
      return state.table.version
    }
    return subscribers.withLock { $0.add(object, since: version, tell) }
  }

  func unsubscribe(_ id: UInt64) {
    guard let tell = subscribers.withLock({ $0.remove(id) }) else { return }
    state.withLock { $0.deliveries.listenerCount -= 1 }
    // (The subscriber may go with it, and use the store.)
    withExtendedLifetime(tell) {}
  }
}
