@testable import Apollo
@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing

/// What one step of a program does; `first` and `second` say with what.
private struct Step: Sendable {
  enum Kind: CaseIterable {
    case watch, watchToo, refetch, refetchAll, fetch, changeServer, change, changeToo, mutate, guess, cancel, clear
    /// What becomes of the next request, and of one that is held.
    case decide, decideToo, release, releaseToo
  }

  let kind: Kind, first: Int, second: Int

  static func program(seed: UInt64, count: Int) -> [Step] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in
      let kind = Kind.allCases.randomElement(using: &random) ?? .watch
      return Step(kind: kind, first: Int(random.next() % 10_000), second: Int(random.next() % 10_000))
    }
  }
}

@Suite("Watchers in random programs", .timeLimit(.minutes(10))) struct WatcherProgramTests {
  @Test(
    "When all is quiet, a watcher shows what the cache has, or asks for what it lacks; in the end it has the server's",
    arguments: Effort.seeds(30))
  func random(seed: UInt64) async throws {
    let steps = Step.program(seed: seed, count: 40)
    guard await failure(of: steps) != nil else { return }
    // The steps without which it fails as well say nothing.
    var few = steps
    for step in steps.indices.reversed() {
      var fewer = few
      fewer.remove(at: step)
      if await failure(of: fewer) != nil { few = fewer }
    }
    let found = await failure(of: few) ?? "It does not fail again."
    Issue.record("seed \(seed): \(found)")
  }

  private func failure(of steps: [Step]) async -> String? {
    let program = Program()
    for step in steps {
      await program.run(step)
      if let failure = program.failure { return failure }
    }
    await program.end()
    return program.failure
  }
}

/// A client with watchers, and a server.
private final class Program: @unchecked Sendable {
  // Sendable: steps run one after the other; what is shown is under a lock.

  /// A watcher, and what it was told.
  private struct Watched {
    let number: Int, watcher: any ActiveQuery & Cancellable
    let asksOnMiss: Bool, asksServer: Bool
    let isAsking: () -> Bool, isPausing: () -> Bool, refetch: (CachePolicy) -> Void
    let cached: () async -> String?
    /// What the server would answer.
    let wanted: () -> String
  }

  /// What a watcher was told last.
  private struct Shown {
    var data: String?, isTold = false, hasFailed = false
    /// Whether it is an answer with errors of fields, which may not be what the cache has.
    var isUncertain = false
  }

  private let server = BookServer(), client: ApolloClient
  private let shown = Locked<[Int: Shown]>([:]), running = Locked(0)
  private var watched: [Watched] = [], count = 0, hasGuess = false
  private(set) var failure: String?

  init() {
    client = ApolloClient(networkTransport: server, store: ApolloStore())
    // (No program waits for the end of a pause.)
    client.activeQueries.clock = SleepFunction { _ in try await Task.sleep(for: .seconds(1_000_000)) }
  }

  private func note(_ text: String) { server.note(text) }

  private func fail(_ text: String) {
    if failure == nil { failure = "\(text), after\n\(server.log.joined(separator: "\n"))" }
  }

  // MARK: Steps

  func run(_ step: Step) async {
    let (first, second) = (step.first, step.second), id = BookServer.ids[second % 4], key = "Book:\(id)"
    let asking: [CachePolicy] = [
      .returnCacheDataElseFetch, .fetchIgnoringCacheData, .returnCacheDataAndFetch, .fetchIgnoringCacheData,
    ]
    switch step.kind {
    case .watch, .watchToo:
      guard watched.count < 5 else { return }
      let policy = (asking + [.returnCacheDataDontFetch])[first % 5]
      let refetch = [ApolloClient.WatchRefetchPolicy.onMiss, .always, .never][first / 5 % 3]
      switch second % 3 {
      case 0: watch(TitlesQuery(), policy, refetch)
      case 1: watch(PagesQuery(), policy, refetch)
      default: watch(BookQuery(id: BookServer.ids[second / 3 % 3]), policy, refetch)
      }
    case .refetch:
      guard let one = any(first) else { return }
      note("\(one.number) refetches")
      one.refetch(one.asksServer ? asking[second % 4] : .returnCacheDataDontFetch)
    case .refetchAll:
      note("all refetch")
      client.activeQueries.send([.watched])
    case .fetch:
      switch second % 3 {
      case 0: fetch(TitlesQuery(), asking[first % 4])
      case 1: fetch(PagesQuery(), asking[first % 4])
      default: fetch(BookQuery(id: BookServer.ids[second / 3 % 3]), asking[first % 4])
      }
    case .changeServer: note("the server changes: \(server.change(first % 5, id, BookServer.ids[second / 4 % 4]))")
    case .change, .changeToo: await change(first % 5, id, key)
    case .mutate: mutate(first % 4, id, key)
    case .guess: await guess(first % 2 == 0, key)
    case .cancel:
      guard let one = any(first) else { return }
      note("\(one.number) is cancelled")
      one.watcher.cancel()
      watched.removeAll { $0.number == one.number }
    case .clear:
      guard first % 3 == 0 else { return }
      note("all is cleared")
      try? await client.clearCache()
    case .decide, .decideToo:
      let fate = BookServer.Fate.allCases[first % BookServer.Fate.allCases.count]
      note("the next request: \(fate)")
      server.decide(fate)
    case .release, .releaseToo:
      note("a request goes on")
      server.release(first, fails: second % 5 == 0)
    }
    await settle()
    await check()
  }

  private func any(_ number: Int) -> Watched? { watched.isEmpty ? nil : watched[number % watched.count] }

  private func watch<Query: GraphQLQuery>(
    _ query: Query, _ policy: CachePolicy, _ refetchPolicy: ApolloClient.WatchRefetchPolicy
  ) {
    count += 1
    let number = count
    note("\(number) watches \(query), \(policy), \(refetchPolicy)")
    let watcher = client.watch(
      query: query, cachePolicy: policy, refetchPolicy: refetchPolicy, context: BookServer.Asker(number: number),
      callbackQueue: .callbacks
    ) { [shown, server] result in
      let value = try? result.get(), data = value?.data.map(Self.text)
      server.note("  \(number) shows \(data ?? "no data")")
      shown.withLock { all in
        var now = all[number] ?? Shown()
        (now.isTold, now.hasFailed) = (true, data == nil)
        let hasErrors = value?.errors?.isEmpty == false
        if data != nil { (now.data, now.isUncertain) = (data, hasErrors) }
        all[number] = now
      }
    }
    let state = watcher.state
    watched.append(
      Watched(
        number: number, watcher: watcher, asksOnMiss: policy != .returnCacheDataDontFetch && refetchPolicy != .never,
        asksServer: policy != .returnCacheDataDontFetch,
        isAsking: { state.withLock { $0.watch.request } != nil },
        isPausing: { state.withLock { if case .pausing = $0.watch.phase { true } else { false } } },
        refetch: { [weak watcher] in watcher?.refetch(cachePolicy: $0) },
        cached: { [client] in (try? await client.store.load(query)).map(Self.text) },
        wanted: { [server] in server.data(of: query) }))
  }

  private static func text(_ data: some SelectionSet) -> String {
    var writer = __JSONWriter()
    data.__write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func fetch<Query: GraphQLQuery>(_ query: Query, _ policy: CachePolicy) {
    note("\(query) is fetched, \(policy)")
    running.withLock { $0 += 1 }
    let results = client.results(of: query, cachePolicy: policy, context: BookServer.Asker(number: 0))
    Task { [running] in
      do { for try await _ in results {} } catch {}
      running.withLock { $0 -= 1 }
    }
  }

  private func change(_ kind: Int, _ id: String, _ key: CacheKey) async {
    let version = server.nextVersion()
    note("the app changes \(id): \(["title", "pages", "list", "removed", "removed field"][kind])")
    try? await client.store.withinReadWriteTransaction { transaction in
      switch kind {
      case 0: try transaction.updateObject(ofType: Titled.self, withKey: key) { $0.title = "\(version)" }
      case 1: try transaction.updateObject(ofType: Paged.self, withKey: key) { $0.pages = version }
      case 2: try transaction.update(query: TitlesQuery()) { data in data.books.removeAll { $0.id == id } }
      case 3: try transaction.removeObject(for: key)
      default: try transaction.removeField("pages", of: key)
      }
    }
  }

  private func mutate(_ kind: Int, _ id: String, _ key: CacheKey) {
    let removes = kind == 3
    note("a mutation changes \(id)\(kind > 0 ? ", with a guess" : "")\(removes ? ", and removes it" : "")")
    running.withLock { $0 += 1 }
    client.perform(
      mutation: ChangeMutation(id: id),
      optimisticUpdate: { transaction, _ in
        if removes { try transaction.removeObject(for: key) }
        guard kind == 1 || kind == 2 else { return }
        try transaction.updateObject(ofType: Titled.self, withKey: key) { $0.title += "?" }
      },
      update: { transaction, _ in if removes { try transaction.removeObject(for: key) } },
      refetchQueries: kind == 2 ? [.watched] : [], context: BookServer.Asker(number: 0), queue: .callbacks
    ) { [running] _ in running.withLock { $0 -= 1 } }
  }

  private func guess(_ removes: Bool, _ key: CacheKey) async {
    note(hasGuess ? "the guess is over" : "a guess of \(key)")
    hasGuess.toggle()
    guard hasGuess else { return (try? await client.store.revertOptimisticUpdate(id: "guess")) ?? () }
    try? await client.store.applyOptimisticUpdate(id: "guess") { transaction in
      if removes { return try transaction.removeField("pages", of: key) }
      try? transaction.updateObject(ofType: Titled.self, withKey: key) { $0.title += "!" }
    }
  }

  // MARK: Checks

  /// Waits until nothing happens any more, but for the requests that are held.
  private func settle() async {
    var quietCount = 0
    while quietCount < 2 {
      for _ in 0..<3 {
        await client.store.waitUntilTold()
        await DispatchQueue.callbacks.drain()
      }
      let held = server.held
      let isQuiet = watched.allSatisfy { !$0.isAsking() || held.contains($0.number) }
      quietCount = isQuiet && held.filter { $0 == 0 }.count == running.withLock { $0 } ? quietCount + 1 : 0
      await Task.yield()
    }
  }

  private func check() async {
    for one in watched {
      let cached = await one.cached(), shown = shown.withLock { $0[one.number] } ?? Shown()
      if let cached, let data = shown.data, data != cached, !shown.isUncertain {
        fail("\(one.number) shows \(data), and the cache has \(cached)")
      }
      let asks = one.isAsking() || one.isPausing() || !one.asksOnMiss
      // (What a guess hides is not asked for, nor what the server has just said to have an error.)
      let isToAsk = shown.isTold && !shown.hasFailed && !shown.isUncertain && !hasGuess && running.withLock { $0 } == 0
      if cached == nil, isToAsk, !asks { fail("\(one.number) lacks data, and does not ask") }
    }
  }

  /// Lets everything go on; then all ask, and have what the server has.
  func end() async {
    server.decide(.answered)
    while server.release(0, fails: false) { await settle() }
    if hasGuess { await guess(false, "") }
    await settle()
    await check()
    for one in watched where one.asksServer { one.refetch(.fetchIgnoringCacheData) }
    await settle()
    for one in watched where one.asksServer {
      let data = shown.withLock { $0[one.number]?.data } ?? "nothing"
      if data != one.wanted() { fail("\(one.number) shows \(data) in the end, and the server has \(one.wanted())") }
    }
    for one in watched { one.watcher.cancel() }
  }
}
