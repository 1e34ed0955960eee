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

public nonisolated class TokenContext: RequestContext {
  public var token: String
  public init(token: String) { self.token = token }
}

public nonisolated class TokenInterceptor: ApolloInterceptor {
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

public nonisolated class LongerProvider: DefaultInterceptorProvider {
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

/// A cache of release 1.x whose functions do not throw.
public class SilentCache: NormalizedCache {
  private var records = RecordSet()

  public init() {}

  public func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] {
    records.storage.filter { keys.contains($0.key) }
  }
  public func merge(records: RecordSet) -> Set<CacheKey> { self.records.merge(records: records) }
  public func removeRecord(for key: CacheKey) { records.removeRecord(for: key) }
  public func removeRecords(matching pattern: CacheKey) { records.removeRecords(matching: pattern) }
  public func clear() { records.clear() }
}

/// A cache of release 2.x.
public actor ActorCache: NormalizedCache {
  private var records = RecordSet()

  public init() {}

  public func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record] {
    records.storage.filter { keys.contains($0.key) }
  }
  public func merge(records: RecordSet) async throws -> Set<CacheKey> { self.records.merge(records: records) }
  public func removeRecord(for key: CacheKey) async throws { records.removeRecord(for: key) }
  public func removeRecords(matching pattern: CacheKey) async throws { records.removeRecords(matching: pattern) }
  public func clear() async throws { records.clear() }
}

/// Memory in front of a cache on disk, as of release 1.x, with `async` and `await` put in.
public final nonisolated class LayeredCache<Disk: NormalizedCache & Sendable>: NormalizedCache {
  private let memory = InMemoryNormalizedCache()
  private let disk: Disk

  public init(disk: Disk) { self.disk = disk }

  public func loadRecords(forKeys keys: Set<CacheKey>) async throws -> [CacheKey: Record] {
    let found = memory.loadRecords(forKeys: keys), missing = keys.subtracting(found.keys)
    guard !missing.isEmpty else { return found }
    return try await disk.loadRecords(forKeys: missing).merging(found) { $1 }
  }
  public func merge(records: RecordSet) async throws -> Set<CacheKey> {
    try memory.merge(records: records)
    return try await disk.merge(records: records)
  }
  public func removeRecord(for key: CacheKey) async throws {
    try memory.removeRecord(for: key)
    try await disk.removeRecord(for: key)
  }
  public func removeRecords(matching pattern: CacheKey) async throws {
    try memory.removeRecords(matching: pattern)
    try await disk.removeRecords(matching: pattern)
  }
  public func clear() async throws {
    memory.clear()
    try await disk.clear()
  }
}

/// Is told what changes, as in release 1.x.
public class ChangeLog: ApolloStoreSubscriber {
  public private(set) var keys: [Set<CacheKey>] = []

  public init(store: ApolloStore) { store.subscribe(self) }

  public func store(_ store: ApolloStore, didChangeKeys changedKeys: Set<CacheKey>, contextIdentifier: UUID?) {
    keys.append(changedKeys)
  }
}

/// What apps do with the cache of a transaction, as in release 1.x and as in release 2.x.
public struct RecordKeeper {
  public init() {}

  public func keep(_ records: RecordSet, in store: ApolloStore, completion: @escaping (Result<Bool, Error>) -> Void) {
    store.withinReadWriteTransaction(
      { transaction -> Bool in
        try transaction.cache.merge(records: records)
        return try transaction.readOnlyCache.loadRecords(forKeys: records.keys).count == records.keys.count
      }, callbackQueue: .main, completion: completion)
  }

  public func keepWaiting(_ records: RecordSet, in store: ApolloStore) async throws -> Stars? {
    try await store.withinReadWriteTransaction { transaction in
      try transaction.cache.merge(records: records)
      let latest = try await transaction.read(query: ReviewsQuery()).latest
      try await transaction.removeObjects(matching: "Review:*")
      return latest.first.map { Stars(number: $0.stars) }
    }
  }

  public struct Stars: Sendable { public let number: Int }
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
