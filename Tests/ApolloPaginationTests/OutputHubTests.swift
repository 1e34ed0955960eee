import Apollo
import ApolloAPI
import ApolloConcurrency
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing

@Suite("What is kept and made of outputs", .timeLimit(.minutes(5))) struct OutputHubTests {
  @Test("A later subscriber is given the pages, and then the failure; after a sign-out it is given nothing")
  func replay() async throws {
    let bed = TestBed(.apart)
    await bed.fetch()
    bed.server.on(1, .fail)
    try await bed.loadNext()
    let late = Recorder<[String]?>()
    bed.pager.subscribe(onUpdate: { late.add(try? $0.get().names) })
    await late.wait(for: 2)
    #expect(late.values == [["Luke", "Han"], nil])
    #expect(bed.pager.hasPages && bed.pager.pages?.names == ["Luke", "Han"])
    try await bed.client.signOut()
    #expect(!bed.pager.hasPages && bed.pager.pages == nil)
    await bed.settle()
    let next = Recorder<Int>()
    bed.pager.subscribe(onUpdate: { _ in next.add(1) })
    await bed.settle()
    #expect(next.values.isEmpty)
  }

  @Test("A first page without data is not a page that is kept")
  func withoutData() async {
    let bed = TestBed(.apart)
    bed.server.on(0, .answer(FriendsServer.errorsOnly))
    await bed.fetch()
    #expect(!bed.pager.hasPages && bed.pager.pages == nil)
    let late = Recorder<[String]?>()
    bed.pager.subscribe(onUpdate: { late.add(try? $0.get().errors) })
    await late.wait(for: 1)
    #expect(late.values == [["no"]])
  }

  @Test(
    "The model of a change that another one has followed is not made, unless all outputs are wanted",
    arguments: [false, true])
  func skippedChanges(wantsAll: Bool) async {
    let hub = OutputHub<Int>(queue: DispatchQueue(label: "test"))
    let made = Recorder<Int>(), given = Recorder<Int>()
    _ = hub.add(.init(receive: { given.add((try? $0.output.value.get()) ?? 0) }, wantsAll: wantsAll))
    // While this one is made, the others come.
    hub.send(PageFacts(hasData: true), ifCurrent: { true }) {
      for number in 2...4 {
        hub.send(PageFacts(hasData: true, isChange: true), ifCurrent: { true }) {
          made.add(number)
          return Handoff(.success(number))
        }
      }
      made.add(1)
      return Handoff(.success(1))
    }
    await given.wait(for: wantsAll ? 4 : 2)
    #expect(made.values == (wantsAll ? [1, 2, 3, 4] : [1, 4]) && given.values == made.values)
  }

  @Test("Of changes that wait for the main actor, the last one is given; all else is given in its order")
  func inbox() {
    let inbox = OutputInbox<Int>()
    let change = PageFacts(hasData: true, isChange: true)
    let load = PageFacts(load: (id: 1, direction: .next), hasData: true)
    func add(_ output: Result<Int, any Error>, _ facts: PageFacts) -> Bool {
      inbox.add(.init(output: Handoff(output), facts: facts))
    }
    #expect(add(.success(1), change))
    #expect(!add(.success(2), change))
    #expect(!add(.success(3), load))
    #expect(!add(.success(4), change))
    #expect(!add(.failure(FriendsServer.Failure()), PageFacts()))
    #expect(!add(.success(5), change))
    #expect(!add(.success(6), change))
    #expect(inbox.takeAll().map { try? $0.output.value.get() } == [2, 3, 4, nil, 6])
    #expect(inbox.takeAll().isEmpty && add(.success(7), change))
  }

  @Test(
    "A subscriber that goes with its subscription, or with the pager, may end another one", arguments: [false, true])
  func released(withPager: Bool) async {
    final class Presenter: @unchecked Sendable {
      // The test sets it before anything else uses it.
      var subscription: OutputSubscription?
      deinit { subscription?.cancel() }
    }
    let hub = OutputHub<Int>(queue: DispatchQueue(label: "test"))
    func subscribe() -> OutputSubscription {
      let presenter = Presenter()
      presenter.subscription = hub.add(.init(receive: { _ in }))
      return hub.add(.init(receive: { _ in withExtendedLifetime(presenter) {} }))
    }
    let subscription = subscribe()
    // (So that the subscribers have got to their places.)
    await hub.flush()
    if withPager { hub.finish() } else { subscription.cancel() }
    #expect(!hub.hasPages)
  }

  @Test("A model may use the pager when another one takes its place, and when it is forgotten")
  func releasedModels() async {
    final class Model: Sendable {
      private let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    let hub = OutputHub<Model>(queue: DispatchQueue(label: "test")), ended = Recorder<Bool>()
    for _ in 1...2 {
      hub.send(PageFacts(hasData: true), ifCurrent: { true }) {
        Handoff(.success(Model { [weak hub] in ended.add(hub?.hasPages ?? false) }))
      }
    }
    await ended.wait(for: 1)
    await hub.flush()
    hub.forget()
    await ended.wait(for: 2)
    #expect(ended.values == [true, false])
  }

  @Test("What a page says of those beside it is asked once for each output, and of each page")
  func infos() async throws {
    let asked = Recorder<Int?>()
    let pager = GraphQLQueryPager<[String]>(
      client: ApolloClient(networkTransport: FriendsServer(["Luke", "Han", "Leia"]), store: ApolloStore()),
      initialQuery: FriendsQuery(id: "2001", first: 2),
      extractPageInfo: {
        (page: PageExtractionData<FriendsQuery, FriendsQuery, [String]?>) -> CursorBasedPagination.Forward in
        switch page {
        case .initial(let data, let names), .paginated(let data, let names):
          asked.add(names?.count)
          return data.forward
        }
      },
      pageResolver: { info, _ in FriendsQuery(id: "2001", first: 2, after: .init(cursor: info.endCursor)) },
      initialTransform: \.names, pageTransform: \.names)
    await pager.fetch()
    for _ in 0..<10 { #expect(pager.canLoadNext && !pager.canLoadPrevious) }
    #expect(asked.values == [2], "The first page is the last one in both directions.")
    try await pager.loadNext()
    for _ in 0..<10 { #expect(!pager.canLoadNext && !pager.canLoadPrevious) }
    #expect(asked.values == [2, 3, 3])
  }

  @Test("What memory has of the first page is read with the errors that the client allows")
  func memory() async throws {
    let bed = TestBed(.apart)
    let page = FriendsServer.connection("null", ["Luke"], previous: false, next: true, 3)
    let answer =
      FriendsServer.hero(#""friends":"# + page).dropLast()
      + #","errors":[{"message":"half","path":["hero","friends","nodes",0]}]}"#
    bed.server.on(0, .answer(String(answer)))
    await bed.fetch()
    func read(_ policy: ErrorPolicy) -> [String]? {
      let client = ApolloClient(
        networkTransport: bed.server, store: bed.client.store,
        defaultRequestConfiguration: RequestConfiguration(errorPolicy: policy))
      return TestBed.pager(.apart, .forward, client).readIfInMemory()?.errors
    }
    #expect(read(.all) == ["half"] && read(.ignore) == [] && read(.none) == nil)
  }
}
