import ApolloAPI
@testable import ApolloCache
import Testing

@Suite("Runs of optimistic updates", .timeLimit(.minutes(5)))
struct GuessRunTests {
  private static let records = RecordSet.received(["A:1": ["x": .int(1), "y": .int(2)], "A:2": ["x": .int(5)]])

  @Test(
    "A guess that comes on top of others runs alone, and a change below them runs all of them",
    arguments: Collected.Place.allCases)
  func onTop(place: Collected.Place) async throws {
    let store = try await GuessedStore(place, Self.records), runs = Locked(0)
    func add(_ name: String) async throws {
      try await store.guess(name) { guess in
        runs.withLock { $0 += 1 }
        try guess.add(1, to: "x")
      }
    }
    for number in 1...20 { try await add("\(number)") }
    #expect(runs.withLock { $0 } < 25, "the first ones may have to wait for a backend")
    #expect(try await store.seen.first == "A:1.x = 21")
    runs.withLock { $0 = 0 }
    try await store.set("y", 7)
    #expect(runs.withLock { $0 } == 20)
    #expect(try await store.seen == ["A:1.x = 21", "A:1.y = 7", "A:2.x = 5"])
    try await add("10")
    #expect(try await store.seen.first == "A:1.x = 21", "it takes the place of the one of its name")
    try await store.store.revertOptimisticUpdate(id: "3")
    #expect(try await store.seen.first == "A:1.x = 20")
    #expect(try await store.kept.first == "A:1.x = 1")
  }

  @Test(
    "A guess that throws leaves nothing of what it has written before, and those around it stay",
    arguments: Collected.Place.allCases)
  func throwing(place: Collected.Place) async throws {
    let store = try await GuessedStore(place, Self.records), throwsNow = Locked(false), failures = Locked<[String]>([])
    store.store.onOptimisticFailure = { id, _ in failures.withLock { $0.append(id) } }
    try await store.guess("a") { try $0.add(10, to: "x") }
    try await store.guess("b") { guess in
      try guess.add(100, to: "x")
      try guess.set("x", 0, of: "A:2")
      if throwsNow.withLock({ $0 }) { throw Guess.Failure() }
    }
    try await store.guess("c") { try $0.add(1000, to: "x") }
    #expect(try await store.seen == ["A:1.x = 1111", "A:1.y = 2", "A:2.x = 0"])
    throwsNow.withLock { $0 = true }
    for y in [3, 4] {
      try await store.set("y", y)
      #expect(try await store.seen == ["A:1.x = 1011", "A:1.y = \(y)", "A:2.x = 5"])
    }
    await #expect(throws: Guess.Failure.self) {
      try await store.guess("d") { guess in
        try guess.set("x", 9, of: "A:2")
        throw Guess.Failure()
      }
    }
    #expect(try await store.seen == ["A:1.x = 1011", "A:1.y = 4", "A:2.x = 5"])
    throwsNow.withLock { $0 = false }
    try await store.guess("e") { try $0.set("y", 5) }
    #expect(try await store.seen == ["A:1.x = 1111", "A:1.y = 5", "A:2.x = 0"], "it was tried again")
    #expect(failures.withLock { $0 } == ["b"], "it is told once")
  }

  /// Uses the store when it goes.
  private final class Screen: Sendable {
    private let store: ApolloStore
    init(_ store: ApolloStore) { self.store = store }
    deinit {
      _ = store.optimisticUpdates
      _ = store.onOptimisticFailure
    }
  }

  @Test("What a guess has held may use the store when the guess goes")
  func released() async throws {
    let store = ApolloStore()
    func show() async throws {
      try await store.applyOptimisticUpdate(id: "a") { [screen = Screen(store)] _ in
        withExtendedLifetime(screen) {}
      }
    }
    try await show()
    // One of the same name takes its place.
    try await show()
    try await store.revertOptimisticUpdate(id: "a")
    try await show()
    try await store.clearCache()
    #expect(store.optimisticUpdates.isEmpty)
  }

  @Test("What a setting of the store has held may use the store when there is another setting")
  func releasedSettings() {
    let store = ApolloStore()
    func set() {
      let screen = Screen(store)
      store.onOptimisticFailure = { _, _ in withExtendedLifetime(screen) {} }
    }
    set()
    set()
    store.onOptimisticFailure = nil
    #expect(store.optimisticUpdates.isEmpty)
  }
}
