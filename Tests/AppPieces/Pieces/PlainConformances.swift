import Apollo
import ApolloWebSocket
import Fixture0001
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What apps conform to this library's protocols with: plain classes with state of their own.

public class CountingTransport: NetworkTransport {
  public private(set) var operations: [String] = []
  private let http: RequestChainNetworkTransport

  public init(http: RequestChainNetworkTransport) { self.http = http }

  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: RequestContext?,
    callbackQueue: DispatchQueue, completionHandler: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void
  ) -> Cancellable {
    operations.append(Operation.operationName)
    return http.send(
      operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
      callbackQueue: callbackQueue, completionHandler: completionHandler)
  }
}

public class TokenContext: RequestContext {
  public var token: String
  public init(token: String) { self.token = token }
}

public class TokenInterceptor: ApolloInterceptor {
  public let id = UUID().uuidString
  private var uses = 0

  public func interceptAsync<Operation: GraphQLOperation>(
    chain: RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void
  ) {
    uses += 1
    if let token = (request.context as? TokenContext)?.token { request.addHeader(name: "Authorization", value: token) }
    chain.proceedAsync(request: request, response: response, interceptor: self, completion: completion)
  }
}

public class ErrorInterceptor: ApolloErrorInterceptor {
  public var errors: [Error] = []

  public init() {}

  public func handleErrorAsync<Operation: GraphQLOperation>(
    error: Error, chain: RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, Error>) -> Void
  ) {
    errors.append(error)
    completion(.failure(error))
  }
}

public class OwnProvider: InterceptorProvider {
  private var count = 0
  private let store: ApolloStore
  private let client = URLSessionClient()
  public let errors = ErrorInterceptor()

  public init(store: ApolloStore) { self.store = store }

  deinit { client.invalidate() }

  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [ApolloInterceptor] {
    count += 1
    return [
      MaxRetryInterceptor(), TokenInterceptor(), CacheReadInterceptor(store: store),
      NetworkFetchInterceptor(client: client), ResponseCodeInterceptor(), MultipartResponseParsingInterceptor(),
      JSONResponseParsingInterceptor(), AutomaticPersistedQueryInterceptor(), CacheWriteInterceptor(store: store),
    ]
  }

  public func additionalErrorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> ApolloErrorInterceptor? { errors }
}

public class LongerProvider: DefaultInterceptorProvider {
  private var count = 0

  public override func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [ApolloInterceptor] {
    count += 1
    var interceptors = super.interceptors(for: operation)
    interceptors.insert(TokenInterceptor(), at: 0)
    return interceptors
  }
}

public class DictionaryCache: NormalizedCache {
  private var records = RecordSet()

  public init() {}

  public func loadRecords(forKeys keys: Set<CacheKey>) throws -> [CacheKey: Record] {
    var found: [CacheKey: Record] = [:]
    for key in keys { found[key] = records[key] }
    return found
  }
  public func merge(records: RecordSet) throws -> Set<CacheKey> { self.records.merge(records: records) }
  public func removeRecord(for key: CacheKey) throws { records.removeRecord(for: key) }
  public func removeRecords(matching pattern: CacheKey) throws { records.removeRecords(matching: pattern) }
  public func clear() throws { records.clear() }
}

public class BodyCreator: RequestBodyCreator {
  private var count = 0

  public init() {}

  public func requestBody<Operation: GraphQLOperation>(
    for operation: Operation, sendQueryDocument: Bool, autoPersistQuery: Bool
  ) -> JSONEncodableDictionary {
    count += 1
    return ["operationName": Operation.operationName, "query": Operation.operationDocument.text, "count": count]
  }
}

public class SocketDelegate: WebSocketTransportDelegate {
  public var connections = 0
  private let transport: WebSocketTransport

  public init(transport: WebSocketTransport) {
    self.transport = transport
    transport.delegate = self
  }

  public func webSocketTransportDidConnect(_ webSocketTransport: WebSocketTransport) { connections += 1 }
}

public class RetryDelegate: HTTPNetworkTransportRetryDelegate {
  private var retries = 0

  public func networkTransport(
    _ networkTransport: HTTPNetworkTransport, receivedError error: Error, for request: URLRequest,
    response: URLResponse?, continueHandler: @escaping (HTTPNetworkTransport.ContinueAction) -> Void
  ) {
    retries += 1
    continueHandler(.fail(error))
  }
}
