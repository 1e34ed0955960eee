import Apollo
import ApolloMocks
import ApolloTestSupport
import Foundation
import Testing

@testable import ApolloUI

/// What the property wrappers do when a view is made, and made again. What they are named after: GRDBQuery's `Query`, and the
/// lessons of swift-sharing.
@MainActor @Suite("The query of a view", .timeLimit(.minutes(10)))
struct SlotTests {
  let screen = Screen()

  private func request(
    _ source: QuerySource<HeroQuery>, isSkipped: Bool = false, _ configuration: RequestConfiguration? = nil
  ) -> QuerySlot<HeroQuery>.Request {
    .init(
      source: source,
      options: WatchOptions(
        cachePolicy: CachePolicy.default, requestConfiguration: configuration, refetchPolicy: .onMiss),
      placeholder: nil, isSkipped: isSkipped, grace: .seconds(30))
  }

  private func update(
    _ slot: QuerySlot<HeroQuery>, _ source: QuerySource<HeroQuery>, isSkipped: Bool = false, isVisible: Bool = true,
    _ configuration: RequestConfiguration? = nil
  ) -> QueryState<HeroQuery> {
    slot.update(request(source, isSkipped: isSkipped, configuration), client: screen.client, isVisible: isVisible)
  }

  @Test("A view that is made a thousand times has one state, one watcher and one request")
  func remade() async throws {
    let slot = QuerySlot<HeroQuery>(), state = update(slot, .constant(HeroQuery())), watch = state.watch
    // (SwiftUI makes a slot with each value of a view, and keeps the first one.)
    for _ in 0..<1000 {
      _ = QuerySlot<HeroQuery>()
      #expect(update(slot, .constant(HeroQuery())) === state)
    }
    try await settle(screen.client)
    #expect(state.watch === watch && screen.requestCount == 1)
  }

  @Test("constant: the query of each new value of the view counts")
  func constant() {
    let slot = QuerySlot<HeroQuery>(), state = update(slot, .constant(HeroQuery()))
    _ = update(slot, .constant(HeroQuery(episode: "JEDI")))
    #expect(state.query == HeroQuery(episode: "JEDI"))
    state.query = HeroQuery(episode: "EMPIRE")
    _ = update(slot, .constant(HeroQuery(episode: "JEDI")))
    #expect(state.query == HeroQuery(episode: "JEDI"))
  }

  @Test("initial: later values of the view do not count, and what the view sets stays")
  func initial() {
    let slot = QuerySlot<HeroQuery>(), state = update(slot, .initial(HeroQuery()))
    _ = update(slot, .initial(HeroQuery(episode: "JEDI")))
    #expect(state.query == HeroQuery())
    state.query.episode = "EMPIRE"
    _ = update(slot, .initial(HeroQuery()))
    #expect(state.query == HeroQuery(episode: "EMPIRE"))
  }

  @Test("binding: both ways, and nothing is told that is known")
  func binding() {
    var value = HeroQuery(), sets: [HeroQuery] = []
    let source = QuerySource<HeroQuery>.binding(
      get: { value },
      set: {
        value = $0
        sets.append($0)
      })
    let slot = QuerySlot<HeroQuery>(), state = update(slot, source)
    value = HeroQuery(episode: "JEDI")
    _ = update(slot, source)
    #expect(state.query == value && sets.isEmpty)
    state.query.episode = "EMPIRE"
    _ = update(slot, source)
    #expect(value == HeroQuery(episode: "EMPIRE") && sets == [value] && state.query == value)
  }

  @Test("Without a client the state says what to do; with one it begins, and with another it begins anew")
  func clients() async throws {
    let slot = QuerySlot<HeroQuery>(), request = request(.initial(HeroQuery()))
    let none = slot.update(request, client: nil, isVisible: true)
    #expect(none.phase.text == "failed" && "\(none.error!)".contains(".apolloClient(client)"))
    #expect(slot.update(request, client: nil, isVisible: true) === none)
    try await screen.write("R2-D2")
    let first = slot.update(request, client: screen.client, isVisible: true)
    #expect(first.text == "R2-D2 complete idle" && slot.state === first)
    first.query.episode = "JEDI"
    let other = Screen(), second = slot.update(request, client: other.client, isVisible: true)
    #expect(second.text == "loading empty fetching" && second.query.episode == "JEDI")
  }

  @Test("Skipped as the view says; what was set by hand stays until the view says something else")
  func skipped() {
    let slot = QuerySlot<HeroQuery>(), state = update(slot, .constant(HeroQuery()), isSkipped: true)
    #expect(state.text == "none empty idle")
    state.isSkipped = false
    _ = update(slot, .constant(HeroQuery()), isSkipped: true)
    #expect(state.text == "loading empty fetching")
    _ = update(slot, .constant(HeroQuery()), isSkipped: false)
    _ = update(slot, .constant(HeroQuery()), isSkipped: true)
    #expect(state.text == "none empty idle")
  }

  @Test("A query that the view skips, or hides, is not sent, although it is another one")
  func skippedChange() async throws {
    let slot = QuerySlot<HeroQuery>(), state = update(slot, .constant(HeroQuery()))
    _ = try await screen.transport.next()
    _ = update(slot, .constant(HeroQuery(episode: "")), isSkipped: true)
    _ = update(slot, .constant(HeroQuery(episode: "JEDI")), isSkipped: false)
    let request = try await screen.transport.next()
    #expect(request.variables == ["episode": "JEDI"] && screen.requestCount == 2 && state.fetchStatus == .fetching)
  }

  @Test("onAppear: until the view appears there is what memory has, and no request; then it begins")
  func appearing() async throws {
    let slot = QuerySlot<HeroQuery>(), state = update(slot, .constant(HeroQuery()), isVisible: false)
    #expect(state.text == "waiting empty paused" && state.watch == nil)
    _ = update(slot, .constant(HeroQuery(episode: "JEDI")), isVisible: false)
    try await settle(screen.client)
    #expect(state.text == "waiting empty paused" && screen.requestCount == 0)
    _ = update(slot, .constant(HeroQuery(episode: "JEDI")), isVisible: true)
    #expect(state.text == "loading empty fetching")
    try await screen.answer(hero("Luke"))
    await until { state.data != nil }
    #expect(state.text == "Luke complete idle")
    try await screen.write("R2-D2")
    let other = QuerySlot<HeroQuery>()
    #expect(update(other, .constant(HeroQuery()), isVisible: false).text == "R2-D2 complete idle")
  }

  @Test("Asked for in another way: subscriptions go on, and what the view has set itself stays")
  func otherWay() async throws {
    try await screen.write("R2-D2")
    let slot = QuerySlot<HeroQuery>()
    let first = update(slot, .constant(HeroQuery()), isSkipped: true, RequestConfiguration(headers: ["a": "1"]))
    first.isSkipped = false
    first.pollInterval = 0
    first.subscribeToMore(RenamedSubscription())
    _ = try await screen.transport.next()
    let second = update(slot, .constant(HeroQuery()), isSkipped: true, RequestConfiguration(headers: ["a": "2"]))
    #expect(second !== first && second.text == "R2-D2 complete idle" && second.pollInterval == 0)
    #expect(first.listeners.isEmpty && first.subscriptions.isEmpty)
    let request = try await screen.transport.next(), (texts, events) = AsyncStream<String>.makeStream()
    request.resolve(.parts(texts))
    events.yield(#"{"data":{"renamed":{"__typename":"Droid","id":"1","name":"Artoo"}}}"#)
    await until { second.data?.hero?.name == "Artoo" }
    events.finish()
    await until { second.listeners.values.allSatisfy(\.isEnded) }
  }

  @Test("Asked for in another way: the data of the query before is still there, and another query has no subscriptions")
  func otherWayAndQuery() async throws {
    try await screen.write("R2-D2")
    let slot = QuerySlot<HeroQuery>(), first = update(slot, .constant(HeroQuery()))
    first.query.episode = "JEDI"
    first.subscribeToMore(RenamedSubscription())
    let headers = RequestConfiguration(headers: ["a": "1"])
    let second = update(slot, .constant(HeroQuery(episode: "EMPIRE")), headers)
    #expect(second.data == nil && second.previousData?.hero?.name == "R2-D2" && second.listeners.isEmpty)
  }

  @Test("Other events are another way; of closures only counts that they are there")
  func otherEvents() {
    typealias Condition = RequestConfiguration.RefetchCondition
    let slot = QuerySlot<HeroQuery>()
    func update(_ condition: Condition?) -> QueryState<HeroQuery> {
      self.update(slot, .constant(HeroQuery()), RequestConfiguration(refetchesOn: condition))
    }
    let conditions: [Condition?] = [
      [.foreground], [.foreground, .networkRestored], .always, .when { _ in true }, .never, nil,
    ]
    for condition in conditions {
      let before = slot.state, state = update(condition)
      #expect(state !== before)
      #expect(update(condition) === state)
    }
    #expect(update(.when { _ in true }) === update(.when { _ in false }))
  }

  @Test("A fragment follows the key of its view")
  func fragment() async throws {
    try await screen.write("R2-D2")
    try await screen.write("Luke", id: "2", HeroQuery(episode: "JEDI"))
    let slot = FragmentSlot<Character>(), state = slot.update("Droid:1", .none, client: screen.client)
    #expect(state.data?.name == "R2-D2")
    #expect(slot.update("Droid:2", .none, client: screen.client) === state && state.data?.name == "Luke")
    try await screen.write("R2-D2 too")
    try await screen.write("Luke too", id: "2", HeroQuery(episode: "JEDI"))
    await until { state.data?.name == "Luke too" }
    #expect(slot.update("Droid:2", Variables(["size": 1]), client: screen.client) !== state)
    #expect(slot.update("Droid:2", .none, client: nil).data == nil)
  }
}
