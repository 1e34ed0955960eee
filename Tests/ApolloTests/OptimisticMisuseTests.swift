@testable import Apollo
import Foundation
import StyledTests
import Testing

// By behaviour: urql's `cacheExchange` ("optimistic updates": refetches of what a guess hides), and Relay's "buggy
// updaters".

@Suite("What goes wrong with guesses, and what watchers make of them", .timeLimit(.minutes(5)))
struct OptimisticMisuseTests {
  typealias Style = OptimisticMutationTests.Style

  @Test(
    "A guess that throws is told, and the mutation is sent nevertheless", arguments: HeldServer.Way.allCases,
    Style.allCases)
  func guessFails(way: HeldServer.Way, style: Style) async throws {
    struct Failure: Error {}
    let (server, names, watcher) = try await OptimisticMutationTests.start(way), reports = Locked(0)
    server.client.store.onOptimisticFailure = { _, error in if error is Failure { reports.withLock { $0 += 1 } } }
    let running = OptimisticMutationTests.perform(style, server.client, guess: { _, _ in throw Failure() })
    try await server.answer("Rename", hero("result", field: "rename"))
    _ = try await running.task.value.get()
    #expect(reports.withLock { $0 } == 1)
    if way != .foreign { #expect(await names.next() == "result") }
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }

  @Test("A request in the body of a guess is an error that says so", arguments: Style.allCases)
  func requestInGuess(style: Style) async throws {
    let (server, _, watcher) = try await OptimisticMutationTests.start(.chain)
    let errors = Received<String>(), client = server.client
    try await client.store.applyOptimisticUpdate(id: "mine") { _ in
      switch style {
      case .callback:
        client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .global()) {
          if case .failure(let error) = $0 { errors.add("\(error)") }
        }
      case .waiting:
        Task {
          do {
            _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
          } catch {
            errors.add("\(error)")
          }
        }
      }
    }
    #expect(await errors.next()?.contains("optimistic update 'mine'") == true)
    #expect(server.waitingCount == 0)
    watcher.cancel()
  }

  @Test(
    "A watcher does not ask the server for what a guess hides", arguments: [HeldServer.Way.chain, .responseTransport])
  func hidden(way: HeldServer.Way) async throws {
    let server = HeldServer(way), names = Received<String?>(), client = server.client
    try await client.store.write(response: ResponseBytes(Array(hero().utf8)), for: HeroQuery())
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    #expect(await names.next() == "R2-D2")
    try await client.store.applyOptimisticUpdate(id: "a") { try $0.removeField("name", of: "Droid:2001") }
    #expect(await names.isQuiet(after: server.client))
    #expect(server.waitingCount == 0)
    try await client.store.revertOptimisticUpdate(id: "a")
    #expect(server.waitingCount == 0)
    // What is missing without the guess as well is asked for.
    try await client.store.withinReadWriteTransaction { try $0.removeField("name", of: "Droid:2001") }
    try await server.answer("Hero", hero("again"))
    #expect(await names.contains("again"))
    watcher.cancel()
  }

  @Test(
    "A watcher's own request does not show the data without the guess",
    arguments: [HeldServer.Way.chain, .responseTransport])
  func refetch(way: HeldServer.Way) async throws {
    let server = HeldServer(way), names = Received<String?>(), client = server.client
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      names.add((try? $0.get())?.data?.hero?.name)
    }
    try await server.answer("Hero", hero())
    #expect(await names.next() == "R2-D2")
    let running = OptimisticMutationTests.perform(.waiting, client)
    #expect(await names.next() == "guess")
    watcher.refetch()
    try await server.answer("Hero", hero("old"))
    #expect(await names.next() == "guess")
    try await server.answer("Rename", hero("result", field: "rename"))
    _ = try await running.task.value.get()
    #expect(await names.next() == "result")
    #expect(await names.isQuiet(after: server.client))
    watcher.cancel()
  }
}
