import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

@testable import D000
@testable import D001
@testable import D002
@testable import D003
@testable import D004

/// A value that several threads change.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}

/// What a server was asked.
final class RequestLog: Sendable {
  private let requests = Locked<[ScriptedServer.Request]>([])

  func add(_ request: ScriptedServer.Request) -> Int {
    requests.withLock { requests in
      requests.append(request)
      return requests.count
    }
  }

  var all: [ScriptedServer.Request] { requests.withLock { $0 } }
}

let hero = #"{"data":{"hero":{"__typename":"Human","id":"1000","name":"Luke Skywalker"}}}"#

let heroAndFriends =
  #"{"data":{"hero":{"__typename":"Human","name":"Luke Skywalker","friends":["#
  + ["Han Solo", "Leia Organa", "C-3PO", "R2-D2"].map { #"{"__typename":"Human","name":"\#($0)"}"# }
  .joined(separator: ",") + "]}}}"

/// Answers each operation of document 004.
func answer(_ request: ScriptedServer.Request) -> String {
  switch request.headers["x-apollo-operation-name"] {
  case "HeroAndFriendsNames": heroAndFriends
  case "Settings": #"{"data":{"settings":{"theme":"dark","sizes":[1,2]}}}"#
  default: hero
  }
}

/// Set on the main queue, which need not have the main thread.
let isMainQueue: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// Fetches with a provider of one of the documents.
func fetch(_ provider: any InterceptorProvider, _ store: ApolloStore, _ server: ScriptedServer) async throws -> String?
{
  let transport = RequestChainNetworkTransport(
    interceptorProvider: provider, endpointURL: URL(string: server.address)!)
  let client = ApolloClient(networkTransport: transport, store: store)
  _ = isMainQueue
  return try await withCheckedThrowingContinuation { continuation in
    client.fetch(query: HeroNameQuery(episode: .empire)) { result in
      #expect(DispatchQueue.getSpecific(key: isMainQueue) == true)
      continuation.resume(with: result.map { $0.data?.hero?.name })
    }
  }
}

@Suite("The documents' samples", .serialized)
struct DocumentSampleTests {
  @Test("000: a token that has expired is renewed before the request, and sent; the result is cached")
  func document000() async throws {
    let log = RequestLog()
    D000.UserManager.shared.token = D000.Token(value: "t0", isExpired: true)
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.respond(answer(request))]
    } _: { server async throws in
      let store = ApolloStore(cache: InMemoryNormalizedCache())
      let provider = D000.NetworkInterceptorProvider(store: store, client: URLSessionClient())
      #expect(try await fetch(provider, store, server) == "Luke Skywalker")
      #expect(try await fetch(provider, store, server) == "Luke Skywalker")
    }
    #expect(log.all.count == 1, "the second result is the cache's")
    #expect(log.all.first?.headers["authentication"] == "Bearer: t1")
    _ = D000.Network.shared.apollo.store
  }

  @Test("000: a user who is not logged in is the interceptor's own error, and nothing is sent")
  func notLoggedIn() async throws {
    let log = RequestLog()
    D000.UserManager.shared.token = nil
    defer { D000.UserManager.shared.token = D000.Token(value: "t0", isExpired: true) }
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.respond(answer(request))]
    } _: { server async throws in
      let store = ApolloStore()
      let provider = D000.NetworkInterceptorProvider(store: store, client: URLSessionClient())
      await #expect(throws: D000.UserManagementInterceptor.UserError.self) { try await fetch(provider, store, server) }
    }
    #expect(log.all.isEmpty)
  }

  @Test("001: the delegate is asked before sending, sees the raw response, and re-authenticates before another try")
  func document001() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      log.add(request) == 1 ? [.respond("{}", status: 401)] : [.respond(answer(request))]
    } _: { server async throws in
      // The document's delegate, with the address of this server.
      let transport = HTTPNetworkTransport(url: URL(string: server.address)!)
      transport.delegate = D001.Network.shared
      let client = ApolloClient(networkTransport: transport)
      let result = try await client.fetch(query: HeroNameQuery(episode: .empire))
      #expect(result.data?.hero?.name == "Luke Skywalker")
      D001.UserManager.shared.hasAuthenticatedUser = false
      defer { D001.UserManager.shared.hasAuthenticatedUser = true }
      let error = await #expect(throws: OperationError.self) {
        try await client.fetch(query: HeroNameQuery(episode: .jedi), cachePolicy: .fetchIgnoringCacheData)
      }
      #expect(error?.cause as? GraphQLHTTPRequestError == .cancelledByDelegate)
    }
    #expect(log.all.count == 2)
    #expect(log.all.allSatisfy { $0.headers["authorization"] == "Bearer t0" })
    _ = D001.Network.shared.apollo.store
  }

  final class ErrorLog: MyErrorLogger, @unchecked Sendable {
    let statuses = Locked<[Int?]>([])
    func requestFailed(_ response: HTTPURLResponse?, withError error: any Error) {
      statuses.withLock { $0.append(response?.statusCode) }
    }
  }

  /// The document's provider with its error interceptor.
  struct LoggingProvider: InterceptorProvider {
    let base: D002.NetworkInterceptorProvider
    let log: ErrorLog

    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      base.interceptors(for: operation)
    }

    func additionalErrorInterceptor<Operation: GraphQLOperation>(
      for operation: Operation
    ) -> (any ApolloErrorInterceptor)? { D002.LoggingErrorInterceptor(errorLogger: log) }
  }

  @Test("002: the token is renewed and sent, logs are written, and the error interceptor sees what fails")
  func document002() async throws {
    let log = RequestLog()
    let errors = ErrorLog()
    try await ScriptedServer.with { request in
      log.add(request) == 2 ? [.respond("no", status: 500)] : [.respond(answer(request))]
    } _: { server async throws in
      let store = ApolloStore(cache: InMemoryNormalizedCache())
      let provider = LoggingProvider(
        base: D002.NetworkInterceptorProvider(store: store, client: URLSessionClient()), log: errors)
      #expect(try await fetch(provider, store, server) == "Luke Skywalker")
      try await store.clearCache()
      await #expect(throws: ResponseCodeInterceptor.ResponseCodeError.self) {
        try await fetch(provider, store, server)
      }
    }
    #expect(log.all.first?.headers["authorization"] == "Bearer t1")
    #expect(errors.statuses.withLock { $0 } == [500])
    _ = D002.client.store
  }

  @Test("003: the interceptors without identifiers run in order, and the result is parsed, cached and returned")
  func document003() async throws {
    let log = RequestLog()
    try await ScriptedServer.with { request in
      _ = log.add(request)
      return [.respond(answer(request))]
    } _: { server async throws in
      let store = ApolloStore(cache: InMemoryNormalizedCache())
      let provider = D003.NetworkInterceptorProvider(store: store, client: URLSessionClient())
      #expect(try await fetch(provider, store, server) == "Luke Skywalker")
      #expect(try await store.load(HeroNameQuery(episode: .empire)).hero?.name == "Luke Skywalker")
    }
    #expect(log.all.map { $0.headers["authorization"] } == ["Bearer t1"])
    _ = D003.Network.shared.apollo.store
  }

  @Test("004: typed names, the friends' names joined, and data as JSON and back")
  func document004() async throws {
    try await ScriptedServer.with { request in
      [.respond(answer(request))]
    } _: { server async throws in
      let client = ApolloClient(url: URL(string: server.address)!)
      let data = try #require(try await client.fetch(query: HeroAndFriendsNamesQuery(episode: .empire)).data)
      #expect(
        data.hero?.friends?.compactMap { $0?.name }.joined(separator: ", ") == "Han Solo, Leia Organa, C-3PO, R2-D2")
      let serialized = try JSONSerialization.data(withJSONObject: data.jsonObject, options: [])
      let deserialized = try #require(try JSONSerialization.jsonObject(with: serialized) as? JSONObject)
      #expect(try HeroAndFriendsNamesQuery.Data(jsonObject: deserialized) == data)
    }
  }

  @Test("004: a custom scalar that is an object or a list is decoded by the document's own initializer")
  func customScalar() async throws {
    try await ScriptedServer.with { request in
      [.respond(answer(request))]
    } _: { server async throws in
      let data = try await ApolloClient(url: URL(string: server.address)!).fetch(query: SettingsQuery()).data
      guard case .dictionary(let settings) = try #require(data?.settings) else {
        Issue.record("not an object")
        return
      }
      #expect(settings["theme"] as? String == "dark")
      #expect(settings["sizes"] as? [Int] == [1, 2])
    }
    guard case .array = try CustomJSON(jsonValue: [1, 2] as [JSONValue]) else {
      Issue.record("not a list")
      return
    }
    #expect(throws: JSONDecodingError.self) { try CustomJSON(jsonValue: 7) }
  }

  @Test("004: the samples themselves, at the address in the document")
  func samples() async throws {
    let log = Awaited(0), allHaveCome = ScriptedServer.Gate(), answers = Event()
    let server = try? await ScriptedServer.start(port: 8080) { request in
      log.change { $0 += 1 }
      // (After an answer, an equal query would be answered by the cache.)
      return [.wait(allHaveCome), .respond(answer(request)), .tell(answers)]
    }
    guard let server else {
      try Test.cancel("port 8080, which the document names, is taken: its samples were compiled, but not run")
    }
    D004.samples()
    try await log.until { $0 == 4 }
    allHaveCome.open()
    try await answers.wait(for: 4)
    try await server.stop()
  }
}
