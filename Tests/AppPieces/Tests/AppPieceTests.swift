@testable import ApolloCache
import Apollo
import AppPieces
import AppPiecesInSwift5
import Fixture0001
import Foundation
import ScriptedServer
import Testing
import Waiting

// The pieces are compiled twice: in Swift 6 mode, where a closure of the main actor stops the process when it is called
// elsewhere, and in Swift 5 mode, as in an app that has not moved yet.

/// What a server says that has one review, and tells of two more.
func reviews(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
  if request.body.contains("subscription") {
    let events = [1, 2].map {
      #"event: next\#ndata: {"data":{"reviewAdded":{"__typename":"Review","stars":\#($0),"tags":null}}}\#n\#n"#
    }
    return [.begin(contentType: "text/event-stream")] + events.map { .write($0) }
      + [.write("event: complete\ndata:\n\n"), .close]
  }
  if request.body.contains("mutation") {
    return [.respond(#"{"data":{"createReview":{"__typename":"Review","stars":4,"commentary":null}}}"#)]
  }
  let review = #"{"__typename":"Review","stars":5,"tags":null}"#
  return [.respond(#"{"data":{"latest":[\#(review)],"best":[]}}"#)]
}

func serve(
  _ script: @escaping ScriptedServer.Handler = reviews, _ body: @MainActor (URL) async throws -> Void
) async throws {
  try await ScriptedServer.with(script) { server async throws in
    try await body(URL(string: server.address)!)
  }
}

/// The header fields of requests.
private final class HeaderLog: Sendable {
  private let fields = Locked<[[String: String]]>([])
  var all: [[String: String]] { fields.withLock { $0 } }
  func add(_ headers: [String: String]) { fields.withLock { $0.append(headers) } }
}

/// What both of the modules have.
@MainActor protocol AnyReviewsModel: AnyObject {
  init(client: ApolloClient)
  var log: [String] { get }
  var stars: [Int] { get }
  func fetch()
  func fetchWithStrongSelf()
  func watch()
  func perform()
  func upload()
  func subscribe()
  func load()
  func watchFragment()
  func clear()
  func read()
  func remove()
  func stop()
}

extension AppPieces.ReviewsModel: AnyReviewsModel {}
extension AppPiecesInSwift5.ReviewsModel: AnyReviewsModel {}

@Suite("Handlers as apps write them")
struct HandlerTests {
  @Test("A class on the main actor sets its state in the handlers of every verb", arguments: [5, 6])
  func mainActorModel(mode: Int) async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let model: any AnyReviewsModel =
        mode == 5 ? AppPiecesInSwift5.ReviewsModel(client: client) : AppPieces.ReviewsModel(client: client)
      @MainActor func notes(_ notes: String...) async throws {
        try await eventually { Set(notes).isSubset(of: model.log) }
      }
      model.fetch()
      try await notes("fetch")
      #expect(model.stars == [5])
      model.fetchWithStrongSelf()
      try await notes("fetch again")
      model.watch()
      try await notes("watch")
      model.perform()
      try await notes("perform 4")
      model.upload()
      try await notes("upload")
      model.subscribe()
      try await notes("event 1", "event 2")
      model.load()
      try await notes("load true")
      model.watchFragment()
      try await notes("fragment")
      model.read()
      try await notes("read true")
      model.remove()
      try await notes("removed")
      model.clear()
      try await notes("clear")
      model.stop()
    }
  }

  @Test("A view sets its state in a handler")
  func view() async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let view = AppPieces.ReviewsView(client: client)
      view.onAppear()
      try await eventually { view.stars == [5] }
      let olderView = AppPiecesInSwift5.ReviewsView(client: client)
      olderView.onAppear()
      try await eventually { olderView.stars == [5] }
      #expect(view.error == nil && olderView.error == nil)
    }
  }

  @Test("A repository passes on its completions")
  func repository() async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let repository = AppPieces.Repository(client: client)
      var answers: [String] = []
      repository.stars { answers.append("\((try? $0.get()) ?? [])") }
      try await eventually { answers == ["[5]"] }
      repository.add(4) { answers.append("\($0 ?? 0)") }
      try await eventually { answers == ["[5]", "4"] }
      repository.run(ReviewsQuery()) { _ in answers.append("run") }
      try await eventually { answers.last == "run" }
      repository.forgetAll { _ in answers.append("forgotten") }
      try await eventually { answers.last == "forgotten" }
      #expect(repository.lastError == nil)
    }
  }

  @Test("A handler changes a variable that it captures")
  func capturedVariable() async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      var counts: [Int] = []
      let running = [
        AppPieces.countEvents(client, until: 2) { counts.append($0) },
        AppPiecesInSwift5.countEvents(client, until: 2) { counts.append($0) },
      ]
      try await eventually { counts == [2, 2] }
      for each in running { each.cancel() }
    }
  }

  @Test("A handler that belongs to no actor is called on the queue that it is given")
  func ownQueue() async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let imported = await Self.importedStars(client)
      #expect(imported == [5])
    }
  }

  /// (Not on the main actor, where the closures would belong to it.)
  nonisolated private static func importedStars(_ client: ApolloClient) async -> [Int] {
    await withCheckedContinuation { continuation in
      let importer = AppPieces.Importer(client: client)
      importer.start { stars in withExtendedLifetime(importer) { continuation.resume(returning: stars) } }
    }
  }

  @Test("Callbacks are wrapped for async code by continuations and streams")
  func wrappers() async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      let wrapped = AppPieces.AsyncClient(client: client)
      let data = try await wrapped.fetch(query: ReviewsQuery())
      #expect(data.latest.map(\.stars) == [5])
      for try await result in wrapped.watch(query: ReviewsQuery()) {
        #expect(result.data == data)
        break
      }
      var stars: [Int?] = []
      for try await event in wrapped.events(of: ReviewAddedSubscription()) {
        stars.append(event.data?.reviewAdded?.stars)
        if stars.count == 2 { break }
      }
      #expect(stars == [1, 2])
      try await wrapped.clear()
    }
  }
}

@Suite("Plain classes of apps")
struct PlainClassTests {
  @Test("A plain class is a transport, and a plain class its interceptors")
  func transport() async throws {
    try await serve { request in
      request.headers["authorization"] == "secret"
        ? [.respond(#"{"data":{"latest":[],"best":[]}}"#)] : [.respond("{}", status: 401)]
    } _: { url in
      let store = ApolloStore(cache: AppPieces.DictionaryCache())
      let provider = AppPieces.OwnProvider(store: store)
      let http = RequestChainNetworkTransport(
        interceptorProvider: provider, endpointURL: url,
        requestBodyCreator: AppPieces.BodyCreator())
      let transport = AppPieces.CountingTransport(http: http)
      let client = ApolloClient(networkTransport: transport, store: store)
      var results: [Result<GraphQLResult<ReviewsQuery.Data>, any Error>] = []
      client.fetch(query: ReviewsQuery(), context: AppPieces.TokenContext(token: "secret")) { results.append($0) }
      try await eventually { results.count == 1 }
      #expect(try results[0].get().data?.latest.isEmpty == true)
      client.fetch(query: ReviewsQuery(), cachePolicy: .fetchIgnoringCacheData) { results.append($0) }
      try await eventually { results.count == 2 }
      #expect(throws: ResponseCodeInterceptor.ResponseCodeError.self) { try results[1].get() }
      #expect(provider.errors.errors.count == 1)
      #expect(transport.operations == ["Reviews", "Reviews"])
      // The plain class of records has them.
      let cached = try await client.fetch(query: ReviewsQuery(), cachePolicy: .returnCacheDataDontFetch)
      #expect(cached.source == .cache)
    }
  }
}

@Suite("Stand-ins for clients and transports, of all releases")
struct OlderFormTests {
  @Test("A client implements one form of each verb, and all others lead to it")
  func clients() {
    let calls =
      "fetch fetch fetch watch watch perform perform perform upload upload subscribe subscribe".split(separator: " ")
      .map(String.init)
    let first = AppPieces.FirstClient()
    AppPieces.callAll(first)
    #expect(first.calls == calls)
    let last = AppPieces.LastClient()
    AppPieces.callAll(last)
    #expect(last.calls == calls)
  }

  @Test("A JSON value that is a leaf can be compared")
  func values() {
    let object: JSONObject = ["number": 1, "text": "x", "null": JSONNull()]
    #expect(AppPieces.member("number", of: object) == AnyHashable(1))
    #expect(AppPiecesInSwift5.member("text", of: object) == AnyHashable("x"))
    #expect(AppPieces.member("null", of: object) == AnyHashable(JSONNull()))
    #expect(AppPieces.member("none", of: object) == nil)
  }

  @Test("A real client takes the calls of all forms")
  func realClient() async throws {
    try await serve { url in
      let client = ApolloClient(url: url)
      AppPieces.callAll(client)
      let protocolClient: any ApolloClientProtocol = client
      var stars: [Int]?
      _ = protocolClient.fetch(
        query: ReviewsQuery(), cachePolicy: .fetchIgnoringCacheData, contextIdentifier: nil, queue: .main
      ) { stars = (try? $0.get())?.data?.latest.map(\.stars) }
      try await eventually { stars == [5] }
    }
  }

  @Test("A watcher asks whatever client it is given, and reads its store")
  func watcher() async throws {
    let client = AppPieces.FirstClient()
    let (results, sink) = AsyncStream<Bool>.makeStream()
    let watcher = GraphQLQueryWatcher(client: client, query: ReviewsQuery(), callbackQueue: .global()) { result in
      sink.yield((try? result.get()) == nil)
    }
    watcher.refetch()
    #expect(await results.first { _ in true } == true)
    #expect(client.calls == ["fetch"])
  }

  @Test("A client sends its operations through a transport that knows no context")
  func transport() async throws {
    let transport = AppPieces.FirstTransport()
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    await #expect(throws: (any Error).self) {
      try await client.fetch(query: ReviewsQuery(), context: AppPieces.TokenContext(token: "lost"))
    }
    await #expect(throws: (any Error).self) {
      try await client.upload(operation: CreateReviewMutation(review: ReviewInput(stars: 1)), files: [])
    }
    #expect(transport.calls == ["send Reviews", "upload CreateReview"])
  }

  @Test("A transport that implements no form fails, and does not call itself for ever")
  func noTransport() async throws {
    let client = ApolloClient(networkTransport: AppPieces.NoTransport(), store: ApolloStore())
    let error = await #expect(throws: OperationError.self) { try await client.fetch(query: ReviewsQuery()) }
    #expect(error?.message == "NoTransport implements no form of 'send'.")
    #expect(error?.code == .configuration)
  }
}

@Suite("Caches of apps")
struct CacheTests {
  private let records: RecordSet = ["Review:1": ["stars": 5], "Review:2": ["stars": 1]]

  @Test("Plain classes of 1.x and actors of 2.x keep what a store writes, in both modes of Swift")
  @MainActor func backends() async throws {
    let caches: [any NormalizedCache] = [
      AppPieces.DictionaryCache(), AppPieces.SilentCache(), AppPieces.ActorCache(),
      AppPiecesInSwift5.DictionaryCache(), AppPiecesInSwift5.SilentCache(), AppPiecesInSwift5.ActorCache(),
      AppPieces.LayeredCache(disk: AppPieces.ActorCache()),
      AppPiecesInSwift5.LayeredCache(disk: AppPiecesInSwift5.ActorCache()),
    ]
    for cache in caches {
      try await ApolloStore(cache: cache).publish(records: records)
      let store = ApolloStore(cache: cache)
      try await store.withinReadWriteTransaction { try $0.removeObject(for: "Review:2") }
      let found = try await ApolloStore(cache: cache).withinReadTransaction { transaction in
        try transaction.readOnlyCache.loadRecords(forKeys: ["Review:1", "Review:2"])
      }
      #expect(found.mapValues(\.fields) == ["Review:1": ["stars": 5]], "\(cache)")
    }
  }

  @Test("A transaction's own cache, with a callback as in 1.x and with await as in 2.x")
  @MainActor func transactionCache() async throws {
    let store = ApolloStore(), log = AppPieces.ChangeLog(store: store), old = AppPiecesInSwift5.ChangeLog(store: store)
    var results: [Result<Bool, any Error>] = []
    AppPieces.RecordKeeper().keep(records, in: store) { results.append($0) }
    AppPiecesInSwift5.RecordKeeper().keep(["Review:3": ["stars": 2]], in: store) { results.append($0) }
    try await eventually { results.count == 2 }
    #expect(try results.map { try $0.get() } == [true, true])
    await #expect(throws: ResponseDecodingError.self) {
      try await AppPieces.RecordKeeper().keepWaiting(records, in: store)
    }
    await store.waitUntilTold()
    #expect(log.keys == [["Review:1.stars", "Review:2.stars"], ["Review:3.stars"]])
    #expect(log.keys == old.keys)
  }
}

@Suite("Scalars of an app")
struct OwnScalarTests {
  @Test("An app makes types of Foundation scalars by itself, in the forms of 0.x and of 1.x")
  func ownScalars() throws {
    let uuid = UUID(), url = try #require(URL(string: "https://example.com/a"))
    for read in [AppPieces.readOwnScalars, AppPiecesInSwift5.readOwnScalars] {
      let values = try read(uuid.uuidString, url.absoluteString)
      #expect(values.0 == uuid && values.1 == url)
      #expect(throws: JSONDecodingError.self) { _ = try read(1, url.absoluteString) }
    }
  }

  @Test("A type in the form of 0.x is the type of variables that may be null")
  func nullableVariables() throws {
    let url = try #require(URL(string: "a"))
    for write in [AppPieces.writeOwnScalars, AppPiecesInSwift5.writeOwnScalars] {
      var writer = __JSONWriter()
      writer.writeObject { write(.some(url), .some([url]), &$0) }
      #expect(writer.text == #"{"url":"a","urls":["a"]}"#)
    }
  }
}

@Suite("The network layer of an app of release 2")
struct Release2NetworkTests {
  @Test("Interceptors add a token and renew it, and every behavior leads to its results")
  func network() async throws {
    let log = HeaderLog()
    try await ScriptedServer.with { request in
      log.add(request.headers)
      if request.headers["authorization"] == "Bearer a" { return [.respond("expired", status: 401)] }
      return reviews(request)
    } _: { server async throws in
      let network = AppPieces.Network(url: URL(string: server.address)!)
      #expect(try await network.load(ReviewsQuery()).latest.first?.stars == 5)
      #expect(try await network.stars() == [5, 5])
      #expect(try await network.load(ReviewsQuery(), cachePolicy: .networkOnly).latest.count == 1)
      let mutation = CreateReviewMutation(review: ReviewInput(stars: 4))
      #expect(try await network.send(mutation)?.createReview?.stars == 4)
      let event = try await network.listen(to: ReviewAddedSubscription()).first { _ in true }
      #expect(event?.data?.reviewAdded?.stars == 1)
    }
    #expect(log.all.map { $0["authorization"] } == ["Bearer a"] + Array(repeating: "Bearer b", count: 5))
    #expect(log.all.allSatisfy { $0["x-app"] == "pieces" && $0["accept-language"] == "sv" && $0["x-operation"] != nil })
  }
}
