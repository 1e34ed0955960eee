public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation on its way to a server. Interceptors may change it before it is sent.
open class HTTPRequest<Operation: GraphQLOperation>: @unchecked Sendable {
  // One interceptor after the other has it, never two at once.

  /// The address of the server.
  open var graphQLEndpoint: URL
  open var operation: Operation
  /// Header fields by name.
  open var additionalHeaders: [String: String] {
    get {
      switch headers {
      case .made(let made): return made
      case .toMake(let contentType, let clientName, let clientVersion, let additional):
        let made = makeHeaders(contentType, clientName, clientVersion, additional)
        headers = .made(made)
        return made
      }
    }
    set { headers = .made(newValue) }
    _modify {
      var value = additionalHeaders
      headers = .made([:])
      defer { headers = .made(value) }
      yield &value
    }
  }
  open var cachePolicy: CachePolicy
  /// Tells whose request it is; a watcher is not told of its own writes.
  public let contextIdentifier: UUID?
  public let context: (any RequestContext)?
  /// What is different for this operation. An interceptor may change it: the timeout, whether the result is written to the cache.
  /// Its header fields and its endpoint are in ``additionalHeaders`` and ``graphQLEndpoint``, where they are to be changed.
  public var requestConfiguration: RequestConfiguration {
    // Lent, because a copy of its ten members takes more than most uses of one of them.
    _read {
      takeContext()
      yield configuration
    }
    _modify {
      takeContext()
      yield &configuration
    }
  }
  /// By a transport of this package; a request that an app makes has what its context says.
  private var configuration = RequestConfiguration()
  private var knowsContext = false

  private func takeContext() {
    guard !knowsContext else { return }
    knowsContext = true
    if let context { configuration = RequestConfiguration(context) }
  }
  /// The cache that the result is for: its rules make the keys of objects.
  var store: ApolloStore?
  /// Knows what sends it, for interceptors that have no client of their own.
  var transport: RequestChainNetworkTransport?
  /// What was sent last.
  var sentRequest: URLRequest?
  /// The response that the last failure is about, for errors that do not tell it themselves.
  var failedResponse: HTTPURLResponse?
  /// What a backend of the cache threw when it was asked for the data.
  package var cacheError: (any Error)?

  public init(
    graphQLEndpoint: URL, operation: Operation, contextIdentifier: UUID? = nil, contentType: String,
    clientName: String, clientVersion: String, additionalHeaders: [String: String],
    cachePolicy: CachePolicy = .default, context: (any RequestContext)? = nil
  ) {
    self.graphQLEndpoint = graphQLEndpoint
    self.operation = operation
    self.contextIdentifier = contextIdentifier
    headers = .toMake(contentType: contentType, clientName, clientVersion, additionalHeaders)
    self.cachePolicy = cachePolicy
    self.context = context
  }

  /// What the transport adds as `Accept`, unless there is one.
  var accept: String? {
    didSet {
      if case .made(var made) = headers, let accept {
        made.setHeader("Accept", to: accept)
        headers = .made(made)
      }
    }
  }

  /// The header fields. Most operations that the cache answers never need them.
  private enum Headers {
    case made([String: String])
    case toMake(contentType: String, String, String, [String: String])
  }

  private var headers: Headers

  private func makeHeaders(
    _ contentType: String, _ clientName: String, _ clientVersion: String, _ additional: [String: String]
  ) -> [String: String] {
    var headers = Dictionary<String, String>(minimumCapacity: additional.count + 8)
    headers["Content-Type"] = contentType
    headers["X-APOLLO-OPERATION-NAME"] = Operation.operationName
    headers["X-APOLLO-OPERATION-TYPE"] = Operation.operationType.rawValue
    if let id = Operation.operationDocument.operationIdentifier { headers["X-APOLLO-OPERATION-ID"] = id }
    headers["apollographql-client-name"] = clientName
    headers["apollographql-client-version"] = clientVersion
    for (name, value) in additional where !headers.hasHeader(name) { headers[name] = value }
    headers.setHeaders(requestConfiguration.headers)
    // The response is read by this library, which knows what it can read.
    if let accept { headers.setHeader("Accept", to: accept) }
    return headers
  }

  /// Takes what is different for this operation.
  func apply(_ configuration: RequestConfiguration) {
    if let url = configuration.endpointURL { graphQLEndpoint = url }
    if case .made(var made) = headers {
      // Made by a subclass of the transport, with what the context says, and maybe changed since.
      let known = requestConfiguration.headers
      for (name, value) in configuration.headers where known[name] != value { made.setHeader(name, to: value) }
      if let accept { made.setHeader("Accept", to: accept) }
      headers = .made(made)
    }
    self.configuration = configuration
    knowsContext = true
  }

  /// The operation does no harm if it runs twice.
  var mayRunTwice: Bool { requestConfiguration.isRepeatable ?? (Operation.operationType == .query) }

  /// The result is written to the cache.
  var writesCache: Bool { cachePolicy.writesCache(requestConfiguration) }

  /// Sets a header field, in place of any of the same name, in letters of whatever case.
  open func addHeader(name: String, value: String) {
    additionalHeaders.setHeader(name, to: value)
  }

  /// Removes a header field.
  open func removeHeader(name: String) { additionalHeaders.setHeader(name, to: nil) }

  open func updateContentType(to contentType: String) {
    addHeader(name: "Content-Type", value: contentType)
  }

  /// The request as it is sent.
  open func toURLRequest() throws -> URLRequest {
    var request = URLRequest(url: graphQLEndpoint)
    let headers = additionalHeaders
    for (name, value) in headers where name.breaksHeader || value.breaksHeader {
      throw OperationError.brokenHeader(name, operationName: Operation.operationName)
    }
    // (All at once: Foundation on Linux takes 2 µs for one.)
    request.allHTTPHeaderFields = headers
    if let timeout = requestConfiguration.requestTimeout { request.timeoutInterval = timeout.limitedToYear }
    return request
  }
}

extension HTTPRequest: Hashable {
  public static func == (lhs: HTTPRequest<Operation>, rhs: HTTPRequest<Operation>) -> Bool {
    lhs.graphQLEndpoint == rhs.graphQLEndpoint && lhs.contextIdentifier == rhs.contextIdentifier
      && lhs.additionalHeaders == rhs.additionalHeaders && lhs.cachePolicy == rhs.cachePolicy
      && lhs.operation == rhs.operation && type(of: lhs) == type(of: rhs)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(graphQLEndpoint)
    hasher.combine(additionalHeaders)
    hasher.combine(operation)
  }
}

extension HTTPRequest: CustomDebugStringConvertible {
  public var debugDescription: String {
    let headers = additionalHeaders.sorted { $0.key < $1.key }.map { "\n  \($0): \($1)" }.joined()
    return "\(Operation.operationType) \(Operation.operationName) → \(graphQLEndpoint) (\(cachePolicy))" + headers
  }
}
