@testable import Apollo
@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloPagination
import Fixture0041
import Foundation
import ResponseStyles
import StyledTests
import Testing

/// What one step of a program does; the numbers say with what.
private struct Step: Sendable {
  enum Kind: CaseIterable {
    case load, loadToo, refetch, all, begin, held, heldToo, change, changeToo, fail
  }

  let kind: Kind, pager: Int, first: Int, second: Int

  static func program(seed: UInt64, count: Int) -> [Step] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in
      let kind = Kind.allCases.randomElement(using: &random) ?? .load
      func number() -> Int { Int(random.next() % 10_000) }
      return Step(kind: kind, pager: number(), first: number(), second: number())
    }
  }
}

@Suite("Pagers in random programs", .timeLimit(.minutes(10))) struct PagerProgramTests {
  @Test(
    "Whatever changes on the server and in the cache: each element is there once, in its order, and none is lost",
    arguments: Mode.allCases, [Kind.forward, .reverse, .twoQueries, .bidirectional])
  func random(mode: Mode, kind: Kind) async throws {
    for seed in Effort.seeds(2) {
      let steps = Step.program(seed: seed, count: 40)
      guard await failure(of: steps, mode, kind) != nil else { continue }
      // The steps without which it fails as well say nothing.
      var few = steps
      for step in steps.indices.reversed() {
        var fewer = few
        fewer.remove(at: step)
        if await failure(of: fewer, mode, kind) != nil { few = fewer }
      }
      let found = await failure(of: few, mode, kind) ?? "It does not fail again."
      Issue.record("seed \(seed): \(found)")
      return
    }
  }

  private func failure(of steps: [Step], _ mode: Mode, _ kind: Kind) async -> String? {
    let program = Program(mode, kind)
    await program.begin()
    for step in steps {
      await program.run(step)
      if let failure = program.failure { return failure }
    }
    await program.end()
    return program.failure
  }
}

/// Answers as a server does that finds pages by the place of a cursor, also if its element is gone.
private final class KeysetServer: ResponseTransport {
  private struct State {
    /// The names, by the keys.
    var friends: [String: String]
    var version = 0
    var log: [String] = []
    var next: FriendsServer.Action?
  }

  private let state: Locked<State>

  init(_ keys: [String]) {
    state = Locked(State(friends: Dictionary(uniqueKeysWithValues: keys.map { ($0, $0 + "0") })))
  }

  var keys: [String] { state.withLock { $0.friends.keys.sorted() } }
  var names: [String] { state.withLock { state in state.friends.sorted { $0.key < $1.key }.map(\.value) } }
  var log: [String] { state.withLock { $0.log } }
  func note(_ text: String) { state.withLock { $0.log.append(text) } }
  func onNext(_ action: FriendsServer.Action?) { state.withLock { $0.next = action } }

  /// Adds an element, or gives it another name.
  func put(_ key: String) {
    state.withLock { state in
      state.version += 1
      state.friends[key] = "\(key)\(state.version)"
    }
  }
  func remove(_ key: String) { state.withLock { $0.friends[key] = nil } }

  func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws {
    let values = try JSONSerialization.jsonObject(with: Data(request.operation.variables.json)) as? [String: Any] ?? [:]
    let isFirst = Operation.operationName.hasPrefix("First")
    let (answer, action) = state.withLock { state in
      defer { state.next = nil }
      let (body, names) = Self.page(isFirst ? ["first": 2] : values, of: state.friends)
      state.log.append("  request \(values.filter { $0.key != "id" }.sorted { $0.key < $1.key }): \(names)")
      return (body, state.next)
    }
    switch action {
    case .fail: throw FriendsServer.Failure()
    case .answer(let body): return try await receive(TransportResponse(Data(body.utf8)))
    case .hold(let hold):
      hold.hasCome.fire()
      await withTaskCancellationHandler {
        await hold.mayGo.wait()
      } onCancel: {
        hold.mayGo.fire()
      }
      try Task.checkCancellation()
    case .answerWithoutStoring, nil: break
    }
    try await receive(TransportResponse(Data(answer.utf8)))
  }

  private static func page(_ values: [String: Any], of friends: [String: String]) -> (body: String, names: [String]) {
    func key(_ name: String) -> String? { (values[name] as? String).map { String($0.dropFirst(2)) } }
    func number(_ name: String) -> Int { (values[name] as? NSNumber)?.intValue ?? .max }
    let all = friends.keys.sorted(), after = key("after"), before = key("before")
    var page = all.filter { $0 > after ?? "" && $0 < before ?? "~" }
    page = Array(page.prefix(number("first")).suffix(number("last")))
    let names = page.compactMap { friends[$0] }
    let nodes = zip(page, names).map { #"{"__typename":"Character","id":"\#($0)","name":"\#($1)"}"# }
    let hasPrevious = page.first.map { $0 != all.first } ?? (after != nil)
    let hasNext = page.last.map { $0 != all.last } ?? (before != nil)
    let connection = FriendsServer.connection(
      nodes.joined(separator: ","), page, previous: hasPrevious, next: hasNext, all.count)
    return (FriendsServer.hero(#""friends":\#(connection)"#), names)
  }
}

/// A client with two pagers of one list, and what a plain set says of it. The second pager takes what the cache has.
private final class Program: @unchecked Sendable {
  // Sendable: steps run one after the other, and what a call does while it is held is the pager's.

  private static let friends = ["F", "H", "J", "L", "M", "P", "R", "T", "V"]

  private let mode: Mode, kind: Kind, server = KeysetServer(Program.friends), client: ApolloClient
  private var pagers: [(pager: TestBed.Pager, outputs: Recorder<Result<Summary, any Error>>)] = []
  /// The elements that were not in the list all the time.
  private var changing: Set<String> = []
  private var hasGuess = false
  private(set) var failure: String?

  init(_ mode: Mode, _ kind: Kind) {
    (self.mode, self.kind) = (mode, kind)
    client = ApolloClient(networkTransport: server, store: ApolloStore())
  }

  private func fail(_ text: String) {
    if failure == nil { failure = "\(text), \(kind), \(mode), after\n\(server.log.joined(separator: "\n"))" }
  }

  private func addPager() async {
    let pager = TestBed.pager(mode, kind, client), outputs = Recorder<Result<Summary, any Error>>()
    let number = pagers.count
    pager.subscribe(onUpdate: { [server] output in
      server.note("  pager \(number) shows \((try? output.get())?.names ?? ["an error"])")
      outputs.add(output)
    })
    pagers.append((pager, outputs))
    await pager.fetch()
  }

  /// What a pager shows.
  private func last(_ number: Int) -> Summary? { pagers[number].outputs.values.compactMap { try? $0.get() }.last }

  // MARK: Steps

  func begin() async {
    for _ in 0..<2 { await addPager() }
    await settle()
  }

  private enum Call { case next, nextOfCache, previous, refetch, refetchOfCache, all, begin }

  private func call(_ call: Call, _ number: Int) async {
    let pager = pagers[number].pager
    server.note("pager \(number): \(call)")
    do {
      switch call {
      case .next: try await pager.loadNext()
      case .nextOfCache: try await pager.loadNext(cachePolicy: .returnCacheDataElseFetch)
      case .refetchOfCache: await pager.refetch(cachePolicy: .returnCacheDataElseFetch)
      case .previous: try await pager.loadPrevious()
      case .refetch: await pager.refetch()
      case .all: try await pager.loadAll()
      case .begin:
        await pager.reset()
        await pager.fetch()
      }
    } catch {
      if "\(error)" == "\(PaginationError.repeatedPage)" { fail("pager \(number) says that its page is repeated") }
    }
  }

  func run(_ step: Step) async {
    let number = step.pager % pagers.count
    switch step.kind {
    case .load, .loadToo:
      await call(step.first % 3 == 0 ? .previous : number == 1 ? .nextOfCache : .next, number)
    case .refetch: await call(number == 1 ? .refetchOfCache : .refetch, number)
    case .all: await call(.all, number)
    case .begin: await call(.begin, number)
    case .held, .heldToo: await hold([Call.next, .previous, .refetch, .next, .all][step.first % 5], number, step)
    case .change, .changeToo: await change(step)
    case .fail:
      server.note("the next request fails")
      server.onNext(step.first % 2 == 0 ? .fail : .answer(FriendsServer.errorsOnly))
    }
    await settle()
    check()
  }

  /// A call that waits for the server while something else happens.
  private func hold(_ held: Call, _ number: Int, _ step: Step) async {
    let hold = FriendsServer.Hold()
    server.onNext(.hold(hold))
    let task = Task { [self] in
      await call(held, number)
      hold.hasCome.fire()
    }
    await hold.hasCome.wait()
    server.onNext(nil)
    server.note("meanwhile")
    await change(step)
    // (A call of the same pager for the same page would wait for the one that is held.)
    let other = pagers.count - 1 - number
    if step.second % 3 == 0 { await call(other == number || step.second % 2 == 0 ? .refetch : .next, other) }
    server.note("it goes on")
    hold.mayGo.fire()
    await task.value
  }

  private func change(_ step: Step) async {
    let keys = server.keys, shown = (last(0)?.names ?? []).map { String($0.prefix(1)) }
    let some = keys[step.first % keys.count], one = shown.isEmpty ? some : shown[step.first % shown.count]
    switch step.second % 10 {
    case 0, 1:
      let new = String(UnicodeScalar(UInt8(70 + step.first % 17)))
      if !keys.contains(new) { changing.insert(new) }
      server.note("the server has a new \(new)")
      server.put(new)
    case 2, 3:
      guard keys.count > 4 else { return }
      server.note("the server removes \(some)")
      changing.insert(some)
      server.remove(some)
    case 4:
      server.note("the app renames \(one)")
      try? await client.store.withinReadWriteTransaction { transaction in
        try await transaction.updateObject(ofType: FriendsPage.Node.self, withKey: "Character:\(one)") {
          $0.name = one + "*"
        }
      }
    case 5:
      server.note("the app removes \(one)")
      changing.insert(one)
      try? await client.store.withinReadWriteTransaction { try $0.removeObject(for: "Character:\(one)") }
    case 6:
      server.note("all is cleared")
      try? await client.clearCache()
    case 7:
      server.note("all that are watched are asked for")
      for sent in client.activeQueries.send([.watched]) { _ = await sent.request?.value }
    default: await guess(step.second % 10 == 8, one)
    }
  }

  private func guess(_ removes: Bool, _ key: String) async {
    server.note(hasGuess ? "the guess is over" : "a guess of \(key)")
    hasGuess.toggle()
    guard hasGuess else { return (try? await client.store.revertOptimisticUpdate(id: "guess")) ?? () }
    try? await client.store.applyOptimisticUpdate(id: "guess") { transaction in
      if removes { return try transaction.removeObject(for: "Character:\(key)") }
      try? transaction.updateObject(ofType: FriendsPage.Node.self, withKey: "Character:\(key)") { $0.name += "?" }
    }
  }

  // MARK: Checks

  /// Waits until nothing happens any more.
  private func settle() async {
    for _ in 0..<3 {
      await client.store.waitUntilTold()
      await client.activeQueries.waitUntilAnswered()
      for (pager, _) in pagers { await pager.hub.flush() }
    }
  }

  private func check() {
    for number in pagers.indices {
      guard let shown = last(number) else { continue }
      let keys = shown.names.map { String($0.prefix(1)) }
      if keys != Set(keys).sorted() { fail("pager \(number) shows \(shown.names)") }
      guard let start = keys.first, let end = keys.last, !hasGuess else { continue }
      let isWhole = kind == .forward || kind == .twoQueries
      let lost = Self.friends.filter {
        (isWhole || $0 > start) && $0 < end && !changing.contains($0) && !keys.contains($0)
      }
      if !lost.isEmpty { fail("pager \(number) has lost \(lost)") }
      if mode == .list, shown.previous.count + shown.next.count > 0, shown.errors.isEmpty {
        fail("pager \(number) shows pages beside the list")
      }
    }
  }

  /// Loads all pages anew: then the list is that of the server.
  func end() async {
    server.onNext(nil)
    if hasGuess { await guess(false, "") }
    for number in pagers.indices where failure == nil {
      await call(.refetch, number)
      for (direction, name) in [(PaginationDirection.next, Call.next), (.previous, .previous)] {
        var count = 0
        while pagers[number].pager.canLoad(direction), count < 20 {
          await call(name, number)
          count += 1
        }
      }
      await settle()
      check()
      // (A first page in the middle of a list leaves what is before it.)
      guard mode == .apart || kind != .bidirectional else { continue }
      let shown = last(number)?.names ?? []
      if shown != server.names { fail("pager \(number) shows \(shown) in the end, the server has \(server.names)") }
    }
  }
}

extension TestBed.Pager {
  fileprivate func canLoad(_ direction: PaginationDirection) -> Bool {
    direction == .next ? canLoadNext : canLoadPrevious
  }
}
