@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing

private typealias Fields = [String: CachedValue]
private typealias Records = [CacheKey: Fields]

private let keys: Set<CacheKey> = ["QUERY_ROOT", "c1", "c2", "c3"]

private func randomKey(_ random: inout SplitMix) -> CacheKey { "c\(Int.random(in: 1...3, using: &random))" }

private func randomName(_ random: inout SplitMix) -> String { "n\(Int.random(in: 0...9, using: &random))" }

private func randomType(_ random: inout SplitMix) -> String { Bool.random(using: &random) ? "Human" : "Droid" }

// MARK: Changes

/// One thing that a change of the app does: with a transaction, and with plain dictionaries.
private enum Change: Sendable {
  case rename(CacheKey, String)
  case write(CacheKey, type: String, String)
  case remove(CacheKey)
  case removeField(CacheKey, String)
  case removeAll
  case prepend(CacheKey, to: CacheKey), append(CacheKey, to: CacheKey), take(CacheKey, from: CacheKey)
  case move(CacheKey, before: CacheKey, in: CacheKey)

  /// What changes have written and removed, whether or not it was so before.
  struct Places {
    var fields: Set<[String]> = []
    var records: Set<CacheKey> = []
    var removesAll = false
  }

  static func some(_ count: ClosedRange<Int>, _ random: inout SplitMix) -> [Change] {
    (0..<Int.random(in: count, using: &random)).map { _ in
      let key = randomKey(&random), other = randomKey(&random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: return .rename(key, randomName(&random))
      case 1: return .write(key, type: randomType(&random), randomName(&random))
      case 2, 3: return .remove(key)
      case 4: return .removeField(key, ["name", "friends", "size"].randomElement(using: &random) ?? "name")
      case 5: return .removeAll
      case 6: return .prepend(other, to: key)
      case 7: return .append(other, to: key)
      case 8: return .take(other, from: key)
      default: return .move(other, before: randomKey(&random), in: key)
      }
    }
  }

  /// (What cannot be done is left out, such as the edit of a list that is not there.)
  func run(_ transaction: ApolloStore.ReadWriteTransaction) throws {
    func list(of key: CacheKey) -> ApolloStore.ReadWriteTransaction.ListEditor {
      transaction.connection("friends", of: key)
    }
    switch self {
    case .rename(let key, let name):
      try? transaction.updateObject(ofType: Character.Friend.self, withKey: key) { $0.name = name }
    case .write(let key, let type, let name):
      if var object = try? transaction.readObject(ofType: Character.Friend.self, withKey: key) {
        (object.__typename, object.name) = (type, name)
        try transaction.write(selectionSet: object, withKey: key)
      } else {
        let fields: Fields = ["__typename": .string(type), "id": .string(key), "name": .string(name)]
        try transaction.cache.merge(records: RecordSet(records: [Record(key: key, fields)]))
      }
    case .remove(let key): try transaction.removeObject(for: key)
    case .removeField(let key, let name): try transaction.removeField(name, of: key)
    case .removeAll: try transaction.removeObjects(matching: "c*")
    case .prepend(let node, let key): try? list(of: key).prepend(node)
    case .append(let node, let key): try? list(of: key).append(node)
    case .take(let node, let key): try? list(of: key).remove(node)
    case .move(let node, let other, let key): try? list(of: key).move(node, before: other)
    }
  }

  func run(_ records: inout Records, _ places: inout Places) {
    switch self {
    case .rename(let key, let name):
      guard let old = records[key]?["name"], old != .string(name) else { return }
      records[key]?["name"] = .string(name)
      places.fields.insert([key, "name"])
    case .write(let key, let type, let name):
      let fields: Fields = ["__typename": .string(type), "id": .string(key), "name": .string(name)]
      records[key, default: [:]].merge(fields) { $1 }
      for field in fields.keys { places.fields.insert([key, field]) }
    case .remove(let key):
      records[key] = nil
      places.records.insert(key)
    case .removeField(let key, let name):
      records[key]?[name] = nil
      places.fields.insert([key, name])
    case .removeAll:
      for key in records.keys where key.hasPrefix("c") { records[key] = nil }
      places.removesAll = true
    case .prepend(let node, let key): edit(key, in: &records, &places) { if !$0.contains(node) { $0 = [node] + $0 } }
    case .append(let node, let key): edit(key, in: &records, &places) { if !$0.contains(node) { $0.append(node) } }
    case .take(let node, let key): edit(key, in: &records, &places) { list in list.removeAll { $0 == node } }
    case .move(let node, let other, let key):
      edit(key, in: &records, &places) { list in
        guard node != other, let index = list.firstIndex(of: node) else { return }
        list.remove(at: index)
        list.insert(node, at: list.firstIndex(of: other) ?? 0)
      }
    }
  }

  private func edit(
    _ key: CacheKey, in records: inout Records, _ places: inout Places, _ body: (inout [CacheKey]) -> Void
  ) {
    guard case .list(let values)? = records[key]?["friends"] else { return }
    var nodes = values.compactMap { value -> CacheKey? in if case .reference(let key) = value { key } else { nil } }
    body(&nodes)
    records[key]?["friends"] = .list(nodes.map { .reference($0) })
    places.fields.insert([key, "friends"])
  }
}

// MARK: Answers

/// What a server answers, as JSON and as records.
private struct Answer {
  let json: String
  let records: Records
  let isOfSizes: Bool

  static func random(root: CacheKey, _ random: inout SplitMix) -> Answer {
    let isOfSizes = Int.random(in: 0..<3, using: &random) == 0
    guard Int.random(in: 0..<8, using: &random) > 0 else {
      return Answer(json: #"{"hero":null}"#, records: [root: ["hero": .null]], isOfSizes: isOfSizes)
    }
    let hero = randomKey(&random), all = ["c1", "c2", "c3"], meters = Double.random(in: 0...9, using: &random).rounded()
    var records: Records = [root: ["hero": .reference(hero)]]
    // An object has one name in one answer, wherever it is.
    let types = all.map { _ in randomType(&random) }, names = all.map { _ in randomName(&random) }
    func add(_ key: CacheKey, hasName: Bool) -> String {
      let index = all.firstIndex(of: key) ?? 0, (type, name) = (types[index], names[index])
      let fields: Fields = ["__typename": .string(type), "id": .string(key), "name": .string(name)]
      records[key, default: [:]].merge(fields.filter { hasName || $0.key != "name" }) { $1 }
      return #""__typename":"\#(type)","id":"\#(key)""# + (hasName ? #","name":"\#(name)""# : "")
    }
    var members = add(hero, hasName: !isOfSizes)
    let field = isOfSizes ? "feet" : "meters", size = meters + 0.5
    if Int.random(in: 0..<4, using: &random) == 0 {
      members += #","size":null"#
      records[hero]?["size"] = .null
    } else {
      members += #","size":{"__typename":"Size","\#(field)":\#(size)}"#
      records[hero]?["size"] = .object(["__typename": "Size", field: .double(size)])
    }
    if !isOfSizes {
      let friends = all.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      members += #","friends":["# + friends.map { "{" + add($0, hasName: true) + "}" }.joined(separator: ",") + "]"
      records[hero]?["friends"] = .list(friends.map { .reference($0) })
    }
    return Answer(json: #"{"hero":{\#(members)}}"#, records: records, isOfSizes: isOfSizes)
  }

  func read(root: CacheKey, _ identity: ObjectIdentity, isOwn: Bool) throws -> ResponseRecords {
    let read =
      isOfSizes
      ? try ResponseReader.read(
        SizesQuery.Data.self, from: bytes(json), variables: .none, rootKey: root, identity: identity
      ).records
      : try ResponseReader.read(
        HeroQuery.Data.self, from: bytes(json), variables: .none, rootKey: root, identity: identity
      ).records
    let batch = try #require(read)
    return isOwn ? .own(RecordSet(batch, receivedAt: Date(timeIntervalSince1970: 1000))) : .read(batch)
  }
}

// MARK: Operations

private struct Operation {
  var number: Int
  let isMutation: Bool
  var ticket: SendingTicket
  let guess: OptimisticUpdate?
  var root: CacheKey { isMutation ? "MUTATION_ROOT" : "QUERY_ROOT" }
}

/// A cache of plain dictionaries that follows the page `optimistic.md`, and forgets nothing.
private struct NaiveCache {
  typealias Note = (number: Int, isMutation: Bool)
  var base: Records = [:]
  var guesses: [(number: Int, changes: [Change])] = []
  private var written: [[String]: [Note]] = [:]
  private var removed: [[String]: [Note]] = [:]
  private var removals: [Note] = []

  var view: Records {
    var view = base, places = Change.Places()
    for change in guesses.flatMap(\.changes) { change.run(&view, &places) }
    return view
  }

  private func isEarlier(_ operation: Operation, than notes: [Note]?) -> Bool {
    notes?.contains { $0.number > operation.number && ($0.isMutation || !operation.isMutation) } ?? false
  }

  mutating func take(_ answer: Answer, of operation: Operation) {
    let note = (operation.number, operation.isMutation)
    for (key, fields) in answer.records where keys.contains(key) {
      let isGone =
        isEarlier(operation, than: removed[[key]]) || key != "QUERY_ROOT" && isEarlier(operation, than: removals)
      if isGone, base[key] == nil { continue }
      for (name, value) in fields {
        let old = base[key]?[name], isGone = isGone || isEarlier(operation, than: removed[[key, name]])
        let isLate = isGone || isEarlier(operation, than: written[[key, name]])
        if !isLate || !isGone && old == nil {
          written[[key, name], default: []].append(note)
          base[key, default: [:]][name] = Self.merged(value, over: old)
        } else if !isGone, let old, case .object = old, case .object = value {
          base[key]?[name] = Self.merged(old, over: value)
        }
      }
    }
  }

  private static func merged(_ new: CachedValue, over old: CachedValue?) -> CachedValue {
    guard case .object(let fields) = new, case .object(let other)? = old else { return new }
    return .object(other.merging(fields) { $1 })
  }

  mutating func make(_ changes: [Change], by operation: Operation?) {
    var places = Change.Places()
    for change in changes { change.run(&base, &places) }
    guard let operation else { return }
    let note = (operation.number, operation.isMutation)
    for place in places.fields {
      if base[place[0]]?[place[1]] == nil {
        removed[place, default: []].append(note)
      } else {
        written[place, default: []].append(note)
      }
    }
    for key in places.records { removed[[key], default: []].append(note) }
    if places.removesAll { removals.append(note) }
  }
}

@Suite("The order of sending, with everything that may happen", .timeLimit(.minutes(5)))
struct SendingOrderPropertyTests {
  private struct Failure: Error {}

  private static func records(in store: ApolloStore) async throws -> (base: Records, view: Records) {
    let base = try await store.withinReadWriteTransaction { try $0.cache.loadRecords(forKeys: keys) }
    let view = try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: keys) }
    return (base.mapValues(\.fields), view.mapValues(\.fields))
  }

  @Test(
    "Random operations and changes leave what a model has that forgets nothing", arguments: Effort.seeds(12),
    [true, false])
  func random(seed: UInt64, isInMemory: Bool) async throws {
    var random = SplitMix(state: seed), naive = NaiveCache(), underWay: [Operation] = [], count = 0, log: [String] = []
    let store = isInMemory ? ApolloStore() : ApolloStore(cache: TextCache())
    store.cacheKeyForObject = { $0["id"] }
    for _ in 0..<60 {
      count += 1
      switch Int.random(in: 0..<12, using: &random) {
      case 0...4 where underWay.count < 6:
        let isMutation = Bool.random(using: &random), guesses = isMutation && Bool.random(using: &random)
        let changes = Change.some(0...2, &random)
        let guess =
          guesses ? OptimisticUpdate(id: nil, asked: .current) { for change in changes { try change.run($0) } } : nil
        let ticket = store.beginSending(isMutation ? .mutation : .query)
        underWay.append(Operation(number: count, isMutation: isMutation, ticket: ticket, guess: guess))
        if let guess {
          try await store.begin(guess)
          naive.guesses.append((count, changes))
        }
        log.append("\(count) sends \(isMutation ? "a mutation" : "a query"), guess \(guess == nil ? [] : changes)")
      case 5 where !underWay.isEmpty:
        let index = Int.random(in: 0..<underWay.count, using: &random)
        log.append("\(underWay[index].number) is sent again, as \(count)")
        if let place = naive.guesses.firstIndex(where: { $0.number == underWay[index].number }) {
          naive.guesses[place].number = count
        }
        underWay[index].ticket.renew()
        underWay[index].number = count
      case 6 where !underWay.isEmpty:
        let operation = underWay.remove(at: Int.random(in: 0..<underWay.count, using: &random))
        if let guess = operation.guess { await store.revert(guess) }
        naive.guesses.removeAll { $0.number == operation.number }
        log.append("\(operation.number) fails")
      case 7...9 where !underWay.isEmpty:
        let operation = underWay.remove(at: Int.random(in: 0..<underWay.count, using: &random))
        log.append(try await Self.end(operation, in: store, &naive, &random))
      case 10:
        let changes = Change.some(1...2, &random)
        try await store.withinReadWriteTransaction { for change in changes { try change.run($0) } }
        naive.make(changes, by: nil)
        log.append("transaction \(changes)")
      case 11:
        let ticket = store.beginSending(.subscription)
        let event = Operation(number: count, isMutation: false, ticket: ticket, guess: nil)
        log.append("event: " + (try await Self.end(event, in: store, &naive, &random)))
      default: continue
      }
      let found = try await Self.records(in: store)
      guard found.base == naive.base, found.view == naive.view else {
        log += ["base \(found.base)", "wanted \(naive.base)", "view \(found.view)", "wanted \(naive.view)"]
        Issue.record("\(log.joined(separator: "\n"))")
        return
      }
    }
  }

  /// Answers an operation. A mutation may have edits of lists, and a change of the app, which may fail.
  private static func end(
    _ operation: Operation, in store: ApolloStore, _ naive: inout NaiveCache, _ random: inout SplitMix
  ) async throws -> String {
    let answer = Answer.random(root: operation.root, &random), isOwn = Bool.random(using: &random)
    let isWritten = !operation.isMutation || Int.random(in: 0..<4, using: &random) > 0
    let edits = Change.some(0...2, &random), update = Change.some(0...2, &random)
    let fails = Int.random(in: 0..<4, using: &random) == 0
    naive.guesses.removeAll { $0.number == operation.number }
    if isWritten { naive.take(answer, of: operation) }
    var completion: OptimisticUpdate.Completion?
    if operation.isMutation {
      naive.make(edits, by: operation)
      if !fails { naive.make(update, by: operation) }
      let guess = operation.guess ?? OptimisticUpdate(id: nil, asked: .current, guess: nil)
      let end = store.completion(of: guess) { transaction in
        for change in update { try change.run(transaction) }
        if fails { throw Failure() }
      }
      completion = store.completion(end) { transaction in for change in edits { try change.run(transaction) } }
    }
    let error: (any Error)?
    if let completion, !isWritten {
      error = await store.complete(completion, asked: operation.ticket.asked, sent: operation.ticket)
    } else {
      error = await store.publish(
        try answer.read(root: operation.root, store.identity, isOwn: isOwn), origin: nil, leavesOutNulls: false,
        lifetime: nil, completing: completion, sent: operation.ticket)
    }
    #expect((error is Failure) == (operation.isMutation && fails))
    let text = isWritten ? answer.json : "(not written)"
    return "\(operation.number) \(text) edits \(edits) update \(fails ? [] : update)"
  }
}
