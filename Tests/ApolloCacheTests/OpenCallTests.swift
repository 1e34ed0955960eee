@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

@Suite("A read sees the writes with callbacks that were asked for before it", .timeLimit(.minutes(5)))
struct OpenCallTests {
  /// A write whose caller goes on at once.
  enum Call: CaseIterable {
    case clearing, transaction, asyncTransaction, publishing, guess

    /// Writes null in place of the hero, or removes it.
    func run(_ store: ApolloStore) {
      let records: RecordSet = ["QUERY_ROOT": ["hero": .null]]
      switch self {
      case .clearing: store.clearCache(callbackQueue: .global(), completion: nil)
      case .transaction:
        store.withinReadWriteTransaction(
          { try $0.cache.merge(records: records) }, callbackQueue: .global(), completion: nil)
      case .asyncTransaction:
        store.withinReadWriteTransaction(
          { transaction in
            await Task.yield()
            return try transaction.cache.merge(records: records)
          }, callbackQueue: .global(), completion: nil)
      case .publishing: store.publish(records: records, callbackQueue: .global(), completion: nil)
      case .guess:
        store.applyOptimisticUpdate(
          id: "a", { _ = try $0.cache.merge(records: records) }, callbackQueue: .global(), completion: nil)
      }
    }
  }

  /// How the hero is read.
  enum Way: CaseIterable {
    case load, transaction, asyncTransaction, transactionWithCallback, asyncTransactionWithCallback

    func hero(_ store: ApolloStore) async -> Character? {
      let query = HeroQuery()
      switch self {
      case .load: return try? await store.load(query).hero
      case .transaction:
        return try? await store.withinReadTransaction { try $0.read(query: query).hero }
      case .asyncTransaction:
        return try? await store.withinReadTransaction { transaction in
          await Task.yield()
          return try await transaction.read(query: query).hero
        }
      case .transactionWithCallback:
        return await withCheckedContinuation { done in
          store.withinReadTransaction({ try $0.read(query: query).hero }, callbackQueue: nil) { result in
            done.resume(returning: try? result.get())
          }
        }
      case .asyncTransactionWithCallback:
        return await withCheckedContinuation { done in
          store.withinReadTransaction(
            { transaction in
              await Task.yield()
              return try await transaction.read(query: query).hero
            }, callbackQueue: nil
          ) { result in done.resume(returning: try? result.get()) }
        }
      }
    }
  }

  /// A store with a hero.
  private static func filled(_ place: Collected.Place) async throws -> Collected {
    let collected = try await Collected(place, [:])
    try await collected.store.write(response: bytes(r2d2), for: HeroQuery())
    return collected
  }

  /// Holds the turn of a store until `body` has been called, and what it returns has been waited for.
  private static func whileTurnIsHeld<T: Sendable>(
    of store: ApolloStore, _ body: () -> Task<T, Never>
  ) async throws -> T {
    let (held, isHeld) = AsyncStream<Void>.makeStream(), (over, end) = AsyncStream<Void>.makeStream()
    let transaction = Task {
      try await store.withinReadWriteTransaction { _ in
        isHeld.finish()
        for await _ in over {}
      }
    }
    for await _ in held {}
    let task = body()
    // A read that did not wait would be over by then.
    for _ in 0..<200 { await Task.yield() }
    end.finish()
    try await transaction.value
    return await task.value
  }

  @Test("whatever the call, the read and the backend", arguments: Collected.Place.allCases, Call.allCases)
  func order(place: Collected.Place, call: Call) async throws {
    for way in Way.allCases {
      let collected = try await Self.filled(place), store = collected.store
      #expect(await way.hero(store)?.name == "R2-D2")
      let hero = try await Self.whileTurnIsHeld(of: store) {
        call.run(store)
        let isInMemory = store.engine.readIfInMemory(ReadRequest(HeroQuery())) != nil
        if call == .clearing { #expect(!isInMemory, "it cannot wait") }
        return Task { await way.hero(store) }
      }
      #expect(hero == nil, "\(way)")
      #expect(!store.engine.hasOpenCalls)
    }
  }

  @Test("A read waits for no other write", arguments: Collected.Place.allCases)
  func others(place: Collected.Place) async throws {
    let collected = try await Self.filled(place), store = collected.store
    let (held, isHeld) = AsyncStream<Void>.makeStream(), (over, end) = AsyncStream<Void>.makeStream()
    let transaction = Task {
      try await store.withinReadWriteTransaction { transaction in
        isHeld.finish()
        for await _ in over {}
        try await transaction.removeObject(for: "Droid:2001")
      }
    }
    for await _ in held {}
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    end.finish()
    try await transaction.value
  }

  @Test("A read in the body of a transaction does not wait for calls that wait for the body")
  func inBody() async throws {
    let store = try await Self.filled(.memory).store
    let name = try await store.withinReadWriteTransaction { _ in
      store.clearCache(callbackQueue: .global(), completion: nil)
      return try await store.load(HeroQuery()).hero?.name
    }
    #expect(name == "R2-D2")
    #expect((try? await store.load(HeroQuery())) == nil)
  }

  @Test("Nor does one with a callback", arguments: [Way.transactionWithCallback, .asyncTransactionWithCallback])
  func callbackInBody(way: Way) async throws {
    let store = try await Self.filled(.memory).store
    let name = try await store.withinReadWriteTransaction { _ in
      store.publish(records: [:], callbackQueue: .global(), completion: nil)
      return await way.hero(store)?.name
    }
    #expect(name == "R2-D2")
  }
}
