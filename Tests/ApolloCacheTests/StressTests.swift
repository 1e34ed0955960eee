import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing
import Waiting

/// Sixteen tasks at once. `APOLLO_STRESS_SECONDS` says for how long; `make test-tsan` runs it for a minute under Thread Sanitizer.
///
/// The clock says how much work is done, and the sleeps how much of each kind. No expectation rests on either.
@Suite("Sixteen tasks that read, write, watch and clear", .timeLimit(.minutes(10)))
struct StressTests {
  /// What a watcher was told.
  struct Log {
    var values: [Int] = []
    var misses = 0
  }

  let store = ApolloStore()
  let duration = Double(ProcessInfo.processInfo.environment["APOLLO_STRESS_SECONDS"] ?? "") ?? 1

  static func json(_ object: Int, _ value: Int) -> String {
    let friend = #"{"__typename":"Human","id":"friend\#(object)","name":"\#(value)"}"#
    return #"{"hero":{"__typename":"Droid","id":"\#(object)","name":"\#(value)","friends":[\#(friend)],"size":null}}"#
  }

  static func query(_ object: Int) -> HeroQuery { HeroQuery(episode: .some("\(object)")) }

  /// Watches an object with every notification counted, until the observer is removed.
  func watch(_ object: Int, _ log: Locked<Log>, in other: ApolloStore? = nil) async -> ObserverID {
    let store = other ?? store
    let box = Locked<ObserverID?>(nil)
    let observer = store.addObserver(ignoring: UUID()) { state in
      guard let observer = box.withLock({ $0 }) else { return }
      await state.observe(Self.query(object), for: observer) { reading in
        log.withLock { log in
          switch reading.data {
          case .success(let data): log.values.append(Int(data.hero?.name ?? "") ?? -1)
          case .failure: log.misses += 1
          }
        }
      }
    }
    box.withLock { $0 = observer }
    await withCheckedContinuation { done in store.observe(Self.query(object), for: observer) { _ in done.resume() } }
    return observer
  }

  @Test("see whole states, and a watcher is told of each write once, in order, and of no other")
  func stress() async throws {
    let logs = (0..<4).map { _ in Locked(Log()) }
    let written = (0..<4).map { _ in Locked(0) }
    let clears = Locked(0)
    var observers: [ObserverID] = []
    for object in 0..<4 { observers.append(await watch(object, logs[object])) }
    let end = ContinuousClock.now + .seconds(duration)
    @Sendable func isOver() -> Bool { ContinuousClock.now >= end }

    await withTaskGroup(of: Void.self) { group in
      for object in 0..<4 {
        // The only one who writes this object.
        group.addTask {
          var value = 0
          while !isOver() {
            value += 1
            _ = try? await store.write(response: bytes(Self.json(object, value)), for: Self.query(object))
            written[object].withLock { $0 = value }
          }
        }
        group.addTask {
          while !isOver() {
            if let hero = try? await store.load(Self.query(object)).hero {
              #expect(hero.name == hero.friends?.first??.name, "half of a write was seen")
            }
            await Task.yield()
          }
        }
        // Watchers that come and go.
        group.addTask {
          while !isOver() {
            let log = Locked(Log())
            let observer = await watch(object, log)
            try? await Task.sleep(for: .milliseconds(5))
            store.removeObserver(observer)
            await store.waitUntilTold()
            let values = log.withLock { $0.values }
            #expect(zip(values, values.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(values)")
          }
        }
      }
      group.addTask {
        while !isOver() {
          try? await store.clearCache()
          clears.withLock { $0 += 1 }
          try? await Task.sleep(for: .milliseconds(3))
        }
      }
      group.addTask {
        while !isOver() {
          _ = try? await store.removeUnreachable()
          _ = store.dump()
          _ = store.statistics
          try? await Task.sleep(for: .milliseconds(20))
        }
      }
      // Another object, in transactions half of which fail.
      for task in 0..<2 {
        group.addTask {
          struct Failure: Error {}
          var round = 0
          while !isOver() {
            round += 1
            let fails = round % 2 == 0, name = fails ? "never" : "\(round)"
            _ = try? await store.write(response: bytes(Self.json(9, round)), for: Self.query(9 + task))
            try? await store.withinReadWriteTransaction { transaction in
              try transaction.update(query: Self.query(9 + task)) { $0.hero?.name = name }
              if fails { throw Failure() }
            }
            #expect((try? await store.load(Self.query(9)))?.hero?.name != "never")
          }
        }
      }
    }

    await store.waitUntilTold()
    for object in 0..<4 {
      let log = logs[object].withLock { $0 }, last = written[object].withLock { $0 }
      #expect(log.values == Array((0...last).dropFirst()), "\(last) writes, \(log.values.count) notifications")
      #expect(log.misses <= clears.withLock { $0 })
    }
    for observer in observers { store.removeObserver(observer) }
    print("stress: \(written.map { $0.withLock { $0 } }) writes, all told once; \(clears.withLock { $0 }) clears")
  }

  @Test("A response waits for the writes that were asked for before it")
  func order() async throws {
    let store = ApolloStore()
    let log = Locked(Log())
    let query = Self.query(1)
    _ = try await store.write(response: bytes(Self.json(1, 0)), for: query)
    let observer = await watch(1, log, in: store)
    let begins = Event(), gate = Event()
    let renamed = Task {
      try await store.withinReadWriteTransaction { transaction in
        begins.happen()
        try await gate.wait()
        try await transaction.update(query: query) { $0.hero?.name = "1" }
      }
    }
    try await begins.wait()
    let published = Task { _ = try await store.write(response: bytes(Self.json(1, 2)), for: query) }
    // (It may ask meanwhile, or later: it is the second one in any case.)
    #expect(try await store.load(query).hero?.name == "0")
    gate.happen()
    try await renamed.value
    try await published.value
    await store.waitUntilTold()
    #expect(log.withLock { $0.values } == [1, 2])
    #expect(try await store.load(query).hero?.name == "2")
    store.removeObserver(observer)
  }
}
