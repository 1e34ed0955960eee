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
    /// What functions of whole types have returned.
    var typeValues: [ObjectID: GraphQLValue.Object] = [:]
    /// How often fields were asked for that fail at times.
    var counts: [String: Int] = [:]
  }

  let contents = Locked(Contents())
  let events = EventSources()

  func value(of field: String, _ arguments: String, on id: ObjectID) -> GraphQLValue? {
    contents.withLock { contents in
      guard let values = contents.values[id] else { return nil }
      return values[field + arguments] ?? (arguments.isEmpty ? nil : values[field])
    }
  }

  func set(_ field: String, of id: ObjectID, to value: GraphQLValue) {
    contents.withLock { contents in
      contents.values[id, default: [:]][field] = value
      contents.removed.remove(id)
      contents.known.insert(id)
    }
  }

  func isRemoved(_ id: ObjectID) -> Bool { contents.withLock { $0.removed.contains(id) } }

  func count(_ coordinate: String) -> Int {
    contents.withLock { contents in
      contents.counts[coordinate, default: 0] += 1
      return contents.counts[coordinate] ?? 0
    }
  }
}
