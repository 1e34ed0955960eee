import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Callbacks, and interceptors, get the error that was thrown; `async` functions get it with the operation and the place.
@Suite("Errors as they were thrown", .everyStyle)
struct CallbackErrorTests {
  typealias ParsingError = JSONResponseParsingInterceptor.JSONResponseParsingError

  /// The error that the callback of a query gets.
  private func callbackError<Query: GraphQLQuery>(
    _ steps: [ScriptedServer.Step], query: Query, provider: (any InterceptorProvider)? = nil
  ) async throws -> (any Error)? {
    let result = Locked<(any Error)?>(nil)
    try await serve { _, _ in
      steps
    } _: { server async throws in
      let client = client(server, provider: provider)
      let outcome: Result<GraphQLResult<Query.Data>, any Error> = await withCheckedContinuation { continuation in
        client.fetch(query: query, queue: .global()) { continuation.resume(returning: $0) }
      }
      if case .failure(let error) = outcome { result.withLock { $0 = error } }
    }
    return result.withLock { $0 }
  }

  private func client(_ server: ScriptedServer, provider: (any InterceptorProvider)?) -> ApolloClient {
    ApolloClient(
      networkTransport: RequestChainNetworkTransport(
        interceptorProvider: provider ?? DefaultInterceptorProvider(store: ApolloStore()),
        endpointURL: URL(string: server.address)!))
  }

  @Test(
    "A body that is not a JSON object is couldNotParseToJSON with the body, for callbacks", .asWritten,
    arguments: ["", "  ", "<html>Oops</html>", "[]", "7", "null", "{", #"{"data": nope}"#, #"{"data":{}} x"#])
  func notJSON(_ body: String) async throws {
    let error = try await callbackError([.respond(body)], query: HeroQuery())
    guard case ParsingError.couldNotParseToJSON(let data)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(String(decoding: data, as: UTF8.self) == body)
  }

  @Test("What is an object, but not what the operation selects, is the error that names the field, for callbacks")
  func wrongData() async throws {
    let wrong = try await callbackError([.respond(#"{"data":{"hero":{"__typename":7}}}"#)], query: HeroQuery())
    #expect((wrong as? ResponseDecodingError)?.path == ["hero", "__typename"], "\(wrong as Any)")
    let empty = try await callbackError([.respond("{}")], query: HeroQuery())
    #expect((empty as? ResponseDecodingError)?.reason == .missingValue, "\(empty as Any)")
    #expect((empty as? any ApolloError)?.code == .invalidResponse)
  }

  @Test("An async function throws the same error with the operation, the status, the type and the address")
  func asynchronous() async throws {
    for body in ["<html>Oops</html>", #"{"data":{"hero":7}}"#] {
      let error = try #require(try await failure([.respond(body, contentType: "text/html; charset=utf-8")]))
      #expect(error.operationName == "Hero")
      #expect(error.code == .invalidResponse)
      #expect(error.httpStatus == 200)
      #expect(error.message.contains("[HTTP status 200, text/html; charset=utf-8, http://127.0.0.1:"), "\(error)")
      #expect(body.contains("html") ? error.cause is ParsingError : error.cause is ResponseDecodingError)
    }
  }

  @Test("A status that is not a success is ResponseCodeError, whose graphQLError is the whole body")
  func responseCode() async throws {
    for (body, message, key) in [
      (#"{"errors":[{"message":"a"},{"message":"b"}]}"#, "a", "errors"),
      (#"{"message":"denied","code":7}"#, "denied", "code"),
      (#"{"errors":[],"error":"x"}"#, nil, "error"), ("[]", nil, nil), ("no", nil, nil),
    ] as [(String, String?, String?)] {
      let error = try await callbackError([.respond(body, status: 403)], query: HeroQuery())
      let refusal = try #require(error as? ResponseCodeInterceptor.ResponseCodeError, "\(error as Any)")
      #expect(refusal.graphQLError?.message == message, "\(body)")
      if let key { #expect(refusal.graphQLError?[key] != nil, "\(body)") }
      #expect((refusal.graphQLError != nil) == body.hasPrefix("{"), "\(body)")
      #expect(refusal.httpStatus == 403 && refusal.response.statusCode == 403)
      #expect(!refusal.chunk.isEmpty)
    }
    let none = ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(response: nil, rawData: nil)
    #expect(none.httpStatus == nil && none.response.statusCode == 0 && none.chunk.isEmpty)
  }

  @Test("The parsing interceptors of earlier releases throw their own errors")
  func legacy() async throws {
    struct Provider: InterceptorProvider {
      let interceptor: any ApolloInterceptor & Sendable
      let client = URLSessionClient()
      func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
        [NetworkFetchInterceptor(client: client), interceptor]
      }
    }
    let parsing = Provider(interceptor: LegacyParsingInterceptor())
    let error = try await callbackError([.respond("nope")], query: HeroQuery(), provider: parsing)
    guard case LegacyParsingInterceptor.LegacyParsingError.couldNotParseToLegacyJSON(let data)? = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(data == Data("nope".utf8))
    let codable = Provider(interceptor: CodableParsingInterceptor(decoder: JSONDecoder()))
    let other = try await callbackError(
      [.respond(#"{"data":{"hero":{"name":7}}}"#)], query: CodableHeroQuery(), provider: codable)
    #expect(other is DecodingError, "\(other as Any)")
  }

  /// Keeps what it is told, and lets it pass.
  final class Witness: ApolloErrorInterceptor, Sendable {
    let error = Locked<(any Error)?>(nil)

    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      self.error.withLock { $0 = error }
      completion(.failure(error))
    }
  }

  @Test("An error interceptor sees the error as it was thrown, and a watcher's callback gets it")
  func interceptorsAndWatchers() async throws {
    let witness = Witness()
    try await serve { _, _ in
      [.respond("nope")]
    } _: { server async throws in
      let client = client(server, provider: CustomProvider(errorInterceptor: witness))
      let errors = Locked<[any Error]>([])
      let watcher = client.watch(query: HeroQuery(), callbackQueue: .global()) { result in
        if case .failure(let error) = result { errors.withLock { $0.append(error) } }
      }
      try await eventually { !errors.withLock { $0.isEmpty } }
      watcher.cancel()
      #expect(errors.withLock { $0.first } is ParsingError)
      let error = await #expect(throws: OperationError.self) {
        for try await _ in client.watch(query: HeroQuery()) {}
      }
      #expect(error?.cause is ParsingError)
      #expect(error?.message.contains("HTTP status 200") == true, "\(error as Any)")
    }
    #expect(witness.error.withLock { $0 } is ParsingError)
  }

  /// Fails with what `URLSession` says of a cancelled task, or with the error of a session of that.
  private final class CancellingInterceptor: ApolloInterceptor, Sendable {
    let id = "cancelling"
    let goesThroughChain: Bool

    init(goesThroughChain: Bool) { self.goesThroughChain = goesThroughChain }

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let error = URLError(.cancelled)
      if !goesThroughChain { return completion(.failure(error)) }
      chain.handleErrorAsync(error, request: request, response: response, completion: completion)
    }
  }

  @Test(
    "URLError.cancelled stays that for callbacks, and async functions throw CancellationError",
    arguments: [false, true])
  func cancelledByInterceptor(goesThroughChain: Bool) async throws {
    struct Provider: InterceptorProvider {
      let interceptor: any ApolloInterceptor & Sendable
      func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
        [interceptor]
      }
    }
    let provider = Provider(interceptor: CancellingInterceptor(goesThroughChain: goesThroughChain))
    let error = try await callbackError([.close], query: HeroQuery(), provider: provider)
    #expect((error as? URLError)?.code == .cancelled, "\(error as Any)")
    try await serve { _, _ in
      [.close]
    } _: { server async throws in
      let client = client(server, provider: provider)
      let errors = Locked<[any Error]>([])
      let watcher = client.watch(query: HeroQuery(), callbackQueue: .global()) { result in
        if case .failure(let error) = result { errors.withLock { $0.append(error) } }
      }
      try await eventually { !errors.withLock { $0.isEmpty } }
      watcher.cancel()
      #expect((errors.withLock { $0.first } as? URLError)?.code == .cancelled)
      await #expect(throws: CancellationError.self) { try await client.fetch(query: HeroQuery()) }
      await #expect(throws: CancellationError.self) {
        try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst)
      }
      await #expect(throws: CancellationError.self) {
        for try await _ in client.results(of: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) {}
      }
      await #expect(throws: CancellationError.self) { for try await _ in client.watch(query: HeroQuery()) {} }
      await #expect(throws: CancellationError.self) {
        for try await _ in client.subscribe(to: CountSubscription()) {}
      }
    }
  }

  @Test("The async functions of a transport throw CancellationError as well")
  func cancelledInTransport() async throws {
    struct Provider: InterceptorProvider {
      let interceptor: any ApolloInterceptor & Sendable
      func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
        [interceptor]
      }
    }
    let interceptor = CancellingInterceptor(goesThroughChain: true)
    let transport = RequestChainNetworkTransport(
      interceptorProvider: Provider(interceptor: interceptor), endpointURL: URL(string: "http://127.0.0.1:9")!)
    await #expect(throws: CancellationError.self) {
      try await transport.lastResult(of: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    }
    await #expect(throws: CancellationError.self) {
      for try await _ in transport.results(of: HeroQuery(), cachePolicy: .fetchIgnoringCacheData) {}
    }
    await #expect(throws: CancellationError.self) {
      for try await _ in transport.results(ofUploading: HeroQuery(), files: []) {}
    }
    await #expect(throws: CancellationError.self) { for try await _ in transport.subscribe(to: CountSubscription()) {} }
    let client = ApolloClient(networkTransport: transport)
    await #expect(throws: CancellationError.self) { try await client.fetch(query: HeroQuery()) }
  }

  @Test("The callback of a subscription gets the error of the interceptor that takes parts apart")
  func subscription() async throws {
    let message = "\r\nContent-Type: application/json\r\n\r\n" + #"{"errors":[{"message":"reload"}]}"#.restyled
    try await serve { _, _ in
      [.begin(contentType: HTTPSubscriptionTests.multipart), .write("--graphql" + message + "\r\n--graphql--"), .close]
    } _: { server async throws in
      let errors = Locked<[any Error]>([])
      let client = client(server, provider: nil)
      _ = client.subscribe(subscription: CountSubscription(), queue: .global()) { result in
        if case .failure(let error) = result { errors.withLock { $0.append(error) } }
      }
      try await eventually { !errors.withLock { $0.isEmpty } }
      #expect(
        errors.withLock { $0.first } as? MultipartResponseParsingInterceptor.ParsingError
          == .irrecoverableError(message: "reload"))
    }
  }
}
