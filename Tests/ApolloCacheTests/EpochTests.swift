@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing

@Suite("After a cache was cleared, nothing is in it that was asked for before", .timeLimit(.minutes(5)))
struct EpochTests {
  /// How something that was asked for is written.
  enum Kind: CaseIterable {
    /// The answer of an operation, as it was read.
    case answer
    /// The same, and no caller waits for it.
    case answerLater
    /// The answer as records of an app, with their operation.
    case records, recordsLater
    /// Records of an answer that an app publishes itself.
    case ownRecords, ownRecordsWithCallback
    /// The answer ends a guess, and the app changes the cache by it.
    case endOfGuess
    /// The same for an answer without records.
    case change
  }

  /// Something that was asked for, and is not answered.
  private struct Asked {
    let number: Int
    let kind: Kind
    let epoch: StoreEpoch
    let ticket: SendingTicket
    var guess: OptimisticUpdate?
    var isOld = false

    var key: CacheKey { "Droid:\(number)" }

    var records: RecordSet {
      [key: ["__typename": "Droid", "id": .string("\(number)"), "name": .string("\(number)")]]
    }

    var batch: RecordBatchTransfer? {
      let body = bytes(#"{"hero":{"__typename":"Droid","id":"\#(number)","name":"\#(number)"}}"#)
      let query = HeroQuery(episode: .some("\(number)"))
      return try? ResponseReader.read(
        HeroQuery.Data.self, from: body, variables: query.variables, rootKey: "QUERY_ROOT",
        identity: ObjectIdentity()
      ).records
    }
  }

  private static func ask(_ number: Int, _ kind: Kind, in store: ApolloStore) async throws -> Asked {
    let epoch = StoreEpoch.current
    var asked = Asked(
      number: number, kind: kind, epoch: epoch, ticket: store.beginSending(.query, asked: epoch))
    if kind == .endOfGuess || kind == .change {
      let key = "Droid:guess \(number)"
      let guess = OptimisticUpdate(id: nil, asked: epoch) { transaction in
        try transaction.write(key, "guessed")
      }
      try await store.begin(guess)
      asked.guess = guess
    }
    return asked
  }

  private static func answer(_ asked: Asked, in store: ApolloStore) async throws {
    var own = asked.records
    own.asked = asked.epoch
    let key = asked.key
    let completion = asked.guess.map { store.completion(of: $0) { try $0.write(key, "\(asked.number)") } }
    switch asked.kind {
    case .answer, .answerLater, .endOfGuess:
      guard let batch = asked.batch else { throw Missing() }
      if asked.kind == .answerLater {
        store.publishLater(batch, lifetime: nil, sent: asked.ticket)
      } else {
        #expect(await store.publish(batch, completing: completion, sent: asked.ticket) == nil)
      }
    case .records:
      #expect(await store.publish(asked.records, origin: nil, completing: nil, sent: asked.ticket) == nil)
    case .recordsLater: store.publishLater(asked.records, sent: asked.ticket)
    case .ownRecords: try await store.publish(records: own)
    case .ownRecordsWithCallback: store.publish(records: own, completion: nil)
    case .change:
      guard let completion else { throw Missing() }
      #expect(await store.complete(completion, asked: asked.epoch) == nil)
    }
  }

  private struct Missing: Error {}

  /// How a cache is cleared.
  private static func clear(_ store: ApolloStore, _ way: Int) async throws {
    switch way {
    case 0: try await store.clearCache()
    case 1: store.clearCache(callbackQueue: .global(), completion: nil)
    default:
      guard let memory = store.cache as? InMemoryNormalizedCache else { return try await store.clearCache() }
      memory.clear()
    }
  }

  @Test(
    "in any order of asking, answering and clearing, over every backend", arguments: Collected.Place.allCases,
    Effort.seeds(1))
  func random(place: Collected.Place, seed: UInt64) async throws {
    var random = SplitMix(state: seed)
    let collected = try await Collected(place, [:]), store = collected.store
    var waiting: [Asked] = [], kept: Set<CacheKey> = [], guessed: Set<CacheKey> = [], log: [String] = [], number = 0
    for _ in 0..<80 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        number += 1
        let asked = try await Self.ask(number, Kind.allCases.randomElement(using: &random) ?? .answer, in: store)
        if asked.guess != nil { guessed.insert("Droid:guess \(number)") }
        waiting.append(asked)
        log.append("ask \(number) \(asked.kind)")
      case 4..<9:
        guard let index = waiting.indices.randomElement(using: &random) else { continue }
        let asked = waiting.remove(at: index)
        log.append("answer \(asked.number)")
        try await Self.answer(asked, in: store)
        guessed.remove("Droid:guess \(asked.number)")
        if !asked.isOld { kept.insert(asked.key) }
      default:
        let way = Int.random(in: 0..<3, using: &random)
        log.append("clear \(way)")
        try await Self.clear(store, way)
        kept = []
        guessed = []
        for index in waiting.indices { waiting[index].isOld = true }
      }
      // What no caller waits for is over when a later write is.
      try await store.flush()
      let seen = Set(try await store.visibleKeys(upTo: number))
      #expect(seen.subtracting(kept).subtracting(guessed).isEmpty, "\(log)")
      let inBackend = Set(collected.records.keys.filter { $0.hasPrefix("Droid:") })
      #expect(inBackend.subtracting(kept).isEmpty, "\(log)")
      guard seen.isSuperset(of: guessed), inBackend.isSuperset(of: kept) else {
        Issue.record("seen \(seen), kept \(inBackend), after \(log)")
        return
      }
    }
  }

  @Test("What was asked for after the call of a clearing is written, though the clearing waits for its turn")
  func waitingForTurn() async throws {
    let store = ApolloStore(), before = try await Self.ask(1, .answer, in: store)
    let (isIn, isInNow) = AsyncStream<Void>.makeStream(), (mayEnd, end) = AsyncStream<Void>.makeStream()
    let transaction = Task {
      try await store.withinReadWriteTransaction { _ in
        isInNow.finish()
        for await _ in mayEnd {}
      }
    }
    for await _ in isIn {}
    await withCheckedContinuation { done in
      store.clearCache(callbackQueue: .global()) { _ in done.resume() }
      let after = Asked(
        number: 2, kind: .answer, epoch: .current, ticket: store.beginSending(.query, asked: .current))
      if let batch = before.batch { store.publishLater(batch, lifetime: nil, sent: before.ticket) }
      if let batch = after.batch { store.publishLater(batch, lifetime: nil, sent: after.ticket) }
      end.finish()
    }
    try await transaction.value
    try await store.flush()
    #expect(try await store.visibleKeys(upTo: 2) == ["Droid:2"])
  }

  @Test("A guess that comes too late for a clearing is not shown")
  func lateGuess() async throws {
    let store = ApolloStore(), guess = OptimisticUpdate(id: nil, asked: .current) { try $0.write("Droid:1", "guess") }
    try await store.clearCache()
    try await store.begin(guess)
    #expect(try await store.visibleKeys(upTo: 1).isEmpty)
  }

  @Test("The guess of a mutation that waits in an outbox is shown on", arguments: Collected.Place.allCases)
  func guessOfOutbox(place: Collected.Place) async throws {
    let store = try await Collected(place, [:]).store
    try await store.begin(OptimisticUpdate(id: nil, asked: nil) { try $0.write("Droid:1", "guess") })
    try await store.clearCache()
    #expect(try await store.visibleKeys(upTo: 1) == ["Droid:1"])
  }
}

extension ApolloStore.ReadWriteTransaction {
  fileprivate func write(_ key: CacheKey, _ name: String) throws {
    try write(
      selectionSet: Named(id: String(key.dropFirst(6)), name: name), withKey: key)
  }
}

extension ApolloStore {
  /// The keys of the droids that a reader of the cache sees, those of guesses among them.
  fileprivate func visibleKeys(upTo number: Int) async throws -> [CacheKey] {
    let keys = (0...number).flatMap { ["Droid:\($0)", "Droid:guess \($0)"] }
    return try await withinReadTransaction { transaction in
      keys.filter { (try? transaction.readObject(ofType: Named.self, withKey: $0)) != nil }
    }
  }
}

private struct Named: SelectionSet {
  let id: String
  let name: String

  static let __fields = __FieldTable(version: 1, "__typename id!# name")

  init(id: String, name: String) { (self.id, self.name) = (id, name) }

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    id = try object.read(1)
    name = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "Droid")
    writer.write(1, id)
    writer.write(2, name)
  }
}
