import Apollo
import Foundation
import ScriptedServer
import StyledTests
import Testing

/// Notes each error that it sees.
private struct Witness: GraphQLInterceptor {
  let errors = Locked<[String]>([])

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request).mapErrors { error in
      errors.withLock { $0.append("\(error)") }
      throw error
    }
  }
}

/// Does the same, and reads the results itself.
private struct Reader: GraphQLInterceptor {
  let errors = Locked<[String]>([])

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    let results = await next(request)
    return InterceptorResultStream(
      stream: AsyncThrowingStream { continuation in
        let task = Task {
          do {
            for try await parsed in results { continuation.yield(parsed) }
            continuation.finish()
          } catch {
            errors.withLock { $0.append("\(error)") }
            continuation.finish(throwing: error)
          }
        }
        continuation.onTermination = { _ in task.cancel() }
      })
  }
}

/// Starts the operation again after each error.
private struct Again: GraphQLInterceptor {
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request).mapErrors { _ in throw RequestChain.Retry(request: request) }
  }
}

@Suite("What interceptors around an operation see of what starts again", .everyStyle, .timeLimit(.minutes(5)))
struct SurroundedRetryTests {
  private let witness = Witness(), reader = Reader()

  private func client(
    _ server: ScriptedServer, _ interceptors: [any GraphQLInterceptor],
    _ configure: (inout ApolloClient.Configuration) -> Void
  ) throws -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
    configuration.http.graphQLInterceptors = interceptors
    configure(&configuration)
    return ApolloClient(configuration: configuration)
  }

  private var errorCounts: [Int] { [witness.errors.withLock { $0.count }, reader.errors.withLock { $0.count }] }

  @Test(
    "They see no refusal after which credentials are renewed, and the one that follows it", arguments: [true, false])
  func renewal(isKnown: Bool) async throws {
    let requests = try await serve { _, request in
      let isNew = request.headers["authorization"] == "Bearer new"
      return [isNew && isKnown ? .respond(hero()) : .respond("no", status: 401)]
    } _: { server async throws in
      let client = try client(server, [witness, reader]) {
        $0.authenticator = BearerTokenAuthenticator(token: .init("old")) { _ in BearerTokenAuthenticator.Token("new") }
      }
      let name = try? await client.fetch(query: HeroQuery()).data?.hero?.name
      #expect(name == (isKnown ? "R2-D2" : nil))
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer old", "Bearer new"])
    #expect(errorCounts == (isKnown ? [0, 0] : [1, 1]))
  }

  @Test("They see nothing of a hash that the server does not know, and retries after that count in full")
  func persistedQuery() async throws {
    let requests = try await serve { count, _ in
      [count == 1 ? .respond(PersistedQueryTests.notFound) : .respond("no", status: 503)]
    } _: { server async throws in
      let client = try client(server, [witness, reader]) {
        $0.http.autoPersistQueries = true
        $0.retry = RetryTests.fast
      }
      let error = await #expect(throws: OperationError.self) { try await client.fetch(query: IdentifiedQuery()) }
      #expect(error?.httpStatus == 503)
    }
    // The hash, the document, and three retries.
    #expect(requests.map { $0.body.contains("query Hero") } == [false, true, true, true, true])
    // (They may recover from each failure.)
    #expect(errorCounts == [4, 4])
  }

  @Test("That one of them starts the operation again is not an error for those around it")
  func again() async throws {
    let requests = try await serve { count, _ in
      [count == 1 ? .respond("no", status: 503) : .respond(hero())]
    } _: { server async throws in
      let client = try client(server, [witness, Again()]) { _ in }
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.count == 2)
    #expect(errorCounts == [0, 0])
  }

  @Test("The text of a request, and of what starts it again, has nothing that may be secret")
  func text() throws {
    let endpoint = try #require(URL(string: "http://user:hunter2@localhost/graphql?key=hunter2"))
    let request = HTTPRequest(
      graphQLEndpoint: endpoint, operation: HeroQuery(), contentType: "application/json", clientName: "",
      clientVersion: "", additionalHeaders: ["Authorization": "Bearer hunter2", "X-Own": "own"])
    for text in [request.debugDescription, "\(RequestChain.Retry(request: request))"] {
      #expect(!text.contains("hunter2"), "\(text)")
      #expect(text.contains("X-Own: own") && text.contains("http://localhost/graphql"), "\(text)")
    }
  }
}
