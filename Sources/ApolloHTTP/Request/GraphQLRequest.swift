public import ApolloOperations
public import ApolloTransport
import ApolloCache
public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation on its way to a server, as a ``GraphQLInterceptor`` sees it. Part of the API of Apollo iOS 2, where
/// requests are values. Here they are objects, ``HTTPRequest`` and its subclasses, so the whole chain sees a change.
public protocol GraphQLRequest<Operation>: Sendable {
  associatedtype Operation: GraphQLOperation
  /// The address of the server.
  var graphQLEndpoint: URL { get set }
  /// The operation that is sent, with its variables.
  var operation: Operation { get set }
  /// Header fields by name.
  var additionalHeaders: [String: String] { get set }
  /// Where the data may come from. `networkFirst` reads as `networkOnly` here, because the client itself has the
  /// cache stand in for a server that does not answer.
  var fetchBehavior: FetchBehavior { get set }
  /// Whether the result is written to the cache.
  var writeResultsToCache: Bool { get set }
  /// How many seconds the request may wait for an answer. nil: the session's timeout.
  var requestTimeout: TimeInterval? { get set }
  /// Makes the request that is sent.
  ///
  /// - Returns: The request.
  /// - Throws: ``OperationError`` for a header field with a line break, or what the body creator throws.
  func toURLRequest() throws -> URLRequest
  /// Sets a header field. It replaces a field with an equal name; names are compared without regard to case.
  mutating func addHeader(name: String, value: String)
}

extension GraphQLRequest {
  /// Sets a header field. It replaces a field with an equal name; names are compared without regard to case.
  public mutating func addHeader(name: String, value: String) { additionalHeaders.setHeader(name, to: value) }

  /// Makes a request with the address, the header fields and the timeout, for a type of an app that adds the rest.
  ///
  /// - Returns: The request. A header field with a line break is left out.
  public func createDefaultRequest() -> URLRequest {
    var request = URLRequest(url: graphQLEndpoint)
    request.allHTTPHeaderFields = additionalHeaders.filter { name, value in
      [name: value].brokenField(operationName: Operation.operationName) == nil
    }
    if let requestTimeout { request.timeoutInterval = requestTimeout.limitedToYear }
    return request
  }

  /// Sets header fields. Each replaces a field with an equal name; names are compared without regard to case.
  public mutating func addHeaders(_ headers: [String: String]) {
    for (name, value) in headers { addHeader(name: name, value: value) }
  }
}

extension HTTPRequest: GraphQLRequest {
  /// Where the data may come from: the fetch behavior of the cache policy.
  public var fetchBehavior: FetchBehavior {
    get { FetchBehavior(cachePolicy) }
    set {
      let writes = writeResultsToCache
      cachePolicy = newValue.requestPolicy
      writeResultsToCache = writes
    }
  }

  /// Whether the result is written to the cache.
  public var writeResultsToCache: Bool {
    get { writesCache }
    set {
      requestConfiguration.writeResultsToCache = newValue
      // This policy writes nothing, whatever the configuration says.
      if newValue, cachePolicy == .fetchIgnoringCacheCompletely { cachePolicy = .fetchIgnoringCacheData }
    }
  }

  /// How many seconds the request may wait for an answer. nil: the session's timeout.
  public var requestTimeout: TimeInterval? {
    get { requestConfiguration.requestTimeout }
    set { requestConfiguration.requestTimeout = newValue }
  }
}

extension FetchBehavior {
  fileprivate init(_ policy: CachePolicy) {
    self =
      switch policy {
      case .returnCacheDataElseFetch: .CacheFirst
      case .returnCacheDataDontFetch: .CacheOnly
      case .returnCacheDataAndFetch: .CacheAndNetwork
      case .fetchIgnoringCacheData, .fetchIgnoringCacheCompletely: .NetworkOnly
      }
  }
}
