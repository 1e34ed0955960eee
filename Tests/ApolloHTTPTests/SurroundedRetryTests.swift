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

/// Adds the token that holds now.
private struct Signing: GraphQLInterceptor {
  let token: Locked<String>

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    var request = request
    request.addHeader(name: "Authorization", value: token.withLock { $0 })
    return await next(request)
  }
}

/// Gets another token after an error, and starts the operation again.
private struct Renewing: GraphQLInterceptor {
  let token: Locked<String>

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request).mapErrors { _ in
      token.withLock { $0 = "new" }
      throw RequestChain.Retry(request: request)
    }
  }
}

/// The same with callbacks: it starts an operation again whose answer is one without success.
private final class Restarting: ApolloInterceptor, Sendable {
  let token: Locked<String>

  init(_ token: Locked<String>) { self.token = token }

  func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    guard response?.httpResponse.statusCode == 401 else {
      return chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
    }
    token.withLock { $0 = "new" }
    chain.retry(request: request, completion: completion)
  }
}

/// Fails with the first result.
private struct Failing: GraphQLInterceptor {
  let count = Locked(0)

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request).map { parsed in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 1 { throw URLError(.networkConnectionLost) }
      return parsed
    }
  }
}

/// Changes the list of the default provider.
private struct EditedProvider: InterceptorProvider {
  let base: DefaultInterceptorProvider
  let edit: @Sendable (inout [any ApolloInterceptor]) -> Void

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any ApolloInterceptor] {
    var interceptors = base.interceptors(for: operation)
    edit(&interceptors)
    return interceptors
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

  private func client(
    _ server: ScriptedServer, options: DefaultInterceptorProvider.Options = .init(), autoPersistQueries: Bool = false,
    editing edit: @escaping @Sendable (inout [any ApolloInterceptor]) -> Void
  ) throws -> ApolloClient {
    let store = ApolloStore()
    let provider = EditedProvider(base: DefaultInterceptorProvider(store: store, options: options), edit: edit)
    let transport = RequestChainNetworkTransport(
      interceptorProvider: provider, endpointURL: try #require(URL(string: server.address)),
      autoPersistQueries: autoPersistQueries)
    return ApolloClient(networkTransport: transport, store: store)
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

  @Test(
    "What code of the app starts again begins with the first interceptor, also with one before the one that counts",
    arguments: [true, false])
  func wholeChain(isAround: Bool) async throws {
    let requests = try await serve { _, request in
      [request.headers["authorization"] == "new" ? .respond(hero()) : .respond("no", status: 401)]
    } _: { server async throws in
      let token = Locked("old")
      let client = try client(server) { interceptors in
        let index = interceptors.firstIndex { $0 is ResponseCodeInterceptor } ?? 0
        if isAround {
          interceptors.insert(Renewing(token: token), at: 1)
        } else {
          interceptors.insert(Restarting(token), at: index)
        }
        interceptors.insert(Signing(token: token), at: 0)
      }
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.map { $0.headers["authorization"] } == ["old", "new"])
  }

  @Test("A part that begins behind the response does not begin anew with that response")
  func behindResponse() async throws {
    let requests = try await serve { count, _ in
      [.respond(count == 1 ? PersistedQueryTests.notFound : hero())]
    } _: { server async throws in
      let client = try client(server, autoPersistQueries: true) { [witness] interceptors in
        let index = interceptors.firstIndex { $0 is AutomaticPersistedQueryInterceptor } ?? 0
        interceptors.insert(witness, at: index)
      }
      _ = try await client.fetch(query: IdentifiedQuery())
    }
    #expect(requests.map { $0.body.contains("query Hero") } == [false, true])
    #expect(errorCounts == [0, 0])
  }

  @Test("What an interceptor around an answer fails with is tried again, as long as the caller has nothing of it")
  func failingMap() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero())]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.retry = RetryTests.fast
      let client = try client(server, options: options) { $0.insert(Failing(), at: 0) }
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.count == 2)
  }

  /// Makes the header field anew in each pass.
  private final class Counting: ApolloInterceptor, Sendable {
    let count = Locked(0)

    func interceptAsync<Operation: GraphQLOperation>(
      chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
      completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
    ) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      request.addHeader(name: "Authorization", value: "Basic \(number)")
      chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
    }
  }

  @Test("A header field that one has made anew is sent where the credentials that took its place are gone")
  func madeAnew() async throws {
    struct SignedOut: Authenticator {
      let isRenewed = Locked(false)
      func credentials() -> [String: String] { isRenewed.withLock { $0 } ? [:] : ["Authorization": "Bearer old"] }
      func renew(refused: [String: String]) -> Bool {
        isRenewed.withLock { $0 = true }
        return true
      }
    }
    let requests = try await serve { _, request in
      [.respond(hero(), status: request.headers["authorization"] == "Bearer old" ? 401 : 200)]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.authenticator = SignedOut()
      let client = try client(server, options: options) { [counting = Counting()] in $0.insert(counting, at: 0) }
      #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "R2-D2")
    }
    #expect(requests.map { $0.headers["authorization"] } == ["Bearer old", "Basic 2"])
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
