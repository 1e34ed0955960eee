import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Searching records")
struct SearchTests {
  private let records: RecordSet = [
    "QUERY_ROOT": ["hero": .reference("Droid:1")],
    "Droid:1": ["__typename": "Droid", "name": "one"],
    "Droid:2": ["__typename": "Droid", "name": "two"],
    "Human:1": ["__typename": "Human", "name": "one"],
  ]

  private func keys(
    _ store: ApolloStore, _ type: String? = nil, _ isMatch: @Sendable (Record) -> Bool = { _ in true }
  ) async throws -> [CacheKey] {
    try await store.search(type: type, where: isMatch).map(\.key)
  }

  private func expectAll(_ store: ApolloStore) async throws {
    #expect(try await keys(store) == ["Droid:1", "Droid:2", "Human:1", "QUERY_ROOT"])
    #expect(try await keys(store, "Droid") == ["Droid:1", "Droid:2"])
    #expect(try await keys(store) { $0["name"] == "one" } == ["Droid:1", "Human:1"])
    #expect(try await keys(store, "Human") { $0["name"] == "one" } == ["Human:1"])
    #expect(try await keys(store, "Wookiee").isEmpty)
    #expect(try await store.search { $0.key == "Droid:2" }.first?["name"] == "two")
    #expect(try await store.search(type: "Droid").count == 2)
  }

  @Test("By type and by what a record has, in memory")
  func memory() async throws {
    let store = ApolloStore()
    #expect(try await keys(store).isEmpty)
    try await store.publish(records: records)
    try await expectAll(store)
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:1") }
    #expect(try await keys(store, "Droid") == ["Droid:2"])
  }

  @Test("In a backend as well, and what is found stays out of memory")
  func backend() async throws {
    let backend = TextCache(), first = ApolloStore(cache: backend)
    try await first.publish(records: records)
    try await expectAll(first)
    let loads = backend.loads.count
    #expect(try await keys(first).count == 4)
    #expect(backend.loads.count == loads, "everything was in memory")
    let second = ApolloStore(cache: backend)
    try await expectAll(second)
    #expect(second.statistics.recordCount == 0)
    try await second.withinReadWriteTransaction { try $0.removeObject(for: "Droid:1") }
    #expect(try await keys(second, "Droid") == ["Droid:2"])
    backend.fail()
    await #expect(throws: TextCache.Failure.self) { try await second.search() }
  }

  @Test("Many records, while others write; an error of the app and a cancellation end it")
  func many() async throws {
    let store = ApolloStore()
    try await store.publish(
      records: RecordSet(records: (0..<5_000).map { Record(key: "A:\($0)", ["__typename": "A", "n": .int($0)]) }))
    async let found = store.search(type: "A") { record in
      if case .int(let number)? = record["n"] { number % 10 == 0 } else { false }
    }
    for number in 0..<20 { try await store.publish(records: ["B:\(number)": ["n": 1]]) }
    #expect(try await found.count == 500)
    struct Refused: Error {}
    await #expect(throws: Refused.self) { try await store.search { _ in throw Refused() } }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.search()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("What a guess has removed is not found, though the backend has it", arguments: [true, false])
  func guess(isPattern: Bool) async throws {
    let backend = TextCache()
    try await ApolloStore(cache: backend).publish(records: records)
    let store = ApolloStore(cache: backend)
    try await store.applyOptimisticUpdate(id: "guess") { transaction in
      if isPattern {
        try transaction.removeObjects(matching: "Droid:1")
      } else {
        try transaction.removeObject(for: "Droid:1")
      }
    }
    #expect(try await keys(store, "Droid") == ["Droid:2"])
  }
}
