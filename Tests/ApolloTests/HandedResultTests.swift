@testable import Apollo
import ApolloAPI
import Foundation
import StyledTests
import Testing
import Waiting

/// Runs the code of an actor, unless a test holds it.
private final class HeldExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "held")
  private let count = Locked(0)

  /// Whether something runs, or waits.
  var hasJobs: Bool { count.withLock { $0 } > 0 }

  func enqueue(_ job: UnownedJob) {
    count.withLock { $0 += 1 }
    queue.async {
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      self.count.withLock { $0 -= 1 }
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func hold() { queue.suspend() }

  func goOn() { queue.resume() }
}

/// Iterates results, as a screen does on the main actor.
private actor Reader {
  private let executor: HeldExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: HeldExecutor) { self.executor = executor }

  /// Tells when it begins, of each result, and how it ends.
  func read<Results: AsyncSequence & Sendable>(
    _ results: Results, _ given: Received<String>, _ text: @Sendable (Results.Element) -> String?
  ) async {
    given.add("begins")
    do {
      for try await result in results { given.add(text(result) ?? "nil") }
      given.add("ends")
    } catch {
      given.add((error as? any ApolloError)?.code.description ?? "\(error)")
    }
  }
}

@Suite("Results that are given to an actor while it is busy", .everyStyle, .timeLimit(.minutes(5)))
struct HandedResultTests {
  enum Asking: CaseIterable, Sendable { case watched, results, events }

  @Test("None of the former user comes after a sign-out", arguments: Asking.allCases)
  func signOut(asking: Asking) async throws {
    let server = HeldServer(.chain), client = server.client, given = Received<String>()
    let executor = HeldExecutor(), reader = Reader(executor)
    let task = Task {
      switch asking {
      case .watched: await reader.read(client.watch(query: HeroQuery()), given) { $0.data?.hero?.name }
      case .results:
        await reader.read(client.results(of: HeroQuery(), cachePolicy: .fetchIgnoringCacheData), given) {
          $0.data?.hero?.name
        }
      case .events:
        await reader.read(client.subscribe(to: CountSubscription()), given) { $0.data.map { "\($0.count)" } }
      }
    }
    #expect(await given.next() == "begins")
    let request = try await server.request(asking == .events ? "Count" : "Hero")
    try await eventually("it waits for a result") { !executor.hasJobs }
    executor.hold()
    do {
      defer { executor.goOn() }
      request.resume(returning: asking == .events ? #"{"data":{"count":7}}"# : hero("old"))
      try await eventually("the result waits for the actor") { executor.hasJobs }
      try await client.signOut()
    }
    #expect(await given.next() == "signedOut")
    await task.value
    #expect(given.count == 0)
  }

  @Test("None of the former query comes after another one was set")
  func setQuery() async throws {
    let server = HeldServer(.chain), client = server.client, given = Received<String>()
    let executor = HeldExecutor(), reader = Reader(executor)
    let watched = client.watch(query: HeroQuery())
    let task = Task { await reader.read(watched, given) { $0.data?.hero?.name } }
    #expect(await given.next() == "begins")
    let request = try await server.request("Hero")
    try await eventually("it waits for a result") { !executor.hasJobs }
    executor.hold()
    do {
      defer { executor.goOn() }
      request.resume(returning: hero("old"))
      try await eventually("the result waits for the actor") { executor.hasJobs }
      watched.setQuery(HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    }
    try await server.answer("Hero", hero("new"))
    #expect(await given.next() == "new")
    watched.cancel()
    await task.value
    #expect(await given.next() == "ends")
    #expect(given.count == 0)
  }
}
