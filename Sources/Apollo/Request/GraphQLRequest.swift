public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation on its way to a server, as a ``GraphQLInterceptor`` sees it. Of release 2 of Apollo iOS, where requests are
/// values; here they are ``HTTPRequest`` and its subclasses, so that a change is seen by the whole chain.
public protocol GraphQLRequest<Operation>: Sendable {
  associatedtype Operation: GraphQLOperation
  /// The address of the server.
  var graphQLEndpoint: URL { get set }
  var operation: Operation { get set }
  /// Header fields by name.
  var additionalHeaders: [String: String] { get set }
  /// Where the data may come from. `networkFirst` reads as `networkOnly`: the client sees to the cache as a stand-in.
  var fetchBehavior: FetchBehavior { get set }
  /// The result is written to the cache.
  var writeResultsToCache: Bool { get set }
  /// How many seconds the request may wait for an answer; nil for what the session says.
  var requestTimeout: TimeInterval? { get set }
  /// The request as it is sent.
  ///
  /// - Throws: ``OperationError`` for a header field with a line break; what the body's creator throws.
  func toURLRequest() throws -> URLRequest
  /// Sets a header field, in place of any of the same name, in letters of whatever case.
  mutating func addHeader(name: String, value: String)
}

extension GraphQLRequest {
  /// Sets header fields, each in place of any of the same name.
  public mutating func addHeaders(_ headers: [String: String]) {
    for (name, value) in headers { addHeader(name: name, value: value) }
  }
}

extension HTTPRequest: GraphQLRequest {
  public var fetchBehavior: FetchBehavior {
    get { FetchBehavior(cachePolicy) }
    set {
      let writes = writeResultsToCache
      cachePolicy = newValue.requestPolicy
      writeResultsToCache = writes
    }
  }

  public var writeResultsToCache: Bool {
    get { writesCache }
    set {
      requestConfiguration.writeResultsToCache = newValue
      // This policy writes nothing, whatever the configuration says.
      if newValue, cachePolicy == .fetchIgnoringCacheCompletely { cachePolicy = .fetchIgnoringCacheData }
    }
  }

  public var requestTimeout: TimeInterval? {
    get { requestConfiguration.requestTimeout }
    set { requestConfiguration.requestTimeout = newValue }
  }
}
