import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

/// A small one of `make soak`, which has more requests and counts memory and descriptors.
@Suite("Many requests at once", .timeLimit(.minutes(5)))
struct RequestSoakTests {
  @Test("Of 600 at once, with lost connections and cancelled ones, each call ends exactly once")
  func everyCallEndsOnce() async throws {
    let count = 600
    let calls = Locked([Int](repeating: 0, count: count))
    let results = Locked(0)
    let log = RequestLog()
    try await ScriptedServer.with { request in
      log.add(request).isMultiple(of: 20) ? [.close] : [.respond(hero())]
    } _: { server async throws in
      let client = client(server)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
          group.addTask {
            let task = Task {
              try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).data
            }
            if number % 20 == 7 { task.cancel() }
            if case .success(.some) = await task.result { results.withLock { $0 += 1 } }
            calls.withLock { $0[number] += 1 }
          }
        }
      }
      let callbacks = Locked([Int](repeating: 0, count: count))
      let isCancelled = { (number: Int) in number % 20 == 7 }
      for number in 0..<count {
        let running = client.fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .global()
        ) { _ in
          callbacks.withLock { $0[number] += 1 }
        }
        if isCancelled(number) { running.cancel() }
      }
      try await eventually { callbacks.withLock { !$0.enumerated().contains { $1 == 0 && !isCancelled($0) } } }
      // By the time that a later one is answered, a second call would have come.
      _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
      let wrong = callbacks.withLock { $0.enumerated().filter { isCancelled($0) ? $1 > 1 : $1 != 1 } }
      #expect(wrong.isEmpty)
    }
    #expect(calls.withLock { $0 }.allSatisfy { $0 == 1 })
    #expect(results.withLock { $0 } > count * 8 / 10)
  }
}
