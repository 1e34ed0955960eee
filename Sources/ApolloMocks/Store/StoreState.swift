import ApolloAPI
import GraphQLExecution

/// What has been changed in a mock, and by which events it is watched.
final class StoreState: Sendable {
  struct Contents {
    /// Values by object, field and arguments. A value without arguments holds for all of them.
    var values: [ObjectID: [String: GraphQLValue]] = [:]
    var removed: Set<ObjectID> = []
    /// The objects with keys that an operation has reached.
    var known: Set<ObjectID> = []
    /// What functions of whole types have returned, by object and by the number of the function.
    var typeValues: [ObjectID: [Int: GraphQLValue.Object]] = [:]
    /// How often fields were asked for that fail at times.
    var counts: [String: Int] = [:]

    /// Brings an object back that may have been removed. It then has nothing of what was set before.
    mutating func restore(_ id: ObjectID) {
      if removed.remove(id) != nil { values[id] = nil }
      known.insert(id)
    }
  }

  let contents = Locked(Contents())
  let events = EventSources()
  private let lastNumber = Locked(0)

  /// A number that no other function of a type has.
  func nextNumber() -> Int {
    lastNumber.withLock { number in
      number += 1
      return number
    }
  }

  func value(of field: String, _ arguments: String, on id: ObjectID) -> GraphQLValue? {
    contents.withLock { contents in
      guard let values = contents.values[id] else { return nil }
      return values[field + arguments] ?? (arguments.isEmpty ? nil : values[field])
    }
  }

  func set(_ field: String, of id: ObjectID, to value: GraphQLValue) {
    contents.withLock { contents in
      contents.restore(id)
      contents.values[id, default: [:]][field] = value
    }
  }

  func restore(_ id: ObjectID) { contents.withLock { $0.restore(id) } }

  /// Removes an object. It keeps its values, because the mutation that removes it may return it.
  func remove(_ id: ObjectID) { contents.withLock { _ = $0.removed.insert(id) } }

  func isRemoved(_ id: ObjectID) -> Bool { contents.withLock { $0.removed.contains(id) } }

  func count(_ coordinate: String) -> Int {
    contents.withLock { contents in
      contents.counts[coordinate, default: 0] += 1
      return contents.counts[coordinate] ?? 0
    }
  }
}
