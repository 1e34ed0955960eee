import ApolloAPI

/// Who wants to know of all changes.
struct Subscribers {
  typealias Tell = @Sendable (StoreChange) -> Void

  private struct Subscriber {
    /// The version of the table when it came: earlier writes are not told.
    let version: UInt64
    /// What it is, for those who leave by the object.
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

  /// - Returns: False if it was not there.
  mutating func remove(_ id: UInt64) -> Bool { subscribers.removeValue(forKey: id) != nil }

  /// Under which numbers an object has come.
  func ids(of object: ObjectIdentifier) -> [UInt64] { subscribers.filter { $0.value.object == object }.map(\.key) }

  /// Whom to tell of a write, in the order in which they came.
  ///
  /// - Parameter version: The version of the table that the write made.
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
    guard subscribers.withLock({ $0.remove(id) }) else { return }
    state.withLock { $0.deliveries.listenerCount -= 1 }
  }
}
