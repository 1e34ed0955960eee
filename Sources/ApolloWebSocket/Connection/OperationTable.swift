import Apollo
import ApolloAPI

/// The operations of a connection: found by their id, listed in the order of their start.
struct OperationTable: Sendable {
  typealias Operation = ConnectionMachine.Operation
  typealias Instant = ConnectionMachine.Instant

  private var entries: [String: (position: Int, operation: Operation)] = [:]
  private var lastPosition = 0
  /// The operations with a deadline. They are few, because subscriptions have none.
  private var timed: Set<String> = []

  var isEmpty: Bool { entries.isEmpty }

  /// In the order of their start.
  var all: [Operation] { entries.values.sorted { $0.position < $1.position }.map(\.operation) }

  /// The first time at which an operation fails, because no result or no next part of one has come.
  var deadline: Instant? { timed.compactMap { entries[$0]?.operation.deadline }.min() }

  subscript(id: String) -> Operation? { entries[id]?.operation }

  mutating func insert(_ operation: Operation) {
    lastPosition += 1
    entries[operation.id] = (lastPosition, operation)
    if operation.deadline != nil { timed.insert(operation.id) }
  }

  @discardableResult
  mutating func remove(_ id: String) -> Operation? {
    timed.remove(id)
    return entries.removeValue(forKey: id)?.operation
  }

  /// Lets an operation wait for the next part of its result as long as for the first one.
  mutating func renew(_ id: String, at now: Instant) {
    guard let operation = entries[id]?.operation, operation.deadline != nil, let limit = operation.limit else { return }
    entries[id]?.operation.deadline = now + limit
  }

  mutating func markSent(_ id: String) { entries[id]?.operation.isSent = true }

  mutating func markAllUnsent() {
    for id in entries.keys { entries[id]?.operation.isSent = false }
  }

  /// The operations whose deadline has passed.
  func overdue(at now: Instant) -> [Operation] {
    guard let deadline, deadline <= now else { return [] }
    return all.filter { $0.deadline.map { $0 <= now } ?? false }
  }
}
