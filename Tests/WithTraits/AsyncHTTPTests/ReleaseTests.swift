import Apollo
import ApolloAsyncHTTP
import Foundation
import ScriptedServer
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What holds all threads that tasks share, in a process of its own.
private final class FullPool: @unchecked Sendable {
  // Sendable: the variables are touched while the condition is locked only.
  private let condition = NSCondition()
  private var heldCount = 0
  private var isOpen = false

  /// Returns when each of the threads is held. It is called on a thread of its own.
  func fill() {
    let count = ProcessInfo.processInfo.activeProcessorCount
    for _ in 0..<count { Task.detached { self.hold() } }
    condition.withLock { while heldCount < count { condition.wait() } }
  }

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  private func hold() {
    condition.withLock {
      heldCount += 1
      condition.broadcast()
      while !isOpen { condition.wait() }
    }
  }
}

/// AsyncHTTPClient stops the process of a client that is released before it was shut down, so each of these tests is a
/// process of its own.
@Suite("A session's own client is shut down, wherever it is released", .timeLimit(.minutes(5)))
struct ReleaseTests {
  /// How the requests end that are under way.
  private enum Ending: CaseIterable { case cancelled, answered, brokenOff, invalidated }

  @Test("The owner goes while requests run and no thread is free")
  func ownerGoes() async {
    await #expect(processExitsWith: .success) {
      for ending in Ending.allCases {
        for isFull in [false, true] {
          for _ in 0..<10 { try await ReleaseTests.release(ending, isFull) }
        }
      }
    }
  }

  @Test("The owner goes before any request, and after the last")
  func idle() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<100 { _ = AsyncHTTPSession() }
      try await ScriptedServer.with { _ in
        [.respond("a")]
      } _: { server async throws in
        for _ in 0..<100 {
          let body = try await AsyncHTTPSession().body(of: URLRequest(url: URL(string: server.address)!))
          precondition(body == "a")
        }
        try await server.until(connectionCount: 0)
      }
    }
  }

  private static func release(_ ending: Ending, _ isFull: Bool) async throws {
    let gate = ScriptedServer.Gate(), begun = Event(), results = Event()
    try await ScriptedServer.with { _ in
      let end: [ScriptedServer.Step] = ending == .brokenOff ? [.close] : [.write(hero()), .close]
      return [.begin(contentType: "application/json"), .tell(begun), .wait(gate)] + end
    } _: { server async throws in
      weak var released: AsyncHTTPSession?
      let owner = Locked<(client: ApolloClient, session: AsyncHTTPSession)?>(nil)
      do {
        let session = AsyncHTTPSession()
        var configuration = ApolloClient.Configuration(url: URL(string: server.address)!)
        configuration.http.session = session
        released = session
        let client = ApolloClient(configuration: configuration)
        owner.withLock { $0 = (client, session) }
      }
      let running = Locked<[any Cancellable]>([])
      for _ in 0..<8 {
        let request = owner.withLock { $0 }!.client.fetch(
          query: HeroQuery(), cachePolicy: .fetchIgnoringCacheCompletely, queue: .global()
        ) { _ in results.happen() }
        running.withLock { $0.append(request) }
      }
      try await begun.wait(for: 8)
      try await onOwnThread {
        let pool = FullPool()
        if isFull { pool.fill() }
        if ending == .cancelled { running.withLock { for request in $0 { request.cancel() } } }
        if ending == .invalidated { owner.withLock { $0 }?.session.invalidate() }
        gate.open()
        owner.withLock { $0 = nil }
        pool.open()
      }
      if ending != .cancelled { try await results.wait(for: 8) }
      try await eventually { released == nil }
      try await server.until(connectionCount: 0)
    }
  }
}
