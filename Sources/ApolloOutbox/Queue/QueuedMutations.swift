import Foundation

/// The mutations of an outbox in memory: each in the line of its scope, and what is known of them.
struct QueuedMutations {
  var items: [UUID: OutboxQueue.Item] = [:]
  /// The mutations of each scope that are not answered, in their order.
  var lines: [String: [UUID]] = [:]
  /// The mutations that make the objects with temporary ids, in the order in which they came. An app may enqueue a
  /// mutation again, with the same id, that was given up or is about to be cancelled.
  private(set) var creators: [String: [UUID]] = [:]
  /// The mutations that are sent now, or whose answers are brought into the cache.
  var underWay: Set<UUID> = []
  /// The mutations that were given up.
  var failed: Set<UUID> = []
  /// The scopes that pause, with the number of the mutation for which they do; the least, if there are several.
  var pausedScopes: [String: Int64] = [:]
  /// The number of the next mutation.
  var nextNumber: Int64 = 1
  /// The scopes of the mutations that have numbers and are not kept yet.
  var coming: [Int64: String] = [:]
  /// Whether a mutation waits for one of these, which may make the object that it names.
  var isComingAwaited = false

  subscript(id: UUID) -> OutboxQueue.Item? {
    get { items[id] }
    _modify { yield &items[id] }
  }

  /// Adds a mutation, and puts it into no line.
  mutating func add(_ item: OutboxQueue.Item) {
    items[item.row.id] = item
    if let local = item.row.localID { creators[local, default: []].append(item.row.id) }
  }

  /// Removes a mutation that is in no line any more.
  mutating func remove(_ id: UUID) {
    guard let item = items.removeValue(forKey: id) else { return }
    item.timer?.cancel()
    guard let local = item.row.localID else { return }
    creators[local]?.removeAll { $0 == id }
    if creators[local]?.isEmpty == true { creators[local] = nil }
  }

  /// Has what came behind a mutation in its scope wait until that one is tried again or dismissed.
  mutating func pause(behind row: Outbox.Row) {
    pausedScopes[row.scope] = min(pausedScopes[row.scope] ?? .max, row.number)
  }

  /// Whether a mutation waits because one before it was given up.
  func isPaused(_ row: Outbox.Row) -> Bool { pausedScopes[row.scope].map { row.number > $0 } ?? false }

  /// Whether a mutation that came before another one is not kept yet.
  ///
  /// - Parameters:
  ///   - number: The number of the other one.
  ///   - scope: The scope of the mutation. nil, the default: any.
  /// - Returns: True if there is one.
  func isComing(before number: Int64, in scope: String? = nil) -> Bool {
    coming.contains { $0.key < number && (scope == nil || $0.value == scope) }
  }

  /// Puts a mutation into the line of its scope. Two calls may come back from the storage in another order.
  mutating func insertIntoLine(_ row: Outbox.Row) {
    var line = lines[row.scope] ?? []
    lines[row.scope] = nil
    var place = line.count
    // What is sent already is not overtaken.
    while place > 0, let before = items[line[place - 1]], before.stage == .waiting, before.row.number > row.number {
      place -= 1
    }
    line.insert(row.id, at: place)
    lines[row.scope] = line
  }

  /// Takes a mutation out of the line of its scope.
  ///
  /// - Returns: The scope, if nothing is left in its line; nil otherwise.
  mutating func removeFromLine(_ id: UUID) -> String? {
    guard let scope = items[id]?.row.scope else { return nil }
    if lines[scope]?.first == id {
      lines[scope]?.removeFirst()
    } else {
      lines[scope]?.removeAll { $0 == id }
    }
    guard lines[scope]?.isEmpty == true else { return nil }
    lines[scope] = nil
    return scope
  }
}
