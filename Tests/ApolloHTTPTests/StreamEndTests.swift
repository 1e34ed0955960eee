import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

/// A clock that leaps by more than a minute whenever it is asked, and never ends a wait.
private struct LeapingClock: ClientClock {
  private let start = ContinuousClock.now
  private let count = Locked(0)

  var now: ContinuousClock.Instant {
    let count = count.withLock { count in
      count += 1
      return count
    }
    return start + .seconds(61 * count)
  }
  var date: Date { Date() }

  func sleep(until deadline: ContinuousClock.Instant) async throws { try await untilCancelled() }
}

/// Gives numbers as credentials, a new one for each renewal.
private struct NumberedAuthenticator: Authenticator {
  private let number = Locked(1)

  func credentials() -> [String: String] { ["Authorization": "\(number.withLock { $0 })"] }

  func renew(refused: [String: String]) -> Bool {
    number.withLock { $0 += 1 }
    return true
  }
}

@Suite("Ends of parts, and of bodies in parts", .everyStyle, .timeLimit(.minutes(5)))
struct StreamEndTests {
  private typealias Problem = MultipartResponseParsingInterceptor.ParsingError

  private let subscription = HTTPSubscriptionTests()

  /// A part of a server that writes a delimiter before each part, and none behind it.
  private func part(_ json: String) -> String {
    "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n\(json.restyled)\r\n"
  }

  private func event(_ count: Int) -> String { part(#"{"payload":{"data":{"count":\#(count)}}}"#) }

  @Test("A part counts even if the body ends without the delimiter behind it, and then the end is an error")
  func lastPart() async throws {
    let (events, errors, failure) = try await subscription.events([
      .write(event(1)), .write(part(#"{"payload":{"data":null,"errors":[{"message":"You have an error"}]}}"#)),
    ])
    #expect(events == [1, nil])
    #expect(errors == [[], ["You have an error"]])
    #expect(failure?.cause as? Problem == .prematureEnd, "\(failure as Any)")
  }

  @Test("Errors that end a subscription are its error, also without a delimiter behind them")
  func lastErrors() async throws {
    let (events, _, failure) = try await subscription.events([
      .write(event(1)), .write(part(#"{"payload":null,"errors":[{"message":"gone"}]}"#)),
    ])
    #expect(events == [1])
    #expect(failure?.cause as? Problem == .irrecoverableError(message: "gone"), "\(failure as Any)")
  }

  @Test("A query that has its last part succeeds without the delimiter behind it")
  func query() async throws {
    let parts = [
      #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"d"}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","data":{"slowBio":"long"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
    ]
    try await serve { number, _ in
      let written = number == 1 ? part(hero()) : parts.map(part).joined()
      return [.begin(contentType: "multipart/mixed;boundary=graphql"), .write(written), .close]
    } _: { server async throws in
      let client = client(server)
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
      var bios: [String?] = []
      for try await result in client.results(of: DeferredBioQuery(), cachePolicy: .fetchIgnoringCacheData) {
        bios.append(result.data?.hero?.slowBio)
      }
      #expect(bios == [nil, "long"])
    }
  }

  @Test("A sign of life before the first part of a query is not its end", arguments: [true, false])
  func signOfLife(isMultipart: Bool) async throws {
    let type = isMultipart ? "multipart/mixed;boundary=graphql" : "text/event-stream"
    let body =
      isMultipart
      ? part("{}") + part(hero()) + "--graphql--\r\n"
      : "event: next\ndata: {}\n\nevent: next\ndata: \(hero())\n\nevent: complete\n\n"
    try await serve { _, _ in
      [.begin(contentType: type), .write(body), .close]
    } _: { server async throws in
      #expect(try await client(server).fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
  }

  @Test("An event is there as soon as its part is whole, before the server writes the next delimiter")
  func beforeDelimiter() async throws {
    let gate = ScriptedServer.Gate()
    try await serve { _, _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart), .write(event(1)), .wait(gate),
        .write(event(2) + "--graphql--\r\n"), .close,
      ]
    } _: { server async throws in
      var counts: [Int?] = []
      for try await event in client(server).subscribe(to: CountSubscription()) {
        counts.append(event.data?.count)
        gate.open()
      }
      #expect(counts == [1, 2])
    }
  }

  @Test(
    "An event stream that ends in its last event is complete, also without line ends behind it",
    arguments: ["event: complete", "event: complete\n", "event: complete\ndata:", "event:complete\r\ndata: {}\r\n"])
  func eventStream(_ end: String) async throws {
    let (events, _, failure) = try await subscription.events(
      [.write("event: next\ndata: {\"data\":{\"count\":1}}\n\n" + end)], contentType: "text/event-stream")
    #expect(events == [1])
    #expect(failure == nil, "\(failure as Any)")
  }

  @Test("An event of an event stream that is not ended does not count")
  func openEvent() async throws {
    let (events, _, failure) = try await subscription.events(
      [.write("event: next\ndata: {\"data\":{\"count\":1}}\n")], contentType: "text/event-stream")
    #expect(events == [])
    #expect(failure?.cause as? Problem == .prematureEnd, "\(failure as Any)")
  }

  // MARK: Errors that end a subscription

  /// Keeps the body of the response that it is told with an error.
  private final class Witness: ApolloErrorInterceptor, Sendable {
    let body = Locked<Data?>(nil)

    func handleErrorAsync<Operation: GraphQLOperation>(
      error: any Error, chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let data = response?.rawData
      body.withLock { $0 = data }
      completion(.failure(error))
    }
  }

  @Test("An error interceptor gets all errors that end a subscription, with their extensions")
  func extensions() async throws {
    let message = "subscription has been closed due to a schema reload"
    let reload = #"{"message":"\#(message)","extensions":{"code":"SUBSCRIPTION_SCHEMA_RELOAD"}}"#
    let witness = Witness()
    try await serve { _, _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart),
        .write(event(1) + part(#"{"payload":null,"errors":[\#(reload),{"message":"b","extensions":{"code":"B"}}]}"#)),
        .close,
      ]
    } _: { server async throws in
      let client = client(server, CustomProvider(errorInterceptor: witness))
      let error = await #expect(throws: OperationError.self) {
        for try await _ in client.subscribe(to: CountSubscription()) {}
      }
      #expect(error?.cause as? Problem == .irrecoverableError(message: message), "\(error as Any)")
    }
    let body = try #require(witness.body.withLock { $0 })
    let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
    let errors = try #require(object?["errors"] as? [[String: Any]])
    #expect(
      errors.map { ($0["extensions"] as? [String: Any])?["code"] as? String } == ["SUBSCRIPTION_SCHEMA_RELOAD", "B"])
  }

  private struct Passing: GraphQLInterceptor {
    func intercept<Request: GraphQLRequest>(
      request: Request, next: @Sendable (Request) async -> InterceptorResultStream<Request>
    ) async throws -> InterceptorResultStream<Request> { await next(request) }
  }

  @Test(
    "A query whose body has no result fails, also for callers with callbacks and behind an interceptor",
    arguments: [
      ("text/event-stream", "event: complete\n\n"), ("multipart/mixed; boundary=X", "--X--"),
      ("multipart/mixed; boundary=X", "--X\r\nContent-Type: application/json\r\n\r\n{}\r\n--X--"),
    ])
  func noResult(_ type: String, _ body: String) async throws {
    try await serve { _, _ in
      [.begin(contentType: type), .write(body), .close]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      for hasInterceptor in [false, true] {
        configuration.http.graphQLInterceptors = hasInterceptor ? [Passing()] : []
        let client = ApolloClient(configuration: configuration)
        let code: ApolloErrorCode? = await withCheckedContinuation { continuation in
          client.fetch(query: HeroQuery(), queue: .global()) { result in
            let error = #expect(throws: (any Error).self) { try result.get() }
            continuation.resume(returning: (error as? any ApolloError)?.code)
          }
        }
        #expect(code == .invalidResponse)
      }
    }
  }

  @Test("A subscription may end without an event, also behind an interceptor", arguments: [false, true])
  func noEvent(hasInterceptor: Bool) async throws {
    try await serve { _, _ in
      [.begin(contentType: "text/event-stream"), .write("event: complete\n\n"), .close]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      if hasInterceptor { configuration.http.graphQLInterceptors = [Passing()] }
      for try await _ in ApolloClient(configuration: configuration).subscribe(to: CountSubscription()) {
        Issue.record("There is no event.")
      }
    }
  }

  @Test(
    "A subscription that ends because its credentials are refused begins again with renewed ones",
    arguments: [false, true])
  func renewal(hasInterceptor: Bool) async throws {
    let authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in BearerTokenAuthenticator.Token("new") }
    let refusal = #"{"payload":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let requests = try await serve { _, request in
      let isKnown = request.headers["authorization"] == "Bearer new"
      return [
        .begin(contentType: HTTPSubscriptionTests.multipart),
        .write(isKnown ? event(2) : event(1) + part(refusal)), .write("\r\n--graphql--"), .close,
      ]
    } _: { server async throws in
      var counts: [Int?] = []
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.authenticator = authenticator
      if hasInterceptor { configuration.http.graphQLInterceptors = [Passing()] }
      for try await event in ApolloClient(configuration: configuration).subscribe(to: CountSubscription()) {
        counts.append(event.data?.count)
      }
      #expect(counts == [1, 2])
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
  }

  @Test("A subscription outlives any number of credentials", arguments: [false, true])
  func renewals(hasInterceptor: Bool) async throws {
    let refusal = #"{"payload":null,"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let requests = try await serve { count, _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart),
        .write(event(count) + (count < 20 ? part(refusal) : "")), .write("\r\n--graphql--"), .close,
      ]
    } _: { server async throws in
      var counts: [Int] = []
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.clock = LeapingClock()
      configuration.authenticator = NumberedAuthenticator()
      if hasInterceptor { configuration.http.graphQLInterceptors = [Passing()] }
      for try await event in ApolloClient(configuration: configuration).subscribe(to: CountSubscription()) {
        counts.append(event.data?.count ?? 0)
      }
      #expect(counts == Array(1...20))
    }
    #expect(requests.map { $0.headers["authorization"] ?? "" } == Array(1...20).map { "\($0)" })
  }
}
