import Apollo
import ApolloUI
import CHeap
import Foundation
import Observation
import People

/// Writes that one screen shows: to a handler on the main queue, to the state of a query, and to the state of a fragment
/// beside 999 others. Each waits until the screen has it, and the difference is what a state costs.
func states() -> [Benchmark] {
  let kinds: [(String, @MainActor (ApolloClient, @escaping @Sendable () -> Void) -> AnyObject)] = [
    (
      "a handler",
      { client, show in
        // (A screen is drawn later than it is told.)
        client.watch(query: SearchQuery(text: "0"), cachePolicy: .returnCacheDataDontFetch) { _ in
          Task { @MainActor in show() }
        }
      }
    ),
    ("a state", { client, show in Screen(QueryState(SearchQuery(text: "0"), client: client), show) { _ = $0.data } }),
    (
      "1000 states",
      { client, show in
        let states = (0..<1000).map {
          FragmentState(SearchQuery.Data.Search.self, withKey: "User:\($0)", client: client)
        }
        return Screen(states, show) { states in for state in states.prefix(1) { _ = state.data } }
      }
    ),
  ]
  return kinds.map { name, make in
    lazy var client = searchedClient(1, users: 1000)
    let shown = Shown(), rounds = Rounds()
    return Benchmark("100 writes, \(name) on a screen", 100 * 1000, isConcurrent: true) {
      waitOnMain { [client] in
        if shown.screen == nil {
          shown.screen = make(client) { [changes = shown.changes.continuation] in changes.yield() }
          try? await client.store.flush()
        }
        for _ in 0..<100 {
          await write("number \(rounds.next())", 0, to: client)
          var changes = shown.changes.stream.makeAsyncIterator()
          await changes.next()
        }
      }
    }
  }
}

/// Prints what states take that wait for changes, in bytes for each: their watchers, what they show, and what the store knows
/// of them.
@MainActor
func printHeapOfStates() async {
  let count = 2000, client = searchedClient(count)
  func measure<State>(_ name: String, _ make: (Int) -> State) async {
    // Once, for what is made once for the process.
    let first = make(0)
    try? await client.store.flush()
    let before = live_heap_bytes()
    let states = (0..<count).map(make)
    try? await client.store.flush()
    for _ in 0..<100 { await Task.yield() }
    let size = live_heap_bytes() &- before
    withExtendedLifetime((first, states)) {}
    print(String(format: "%.2f", Double(size) / Double(count)), name, size, separator: "\t")
  }
  await measure("an idle state of a query, one of many") { QueryState(SearchQuery(text: "\($0)"), client: client) }
  await measure("an idle state of a query, all of one") { _ in QueryState(SearchQuery(text: "0"), client: client) }
  await measure("an idle state of a fragment") { number in
    FragmentState(SearchQuery.Data.Search.self, withKey: "User:\(number)", client: client)
  }
}

/// A client whose cache has the answers to some searches, each of which has found one user, and other users.
private func searchedClient(_ count: Int, users: Int = 0) -> ApolloClient {
  let client = ApolloClient(url: URL(string: "http://localhost:1")!)
  wait {
    for number in 0..<count { await write("number 0", number, to: client) }
    var others = RecordSet()
    for number in count..<max(count, users) {
      others.insert(
        Record(key: "User:\(number)", ["__typename": "User", "id": .string("\(number)"), "name": "number 0"]))
    }
    try? await client.store.publish(records: others)
  }
  return client
}

private func write(_ name: String, _ number: Int, to client: ApolloClient) async {
  let user = #"{"__typename":"User","id":"\#(number)","name":"\#(name)"}"#
  let data = decode(SearchQuery.Data.self, Array(#"{"data":{"search":[\#(user)]}}"#.utf8))
  do {
    try await client.store.withinReadWriteTransaction {
      try await $0.write(data: data, for: SearchQuery(text: "\(number)"))
    }
  } catch { fatalError("\(error)") }
}

/// What is on the screen, from the first run of a case on.
@MainActor
private final class Shown {
  var screen: AnyObject?
  nonisolated let changes = AsyncStream<Void>.makeStream()

  nonisolated init() {}
}

/// Draws something anew whenever something changes that it reads, as SwiftUI does.
@MainActor
private final class Screen<State>: Sendable {
  private let state: State
  private let show: @Sendable () -> Void
  private let body: @MainActor (State) -> Void

  init(_ state: State, _ show: @escaping @Sendable () -> Void, _ body: @escaping @MainActor (State) -> Void) {
    self.state = state
    self.show = show
    self.body = body
    draw()
  }

  private func draw() {
    withObservationTracking {
      body(state)
    } onChange: { [weak self] in
      Task { @MainActor in
        self?.show()
        self?.draw()
      }
    }
  }
}

/// Runs asynchronous code on the main actor, and waits for its end while the main queue runs. (The run loop costs much, and as
/// much in each case.)
private func waitOnMain(_ body: @escaping @MainActor () async -> Void) {
  nonisolated(unsafe) var isDone = false
  Task { @MainActor in
    await body()
    isDone = true
  }
  // (It returns whenever something was run.)
  while !isDone { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
}
