import Apollo
import Fixture0001
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The network layer of apps of release 2: interceptors, provider, transport and calls, after the renames that
// Docs/documents.md lists (`HTTPResponse` → `ChunkedHTTPResponse`, `GraphQLResponse<Query>` → `GraphQLResult<Query.Data>`).

public actor Session {
  public static let shared = Session()
  public private(set) var accessToken = "a"
  public private(set) var renewals = 0

  public func renew() {
    renewals += 1
    accessToken = "b"
  }
}

/// Adds a token to each exchange, and other fields by the address.
public final class HeaderAddingInterceptor: HTTPInterceptor {
  public init() {}

  public func intercept(
    request: URLRequest, next: NextHTTPInterceptorFunction
  ) async throws -> ChunkedHTTPResponse {
    var request = request
    request.addValue("Bearer \(await Session.shared.accessToken)", forHTTPHeaderField: "Authorization")
    if request.url?.host == "127.0.0.1" { request.setValue("sv", forHTTPHeaderField: "Accept-Language") }
    return try await next(request)
  }
}

/// Renews the token when the server says so, and starts over.
public struct RenewingInterceptor: GraphQLInterceptor {
  public init() {}

  public func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request).mapErrors { error in
      guard let error = error as? ResponseCodeInterceptor.ResponseCodeError, error.response.statusCode == 401 else {
        throw error
      }
      await Session.shared.renew()
      throw RequestChain.Retry(request: request)
    }
  }
}

/// Counts the errors of fields.
public struct ErrorCountingInterceptor: GraphQLInterceptor {
  public let onErrors: @Sendable (String, Int) -> Void

  public init(onErrors: @escaping @Sendable (String, Int) -> Void) { self.onErrors = onErrors }

  public func intercept<Request>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> where Request: GraphQLRequest {
    var request = request
    request.addHeader(name: "X-Operation", value: Request.Operation.operationName)
    request.requestTimeout = request.requestTimeout ?? 30
    return await next(request).map { [onErrors] response in
      if let errors = response.result.errors { onErrors(Request.Operation.operationName, errors.count) }
      return response
    }
  }
}

/// Sends queries as a whole, with `GET`.
public struct PlainQueryInterceptor: GraphQLInterceptor {
  public init() {}

  public func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    guard let json = request as? JSONRequest<Request.Operation> else { return await next(request) }
    json.useGETForQueries = true
    json.apqConfig = .init(autoPersistQueries: false)
    return await next(json as! Request)
  }
}

public struct NetworkInterceptorProvider: InterceptorProvider {
  public let onErrors: @Sendable (String, Int) -> Void

  public init(onErrors: @escaping @Sendable (String, Int) -> Void) { self.onErrors = onErrors }

  public func graphQLInterceptors<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> [any GraphQLInterceptor] {
    DefaultInterceptorProvider.shared.graphQLInterceptors(for: operation)
      + [RenewingInterceptor(), ErrorCountingInterceptor(onErrors: onErrors)]
  }

  public func httpInterceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any HTTPInterceptor] {
    DefaultInterceptorProvider.shared.httpInterceptors(for: operation) + [HeaderAddingInterceptor()]
  }
}

/// A request that the app makes by itself.
public nonisolated struct PlainRequest<Operation: GraphQLOperation>: GraphQLRequest {
  public var graphQLEndpoint: URL
  public var operation: Operation
  public var additionalHeaders: [String: String] = [:]
  public var fetchBehavior: FetchBehavior = .NetworkOnly
  public var writeResultsToCache = false
  public var requestTimeout: TimeInterval?

  public init(_ operation: Operation, graphQLEndpoint: URL) {
    self.operation = operation
    self.graphQLEndpoint = graphQLEndpoint
  }

  public func toURLRequest() throws -> URLRequest {
    var request = createDefaultRequest()
    request.httpMethod = "POST"
    request.httpBody = Data(Operation.operationName.utf8)
    return request
  }
}

public struct Network: Sendable {
  public let client: ApolloClient

  public init(url: URL, onErrors: @escaping @Sendable (String, Int) -> Void = { _, _ in }) {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 20
    let transport = RequestChainNetworkTransport(
      urlSession: URLSession(configuration: configuration),
      interceptorProvider: NetworkInterceptorProvider(onErrors: onErrors),
      store: store,
      endpointURL: url,
      additionalHeaders: ["X-App": "pieces"],
      apqConfig: .init(autoPersistQueries: false)
    )
    client = ApolloClient(
      networkTransport: transport, store: store,
      defaultRequestConfiguration: RequestConfiguration(requestTimeout: 15, writeResultsToCache: true))
  }

  /// One way to run every query of the app.
  public func load<Query: GraphQLQuery>(
    _ query: Query, cachePolicy: CachePolicy.Query.SingleResponse = .cacheFirst
  ) async throws -> Query.Data where Query.ResponseFormat == SingleResponseFormat {
    let response: GraphQLResult<Query.Data> = try await client.fetch(query: query, cachePolicy: cachePolicy)
    if let error = response.errors?.first { throw error }
    guard let data = response.data else { throw URLError(.badServerResponse) }
    return data
  }

  /// One way to send every mutation of the app.
  public func send<Mutation: GraphQLMutation>(_ mutation: Mutation) async throws -> Mutation.Data?
  where Mutation.ResponseFormat == SingleResponseFormat {
    try await client.perform(mutation: mutation).data
  }

  /// One way to begin every subscription of the app.
  public func listen<Subscription: GraphQLSubscription>(
    to subscription: Subscription
  ) throws -> SubscriptionStream<GraphQLResult<Subscription.Data>>
  where Subscription.ResponseFormat == SubscriptionResponseFormat {
    try client.subscribe(subscription: subscription)
  }

  public func stars(behavior: FetchBehavior = .CacheAndNetwork) async throws -> [Int] {
    var stars: [Int] = []
    for try await response in try client.fetch(query: ReviewsQuery(), fetchBehavior: behavior) {
      stars.append(response.data?.latest.first?.stars ?? 0)
    }
    return stars
  }
}
