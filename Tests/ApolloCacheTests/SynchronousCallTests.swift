import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing
import Waiting

@Suite("Synchronous functions never wait", .everyStyle, .timeLimit(.minutes(10)))
struct SynchronousCallTests {
  static let calls: [(name: String, call: @Sendable (InMemoryNormalizedCache) throws -> Void)] = [
    ("merge(records:)", { try $0.merge(records: ["A:2": ["x": 2]]) }),
    ("removeRecord(for:)", { try $0.removeRecord(for: "A:1") }),
    ("removeRecords(matching:)", { try $0.removeRecords(matching: "A:*") }),
    ("clear()", { $0.clear() }),
    ("loadRecords(forKeys:)", { _ = $0.loadRecords(forKeys: ["A:1"]) }),
    ("keys(after:limit:)", { _ = $0.keys(after: nil, limit: 10) }),
  ]

  /// A transaction that does what it is told, and ends when it is told.
  struct OpenTransaction {
    typealias Step = @Sendable (ApolloStore.ReadWriteTransaction) async throws -> Void
    struct Undone: Error {}

    private let steps = AsyncStream<Step>.makeStream()
    private let done = Event()
    private let task: Task<Void, any Error>
    private var count = 0

    init(of store: ApolloStore) async throws {
      let (stream, done) = (steps.stream, done)
      task = Task {
        try await store.withinReadWriteTransaction { transaction in
          done.happen()
          for await step in stream {
            try await step(transaction)
            done.happen()
          }
        }
      }
      try await done.wait()
      count = 1
    }

    mutating func run(_ step: @escaping Step) async throws {
      steps.continuation.yield(step)
      count += 1
      try await done.wait(for: count)
    }

    func end(undone: Bool) async throws {
      if undone { steps.continuation.yield { _ in throw Undone() } }
      steps.continuation.finish()
      do { try await task.value } catch is Undone {}
    }
  }

  @Test("Twice as many callers as the pool has threads end while a transaction waits", arguments: calls.indices)
  func filledPool(index: Int) async throws {
    let cache = InMemoryNormalizedCache(records: ["A:1": ["x": 1]]), store = ApolloStore(cache: cache)
    let open = try await OpenTransaction(of: store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
        group.addTask { try Self.calls[index].call(cache) }
      }
      try await group.waitForAll()
    }
    try await open.end(undone: false)
  }

  @Test("Merging tells what has changed, also if the cache has no room for it, and gives its keys new numbers")
  func namesOfWhatIsDropped() throws {
    let cache = InMemoryNormalizedCache(sizeLimit: 10_000), keys = (0..<4_000).map { "A:\($0)" }
    let names = try cache.merge(records: RecordSet(records: keys.map { Record(key: $0, ["x": 1]) }))
    #expect(names == Set(keys.map { "\($0).x" }))
    #expect(cache.keys(after: nil, limit: .max).count < 400)
  }

  /// What the cache should have: the naive model.
  struct Model {
    typealias Records = [CacheKey: [CacheKey: Int]]
    typealias Change = (inout Records) -> Void

    var records: Records = [:]
    /// What an open transaction has made of the records.
    var inTransaction: Records?
    /// What was changed since it was opened.
    var beside: [Change] = []

    mutating func change(_ change: @escaping Change) {
      change(&records)
      if inTransaction != nil { beside.append(change) }
    }

    mutating func end(undone: Bool) {
      if !undone, var result = inTransaction {
        for change in beside { change(&result) }
        records = result
      }
      (inTransaction, beside) = (nil, [])
    }
  }

  static let keys = ["A:1", "A:2", "B:1", "B:2"], fields = ["x", "y"]

  static func merging(_ key: CacheKey, _ field: CacheKey, _ value: Int) -> Model.Change {
    { $0[key, default: [:]][field] = value }
  }

  @Test("Whatever they change beside a transaction is seen at once, and is on top of it", arguments: 0..<20)
  func model(seed: UInt64) async throws {
    var dice = SplitMix(state: seed), model = Model(), open: OpenTransaction?, value = 0
    let cache = InMemoryNormalizedCache(), store = ApolloStore(cache: cache)
    for _ in 0..<200 {
      let key = Self.keys.randomElement(using: &dice)!, field = Self.fields.randomElement(using: &dice)!
      value += 1
      let new = value, isInside = Bool.random(using: &dice)
      switch Int.random(in: 0..<7, using: &dice) {
      case 0 where open == nil:
        open = try await OpenTransaction(of: store)
        model.inTransaction = model.records
      case 0:
        let undone = Bool.random(using: &dice)
        try await open?.end(undone: undone)
        model.end(undone: undone)
        open = nil
      case 1 where open != nil && isInside:
        try await open?.run { try await $0.removeObject(for: key) }
        model.inTransaction?[key] = nil
      case 2, 3:
        guard open != nil, isInside else { fallthrough }
        try await open?.run { _ = try $0.cache.merge(records: [key: [field: .int(new)]]) }
        Self.merging(key, field, new)(&model.inTransaction!)
      case 1:
        try cache.removeRecord(for: key)
        model.change { $0[key] = nil }
      case 4:
        let names = try cache.merge(records: [key: [field: .int(new)]])
        #expect(names == ["\(key).\(field)"])
        model.change(Self.merging(key, field, new))
      case 5:
        try cache.removeRecords(matching: "A:*")
        model.change { $0 = $0.filter { !$0.key.hasPrefix("A:") } }
      default:
        guard isInside else { continue }
        cache.clear()
        model.change { $0 = [:] }
      }
      let found = cache.loadRecords(forKeys: Set(Self.keys)).mapValues { record in
        record.fields.compactMapValues { if case .int(let value) = $0 { Int(value) } else { nil } }
      }
      #expect(found == model.records)
    }
    try await open?.end(undone: true)
  }
}
