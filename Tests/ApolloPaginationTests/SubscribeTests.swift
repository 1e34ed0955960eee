import Apollo
import ApolloAPI
@testable import ApolloPagination
import Fixture0041
import Foundation
import Testing

/// After the suite SubscribeTests of Apollo iOS.
@Suite("Subscribers") struct SubscribeTests {
  @Test("All subscribers are given all outputs, in order", arguments: Mode.allCases, Caller.allCases)
  func multipleSubscribers(mode: Mode, caller: Caller) async throws {
    let bed = TestBed(mode, caller)
    let other = Recorder<Result<Summary, any Error>>()
    bed.pager.subscribe(onUpdate: { other.add($0) })
    await bed.fetch()
    try await bed.loadNext()
    #expect(bed.outputs.map(\.names) == [["Luke", "Han"], ["Luke", "Han", "Leia"]])
    #expect(other.values.compactMap { try? $0.get() } == bed.outputs)
  }

  @Test("A closure without a label is called on the main actor")
  func mainActor() async throws {
    let bed = TestBed(.list, subscribes: false), names = Recorder<[String]>()
    bed.pager.subscribe { output in
      MainActor.assertIsolated()
      names.add((try? output.get().names) ?? [])
    }
    await bed.fetch()
    await names.wait(for: 1)
    #expect(names.values == [["Luke", "Han"]])
  }

  @Test("Who subscribes later is given the last output")
  func replay() async throws {
    let bed = TestBed(.apart)
    await bed.fetch()
    try await bed.loadNext()
    let late = Recorder<[String]?>()
    bed.pager.subscribe(onUpdate: { late.add(try? $0.get().names) })
    await late.wait(for: 1)
    #expect(late.values == [["Luke", "Han", "Leia"]])
  }

  @Test("A subscription that was cancelled is given nothing")
  func cancelled() async throws {
    let bed = TestBed(.apart), other = Recorder<Int>()
    let subscription = bed.pager.subscribe(onUpdate: { _ in other.add(1) })
    await bed.fetch()
    subscription.cancel()
    try await bed.loadNext()
    #expect(other.values == [1] && bed.recorder.values.count == 2)
  }

  @Test("Outputs are a sequence that ends with the pager", arguments: Mode.allCases)
  func sequence(mode: Mode) async throws {
    let client = ApolloClient(networkTransport: FriendsServer(["Luke", "Han", "Leia"]), store: ApolloStore())
    var pager: TestBed.Pager? = TestBed.pager(mode, .forward, client)
    var iterator = try #require(pager?.outputs.makeAsyncIterator())
    await pager?.fetch()
    #expect(try await iterator.next()?.get().names == ["Luke", "Han"])
    try await pager?.loadNext()
    #expect(try await iterator.next()?.get().names == ["Luke", "Han", "Leia"])
    pager = nil
    #expect(await iterator.next() == nil)
  }

  @Test("When the user signs out, a pager tells it once, and forgets its pages", arguments: Mode.allCases)
  func signOut(mode: Mode) async throws {
    let client = ApolloClient(networkTransport: FriendsServer(["Luke", "Han", "Leia"]), store: ApolloStore())
    let pager = TestBed.pager(mode, .forward, client), outputs = Recorder<String>()
    pager.subscribe(onUpdate: { output in
      switch output {
      case .success(let summary): outputs.add(summary.names.joined(separator: " "))
      case .failure(let error): outputs.add((error as? any ApolloError)?.code.description ?? "\(error)")
      }
    })
    await pager.fetch()
    try await pager.loadNext()
    try await client.signOut()
    await outputs.wait(for: 3)
    #expect(pager.canLoadNext == false)
    await pager.fetch()
    await outputs.wait(for: 4)
    #expect(outputs.values == ["Luke Han", "Luke Han Leia", "signedOut", "Luke Han"])
  }

  @Test("The queue of the pager is where subscribers are called")
  func queue() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "test", attributes: .concurrent)
    queue.setSpecific(key: key, value: true)
    let pager = GraphQLQueryPager<[String]>(
      client: ApolloClient(networkTransport: FriendsServer(["Luke"]), store: ApolloStore()),
      initialQuery: FriendsQuery(id: "2001"), watcherDispatchQueue: queue,
      extractPageInfo: { (_: PageExtractionData<FriendsQuery, FriendsQuery, [String]?>) in
        CursorBasedPagination.Forward(hasNext: false, endCursor: nil)
      },
      pageResolver: nil, initialTransform: \.names, pageTransform: \.names)
    let isThere = Recorder<Bool>()
    pager.subscribe(onUpdate: { _ in isThere.add(DispatchQueue.getSpecific(key: key) ?? false) })
    await pager.fetch()
    #expect(isThere.values == [true])
  }

  @Test("An error of the app's transform is an output, and the pager goes on")
  func failingTransform() async throws {
    struct Odd: Error {}
    let pager = GraphQLQueryPager(
      client: ApolloClient(networkTransport: FriendsServer(["Luke", "Han", "Leia"]), store: ApolloStore()),
      initialQuery: FriendsQuery(id: "2001", first: 2),
      extractPageInfo: {
        (page: PageExtractionData<FriendsQuery, FriendsQuery, PaginationOutput<FriendsQuery, FriendsQuery>?>) in
        switch page {
        case .initial(let data, _), .paginated(let data, _): data.forward
        }
      },
      pageResolver: { info, _ in FriendsQuery(id: "2001", first: 2, after: .init(cursor: info.endCursor)) },
      transform: { output in
        let names = output.allData.flatMap(\.names)
        if names.count == 2 { throw Odd() }
        return names
      })
    let outputs = Recorder<[String]?>()
    pager.subscribe(onUpdate: { outputs.add(try? $0.get()) })
    await pager.fetch()
    try await pager.loadNext()
    #expect(outputs.values == [nil, ["Luke", "Han", "Leia"]])
  }
}
