import Apollo
import Foundation
import ScriptedServer
import Testing

@Suite("The errors of the server in errors of the client", .timeLimit(.minutes(5)))
struct EndErrorTests {
  private typealias Problem = MultipartResponseParsingInterceptor.ParsingError

  private static let errors =
    #"[{"message":"a","extensions":{"code":"A"}},{"message":"b","extensions":{"code":"B"}}]"#

  private static let end: [ScriptedServer.Step] = [
    .begin(contentType: HTTPSubscriptionTests.multipart),
    .write("\r\n--graphql\r\nContent-Type: application/json\r\n\r\n"),
    .write(#"{"payload":null,"errors":\#(Self.errors)}"#), .write("\r\n--graphql--\r\n"), .close,
  ]

  private struct Passing: GraphQLInterceptor {
    func intercept<Request: GraphQLRequest>(
      request: Request, next: @Sendable (Request) async -> InterceptorResultStream<Request>
    ) async throws -> InterceptorResultStream<Request> { await next(request) }
  }

  @Test("An OperationError has all errors that end a subscription, with their extensions", arguments: [false, true])
  func subscription(hasInterceptor: Bool) async throws {
    let end = Self.end
    try await serve { _, _ in
      end
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      if hasInterceptor { configuration.http.graphQLInterceptors = [Passing()] }
      let client = ApolloClient(configuration: configuration)
      let error = await #expect(throws: OperationError.self) {
        for try await _ in client.subscribe(to: CountSubscription()) {}
      }
      #expect(error?.cause as? Problem == .irrecoverableError(message: "a"), "\(error as Any)")
      let errors = try #require(error).graphQLErrors
      #expect(errors.map(\.message) == ["a", "b"])
      #expect(errors.map { $0.extensions?["code"] as? String } == ["A", "B"])
    }
  }

  /// Wraps the interceptor that splits responses into their parts.
  private struct WrappingProvider: InterceptorProvider {
    let base = DefaultInterceptorProvider(store: ApolloStore())

    func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
      base.interceptors(for: operation).map { (interceptor: any ApolloInterceptor) -> any ApolloInterceptor in
        guard let inner = interceptor as? MultipartResponseParsingInterceptor else { return interceptor }
        return TrickyRequestTests.WrappingInterceptor(inner)
      }
    }
  }

  @Test("They are there behind any number of events, also if an interceptor of the app wraps the one that finds them")
  func wrapped() async throws {
    let event = #"{"payload":{"data":{"count":1}}}"#
    let parts = [event, event, event, #"{"payload":null,"errors":\#(Self.errors)}"#].map { part in
      "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n" + part
    }
    try await serve { _, _ in
      [
        .begin(contentType: HTTPSubscriptionTests.multipart), .write(parts.joined() + "\r\n--graphql--\r\n"), .close,
      ]
    } _: { server async throws in
      let transport = RequestChainNetworkTransport(
        interceptorProvider: WrappingProvider(), endpointURL: try #require(URL(string: server.address)))
      let client = ApolloClient(networkTransport: transport)
      // (Which of the two tasks is first depends on the system.)
      for _ in 1...20 {
        var count = 0
        let error = await #expect(throws: OperationError.self) {
          for try await _ in client.subscribe(to: CountSubscription()) { count += 1 }
        }
        #expect(count == 3)
        #expect(error?.cause as? Problem == .irrecoverableError(message: "a"), "\(error as Any)")
        #expect(error?.graphQLErrors.map(\.message) == ["a", "b"])
      }
    }
  }

  @Test("A callback gets the error with the message alone")
  func callback() async throws {
    let end = Self.end
    try await serve { _, _ in
      end
    } _: { server async throws in
      let isExpected = Received<Bool>()
      let running = client(server).subscribe(subscription: CountSubscription(), queue: .global()) { result in
        if case .failure(let error) = result {
          isExpected.add(error as? Problem == .irrecoverableError(message: "a"))
        }
      }
      #expect(await isExpected.next() == true)
      running.cancel()
    }
  }

  private struct OwnError: ApolloError {
    var code: ApolloErrorCode { .other }
    var message: String { "own" }
    var cause: (any Error)?
  }

  @Test("An error without errors of the server has those of its cause")
  func causes() {
    let body = Data(#"{"errors":\#(Self.errors)}"#.utf8)
    let refusal = ResponseCodeInterceptor.ResponseCodeError.invalidResponseCode(response: nil, rawData: body)
    let own = OwnError(cause: refusal), outer = OperationError(.other, "outer", cause: own)
    #expect(own.graphQLErrors.map(\.message) == ["a", "b"])
    #expect(outer.graphQLErrors.map(\.message) == ["a", "b"])
    #expect(OwnError(cause: URLError(.timedOut)).graphQLErrors.isEmpty)
    #expect(OwnError(cause: nil).graphQLErrors.isEmpty)
  }
}
