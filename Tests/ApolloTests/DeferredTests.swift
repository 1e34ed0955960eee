@testable import ApolloRequestChain
import Apollo
import Fixture0020
import Foundation
import StyledTests
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private typealias TestHero = DeferredHeroQuery.Data.Hero

private func reading(_ response: String, _ query: DeferredHeroQuery = .init()) throws -> TestHero {
  try #require(
    try ResponseReader.read(
      DeferredHeroQuery.Data.self, from: ResponseBytes(Array(response.restyled.utf8)), variables: query.variables
    ).data?.hero)
}

/// `data` with a hero of some more members.
private func response(_ type: String, _ members: String = "", _ envelope: String = "") -> String {
  #"{\#(envelope)"data":{"hero":{"__typename":"\#(type)","id":"1","name":"n","friends":[]\#(members)}}}"#
}

private let details = #","details":{"__typename":"Details","biography":"b","born":7}"#

// (The marks of fragments are our own, and stand before the data.)
@Suite("Reading deferred fragments", .everyStyle(changing: .numbers)) struct DeferredReadingTests {
  @Test("A server that does not defer sends them with their object")
  func notDeferred() throws {
    let human = try reading(response("Human", details + #","homeWorld":null"#))
    #expect(human.heroDetails.details?.biography == "b")
    #expect(human.home == .ready(TestHero.Home(homeWorld: nil)))
    #expect(human.asDroid == .notExecuted)
    #expect(human.atOnce.value?.friends == [])
    let droid = try reading(response("Droid", details + #","primaryFunction":"p""#))
    #expect(droid.asDroid.primaryFunction == "p")
    #expect(droid.home == .notExecuted)
  }

  @Test("In a cache where every field has an age, deferred fragments are read from their object")
  func ages() async throws {
    let store = ApolloStore(), query = DeferredHeroQuery()
    store.clock = { Date(timeIntervalSince1970: 1_000_000) }
    store.defaultMaxAge = 60
    let text = response("Human", details + #","homeWorld":{"__typename":"Planet","name":"w","terrain":"t"}"#)
    try await store.write(response: ResponseBytes(Array(text.restyled.utf8)), for: query)
    let human = try #require(try await store.load(query).hero)
    #expect(human == (try reading(text)))
    #expect(human.heroDetails.details?.biography == "b")
    #expect(human.home.value?.homeWorld != nil)
    store.clock = { Date(timeIntervalSince1970: 1_000_060) }
    await #expect(throws: ResponseDecodingError.self) { try await store.load(query) }
  }

  @Test("What a server that does not defer leaves out is an error, as for any field")
  func missing() {
    let error = #expect(throws: ResponseDecodingError.self) {
      try reading(response("Human", #","details":{"__typename":"Details","born":7}"#))
    }
    #expect(error?.path == ["hero", "details", "biography"])
  }

  @Test("Marks say what is pending, has failed, or was not executed")
  func marks() throws {
    let marks = #","@defer":{"DeferredHeroQuery.heroDetails":"pending","home":[{"message":"no home"}]}"#
    for text in [response("Human", marks), response("Human", marks + details)] {
      let human = try reading(text)
      #expect(human.heroDetails == .pending)
      #expect(human.heroDetails.value == nil)
      #expect(human.home == .failed([GraphQLError("no home")]))
      #expect(human.name == "n")
    }
    #expect(
      try reading(response("Droid", #","@defer":{"DeferredHeroQuery.asDroid":"notExecuted"}"# + details)).asDroid
        == .notExecuted)
  }

  @Test("A fragment whose label was not announced is there, or has to come, or never came")
  func unannounced() throws {
    let open = #""@defer":"pending","#, closed = #""@defer":"notExecuted","#
    #expect(try reading(response("Human", "", open)).heroDetails == .pending)
    #expect(try reading(response("Human", "", closed)).heroDetails == .notExecuted)
    #expect(try reading(response("Human", details, open)).heroDetails.details?.born == 7)
    #expect(try reading(response("Human", details, closed)).home == .notExecuted)
    // Half of a fragment is not the fragment, even where null would be allowed.
    #expect(
      try reading(response("Human", #","details":{"__typename":"Details","biography":"b"}"#, open)).heroDetails
        == .pending)
    let error = #expect(throws: ResponseDecodingError.self) {
      try reading(response("Human", #","details":{"__typename":"Details","biography":{}}"#, open))
    }
    #expect(error?.path == ["hero", "details", "biography"])
  }

  @Test("Switched off by its condition, a fragment is ready at once; its data may not be missing, then")
  func switchedOff() throws {
    let off = DeferredHeroQuery(later: .some(false))
    #expect(
      try reading(response("Droid", #","primaryFunction":null"#, #""@defer":"pending","#), off).asDroid.value != nil)
    for later in [GraphQLNullable<Bool>.none, .null, .some(true)] {
      let query = DeferredHeroQuery(later: later)
      #expect(try reading(response("Droid", "", #""@defer":"pending","#), query).asDroid == .pending)
    }
    #expect(throws: ResponseDecodingError.self) {
      try reading(response("Droid").replacing(#","friends":[]"#, with: ""))
    }
  }

  @Test("@skip leaves a deferred fragment out")
  func skipped() throws {
    let query = DeferredHeroQuery(homeless: .some(true))
    #expect(try reading(response("Human", details), query).home == .notExecuted)
  }

  @Test(
    "What is written reads back the same, whatever became of the fragments",
    arguments: [
      "", #","@defer":{"DeferredHeroQuery.heroDetails":"pending","home":"pending"}"#,
      #","@defer":{"DeferredHeroQuery.heroDetails":[{"message":"m","path":["a",1]}],"home":"notExecuted"}"#,
      #","@defer":{"home":"pending"}"#,
    ])
  func roundTrip(marks: String) throws {
    let text = response("Human", details + #","homeWorld":{"__typename":"Planet","name":"p","terrain":null}"# + marks)
    let data = try #require(
      try ResponseReader.read(DeferredHeroQuery.Data.self, from: ResponseBytes(Array(text.restyled.utf8))).data)
    #expect(try DeferredHeroQuery.Data(jsonObject: data.jsonObject) == data)
    let serialized = try JSONSerialization.data(withJSONObject: data.jsonObject)
    let object = try #require(try JSONSerialization.jsonObject(with: serialized) as? JSONObject)
    #expect(try DeferredHeroQuery.Data(jsonObject: object) == data)
  }

  @Test("Operations say that their response may come in parts")
  func operations() {
    #expect(DeferredHeroQuery.hasDeferredFragments)
    #expect(StreamedQuery.hasDeferredFragments)
    #expect(!HeroQuery.hasDeferredFragments)
  }
}

// MARK: - Through the client

/// Answers with the parts of one response.
struct PartsInterceptor: HTTPStep, StepInterceptor {
  var parts: [String]
  var endsEarly = false

  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let url = HTTPURLResponse(url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil)!
    var merger = IncrementalResponse()
    return .proceedWithEach(
      AsyncThrowingStream { continuation in
        do {
          for part in parts {
            guard let bytes = try merger.merge(ResponseBytes(Array(part.restyled.utf8))) else { continue }
            continuation.yield(HTTPResponse(response: url, rawData: Data(bytes.text.utf8), parsedResponse: nil))
          }
          try merger.finish()
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      })
  }
}

private struct PartsProvider: InterceptorProvider {
  let store: ApolloStore
  let parts: [String]

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    [
      CacheReadInterceptor(store: store), PartsInterceptor(parts: parts), JSONResponseParsingInterceptor(),
      CacheWriteInterceptor(store: store),
    ]
  }
}

private func client(_ store: ApolloStore = ApolloStore(), parts: [String]) -> ApolloClient {
  ApolloClient(
    networkTransport: RequestChainNetworkTransport(
      interceptorProvider: PartsProvider(store: store, parts: parts), endpointURL: URL(string: "http://localhost/")!),
    store: store)
}

/// The results of a query, and the error that ended them.
private func results<Query: GraphQLQuery>(
  _ client: ApolloClient, _ query: Query, _ policy: CachePolicy = .fetchIgnoringCacheData
) async -> (results: [GraphQLResult<Query.Data>], error: (any Error)?) {
  var results: [GraphQLResult<Query.Data>] = []
  do {
    let stream = client.results(of: query, cachePolicy: policy)
    for try await result in stream { results.append(result) }
    return (results, nil)
  } catch {
    return (results, error)
  }
}

private let luke = #"{"__typename":"Human","id":"1000","name":"Luke","friends":[]}"#
private let draft = [
  #"{"data":{"hero":\#(luke)},"pending":[{"id":"0","path":["hero"],"label":"DeferredHeroQuery.heroDetails"},{"id":"1","path":["hero"],"label":"home"}],"hasNext":true}"#,
  #"{"incremental":[{"id":"0","data":{"details":{"__typename":"Details","biography":"b","born":null}}}],"completed":[{"id":"0"}],"hasNext":true}"#,
  #"{"incremental":[{"id":"1","data":{"homeWorld":{"__typename":"Planet","name":"Tatooine","terrain":"desert"}}}],"completed":[{"id":"1"}],"hasNext":false}"#,
]
private let form2022 = [
  #"{"data":{"hero":\#(luke)},"hasNext":true}"#,
  #"{"incremental":[{"path":["hero"],"label":"DeferredHeroQuery.heroDetails","data":{"__typename":"Human","details":{"__typename":"Details","biography":"b","born":null}}}],"hasNext":true}"#,
  #"{"incremental":[{"path":["hero"],"label":"home","data":{"homeWorld":{"__typename":"Planet","name":"Tatooine","terrain":"desert"}}}],"hasNext":false}"#,
]

@Suite("Deferred fragments through the client", .everyStyle) struct DeferredClientTests {
  @Test(
    "Each part makes a result, the last of which has no next one; both forms give the same",
    arguments: [draft, form2022])
  func parts(parts: [String]) async throws {
    let store = ApolloStore()
    let (results, error) = await results(client(store, parts: parts), DeferredHeroQuery())
    #expect(error == nil)
    #expect(results.map(\.hasNext) == [true, true, false])
    let heroes = results.compactMap { $0.data?.hero }
    #expect(heroes.map(\.name) == ["Luke", "Luke", "Luke"])
    #expect(heroes.map { $0.heroDetails.details?.biography } == [nil, "b", "b"])
    #expect(heroes.map { $0.home.homeWorld?.name } == [nil, nil, "Tatooine"])
    #expect(heroes[0].home == .pending && heroes[0].asDroid == .notExecuted)
    #expect(heroes[2].atOnce.value?.friends == [])
    // Everything is in the cache, in the record of the hero.
    #expect(try await store.load(DeferredHeroQuery()).hero == heroes[2])
    #expect(
      try await store.withinReadTransaction { try $0.readObject(ofType: HeroDetails.self, withKey: "Human:1000") }
        == heroes[2].heroDetails.value)
  }

  @Test("A cache that has only the first part answers with fragments that are pending")
  func partOfIt() async throws {
    let store = ApolloStore()
    let (first, error) = await results(client(store, parts: [draft[0]]), DeferredHeroQuery())
    #expect(first.count == 1)
    #expect(
      (error as? any ApolloError)?.message.contains("'DeferredHeroQuery.heroDetails', 'home' did not come") == true)
    let hero = try #require(try await store.load(DeferredHeroQuery()).hero)
    #expect(hero.heroDetails == .pending && hero.home == .pending)
    // Not deferred, the same data is missing.
    await #expect(throws: ResponseDecodingError.self) {
      try await store.withinReadTransaction { try $0.readObject(ofType: HeroDetails.self, withKey: "Human:1000") }
    }
  }

  @Test("A watcher hears of the parts as they are written")
  func watching() async throws {
    let store = ApolloStore()
    _ = await results(client(store, parts: [draft[0]]), DeferredHeroQuery())
    let watching = client(store, parts: [])
    var seen: [String?] = []
    for try await result in watching.watch(query: DeferredHeroQuery(), cachePolicy: .returnCacheDataDontFetch) {
      seen.append(result.data?.hero?.home.homeWorld?.name)
      if seen.count == 2 { break }
      Task { await results(client(store, parts: draft), DeferredHeroQuery()) }
      if seen.count > 5 { break }
    }
    #expect(seen.first == .some(nil))
    #expect(seen.count == 2)
  }

  @Test("The results of a watcher's own fetch say whether another part follows")
  func watchedParts() async throws {
    let hasNext = Received<Bool?>()
    let watcher = client(parts: draft).watch(
      query: DeferredHeroQuery(), cachePolicy: .fetchIgnoringCacheData, callbackQueue: DispatchQueue(label: "results")
    ) { hasNext.add(try? $0.get().hasNext) }
    for wanted in [true, true, false] { #expect(await hasNext.next() == wanted) }
    watcher.cancel()
  }

  @Test("A fragment that fails leaves the others and the object")
  func failure() async throws {
    let parts = [
      draft[0],
      #"{"completed":[{"id":"0","errors":[{"message":"no details","path":["hero","details"]}]}],"hasNext":true}"#,
      draft[2],
    ]
    let (results, error) = await results(client(parts: parts), DeferredHeroQuery())
    #expect(error == nil && results.count == 3)
    let hero = try #require(results[2].data?.hero)
    #expect(
      hero.heroDetails
        == .failed([GraphQLError(["message": "no details", "path": ["hero", "details"] as [JSONValue]])]))
    #expect(hero.home.homeWorld?.terrain == "desert")
    #expect(results[2].errors?.map(\.message) == ["no details"])
  }

  @Test("A response that ends too early is an error after the parts that came")
  func truncated() async {
    let (results, error) = await results(client(parts: Array(draft[..<2])), DeferredHeroQuery())
    #expect(results.map(\.hasNext) == [true, true])
    #expect((error as? any ApolloError)?.message == "The response ended before its last part: 'home' did not come.")
  }

  @Test("Fragments within fragments, and within the elements of lists")
  func nested() async throws {
    let parts = [
      #"{"data":{"hero":null},"pending":[{"id":"0","path":[],"label":"crowd"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"heroes":[{"__typename":"Droid","id":"1","name":"a"},{"__typename":"Human","id":"2","name":"b"}]}}],"completed":[{"id":"0"}],"pending":[{"id":"1","path":["heroes",0],"label":"crowdDetails"},{"id":"2","path":["heroes",1],"label":"crowdDetails"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"2","data":{"details":null}}],"completed":[{"id":"2"},{"id":"1","errors":[{"message":"e"}]}],"hasNext":false}"#,
    ]
    let (results, error) = await results(client(parts: parts), DeferredRootQuery())
    #expect(error == nil)
    #expect(results[0].data?.crowd == .pending)
    #expect(results[1].data?.crowd.heroes?.map(\.heroDetails) == [.pending, .pending])
    #expect(
      results[2].data?.crowd.heroes?.map(\.heroDetails) == [
        .failed([GraphQLError("e")]), .ready(HeroDetails(__typename: "Human", id: "2", details: nil)),
      ])
  }

  @Test("A streamed list grows")
  func streamed() async throws {
    func item(_ id: Int) -> String { #"{"__typename":"Droid","id":"\#(id)","name":"d\#(id)"}"# }
    let parts = [
      #"{"data":{"heroes":[\#(item(1))]},"pending":[{"id":"0","path":["heroes"],"label":"heroes"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","items":[\#(item(2)),\#(item(3))]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","items":[\#(item(4))]}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ]
    let (results, error) = await results(client(parts: parts), StreamedQuery())
    #expect(error == nil)
    #expect(results.map { $0.data?.heroes.map(\.id) } == [["1"], ["1", "2", "3"], ["1", "2", "3", "4"]])
  }

  private static func heroes(_ ids: [Int]) -> String {
    ids.map { #"{"__typename":"Droid","id":"\#($0)","name":"d\#($0)"}"# }.joined(separator: ",")
  }

  @Test(
    "A stream that breaks off, or that the server fails to end, does not shorten the list in the cache",
    arguments: [
      [
        #"{"data":{"heroes":[\#(heroes([4]))]},"pending":[{"id":"0","path":["heroes"],"label":"heroes"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","items":[\#(heroes([5]))]}],"hasNext":true}"#,
      ],
      [
        #"{"data":{"heroes":[\#(heroes([4]))]},"hasNext":true}"#,
        #"{"incremental":[{"path":["heroes",1],"label":"heroes","items":[\#(heroes([5]))]}],"hasNext":true}"#,
      ],
      [
        #"{"data":{"heroes":[\#(heroes([4]))]},"pending":[{"id":"0","path":["heroes"],"label":"heroes"}],"hasNext":true}"#,
        #"{"completed":[{"id":"0","errors":[{"message":"m","path":["heroes"]}]}],"hasNext":false}"#,
      ],
      [
        #"{"data":{"heroes":[\#(heroes([4]))]},"hasNext":true}"#,
        #"{"incremental":[{"path":["heroes",1],"label":"heroes","items":null,"errors":[{"message":"m"}]}],"hasNext":false}"#,
      ],
    ])
  func broken(parts: [String]) async throws {
    let store = ApolloStore()
    _ = await results(client(store, parts: [#"{"data":{"heroes":[\#(Self.heroes([1, 2, 3]))]}}"#]), StreamedQuery())
    let (results, _) = await results(client(store, parts: parts), StreamedQuery())
    #expect(results.first?.data?.heroes.map(\.id) == ["4"])
    #expect(try await store.load(StreamedQuery()).heroes.map(\.id) == ["1", "2", "3"])
  }

  @Test(
    "A stream that ends shortens it",
    arguments: [
      [
        #"{"data":{"heroes":[\#(heroes([4]))]},"pending":[{"id":"0","path":["heroes"],"label":"heroes"}],"hasNext":true}"#,
        #"{"completed":[{"id":"0"}],"hasNext":false}"#,
      ],
      [#"{"data":{"heroes":[\#(heroes([4]))]},"hasNext":true}"#, #"{"hasNext":false}"#],
    ])
  func ended(parts: [String]) async throws {
    let store = ApolloStore()
    _ = await results(client(store, parts: [#"{"data":{"heroes":[\#(Self.heroes([1, 2, 3]))]}}"#]), StreamedQuery())
    let (results, error) = await results(client(store, parts: parts), StreamedQuery())
    #expect(error == nil && results.count == 2)
    #expect(try await store.load(StreamedQuery()).heroes.map(\.id) == ["4"])
  }

  @Test("The callback of fetch is called for each part")
  func callback() async {
    let results = Locked<[Bool]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      _ = client(parts: draft).fetch(
        query: DeferredHeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .global()
      ) { result in
        guard let hasNext = try? result.get().hasNext else { return }
        results.withLock { $0.append(hasNext) }
        if !hasNext { continuation.resume() }
      }
    }
    #expect(results.withLock { $0 } == [true, true, false])
  }
}
