@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Observers of more than the memory may keep", .timeLimit(.minutes(10)))
struct LargeReadTests {
  private func observe(_ observer: ObserverID, in store: ApolloStore) async -> Int? {
    await withCheckedContinuation { done in
      store.observe(HeroQuery(), for: observer) { reading in
        done.resume(returning: (try? reading.data.get())?.hero?.friends?.count)
      }
    }
  }

  /// A store whose backend has a hero with 200 friends.
  private func store(over backend: TextCache) async throws -> ApolloStore {
    let text = String(repeating: "x", count: 60)
    let friends = (0..<200).map { #"{"__typename":"Human","id":"\#($0)","name":"\#(text)"}"# }
    let hero =
      #"{"hero":{"__typename":"Droid","id":"1","name":"a","size":null,"friends":[\#(friends.joined(separator: ","))]}}"#
    try await ApolloStore(cache: backend).write(response: bytes(hero), for: HeroQuery())
    return ApolloStore(cache: backend, memoryLimit: 5_000)
  }

  @Test("They are told of it and of its changes, and nothing is loaded any more when they are gone")
  func observer() async throws {
    let backend = TextCache(), store = try await store(over: backend)
    let changes = Locked(0)
    let observer = store.addObserver(ignoring: UUID()) { _ in changes.withLock { $0 += 1 } }
    #expect(await observe(observer, in: store) == 200)
    #expect(store.statistics.byteCount <= 6_000)
    try await store.publish(records: ["Human:7": ["name": "new"]])
    await store.waitUntilTold()
    #expect(changes.withLock { $0 } == 1)
    store.removeObserver(observer)
    let loads = backend.loads.count
    #expect(await observe(observer, in: store) == nil)
    #expect(backend.loads.count == loads)
  }

  @Test("What waits until they are told waits as well until they have read what has changed")
  func waiting() async throws {
    let store = try await store(over: TextCache()), counts = Locked<[Int?]>([]), known = Locked<ObserverID?>(nil)
    let observer = store.addObserver(ignoring: UUID()) { written in
      guard let observer = known.withLock({ $0 }) else { return }
      await written.observe(HeroQuery(), for: observer) { reading in
        let count = (try? reading.data.get())?.hero?.friends?.count
        counts.withLock { $0.append(count) }
      }
    }
    known.withLock { $0 = observer }
    #expect(await observe(observer, in: store) == 200)
    try await store.publish(records: ["Human:7": ["name": "new"]])
    await store.waitUntilTold()
    #expect(counts.withLock { $0 } == [200])
    store.removeObserver(observer)
  }
}
