public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation on its way to a server over HTTP. Interceptors may change it before it is sent.
open class HTTPRequest<Operation: GraphQLOperation>: @unchecked Sendable {
  // Interceptors have it one after the other, never two at once. So Swift need not look for accesses at the same time,
  // which would take longer than the accesses.

  /// The address of the server.
  @exclusivity(unchecked) open var graphQLEndpoint: URL
  /// The operation that is sent, with its variables.
  @exclusivity(unchecked) open var operation: Operation
  /// Header fields by name. They include the content type, and the names of the operation and of the app.
  open var additionalHeaders: [String: String] {
    get {
      switch headers {
      case .made(let made): return made
      case .toMake(let contentType, let clientName, let clientVersion, let additional):
        let made = makeHeaders(
          contentType: contentType, clientName: clientName, clientVersion: clientVersion, additional: additional)
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
  /// Where the data may come from.
  @exclusivity(unchecked) open var cachePolicy: CachePolicy
  /// Identifies the writer, because a watcher is not told of its own writes. nil: none.
  public let contextIdentifier: UUID?
  /// The value that the app passed with the operation, for its interceptors. nil: none.
  public let context: (any RequestContext)?
  /// What is different for this operation. An interceptor may change it, for example the timeout. Header fields and
  /// address are changed in ``additionalHeaders`` and ``graphQLEndpoint`` instead.
  public var requestConfiguration: RequestConfiguration {
    // Yielded in place, because copying its ten members takes longer than most uses of one of them.
    _read {
      takeContext()
      yield configuration
    }
    _modify {
      takeContext()
      yield &configuration
    }
  }
  /// Set by a transport of this package. A request that an app makes takes it from its context.
  @exclusivity(unchecked) private var configuration = RequestConfiguration()
  @exclusivity(unchecked) private var knowsContext = false

  private func takeContext() {
    guard !knowsContext else { return }
    knowsContext = true
    if let context { configuration = RequestConfiguration(context) }
  }
  /// The cache that the result is written to. Its rules make the keys of objects.
  @exclusivity(unchecked) var store: ApolloStore?
  /// The transport that sends it, for interceptors that have no client of their own.
  @exclusivity(unchecked) var transport: RequestChainNetworkTransport?
  /// When the operation was asked for.
  @exclusivity(unchecked) var asked = StoreEpoch.current
  /// Whether it waits for a server from now on, and nothing yet ends that when the user signs out.
  @exclusivity(unchecked) private(set) var mustBeTracked = false
  @exclusivity(unchecked) private var isTracked = false
  /// The operations that a sign-out ends; nil for a request of an app's own chain.
  @exclusivity(unchecked) var running: RunningOperations?
  /// The request that was sent last.
  @exclusivity(unchecked) var sentRequest: URLRequest?
  /// The header fields that an authenticator gave for this request.
  @exclusivity(unchecked) var credentials: [String: String] = [:]
  /// Its place in the order of sending, from when it is clear that the cache alone does not answer it.
  @exclusivity(unchecked) private(set) var ticket: SendingTicket?
  /// The response that the last failure is about, for errors that do not have it themselves.
  @exclusivity(unchecked) var failedResponse: HTTPURLResponse?
  /// When the request was sent last, by the clock of the store.
  @exclusivity(unchecked) var sentAt: Date?
  /// What a backend of the cache threw when it was asked for the data.
  @exclusivity(unchecked) package var cacheError: (any Error)?

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - graphQLEndpoint: The address of the server.
  ///   - operation: The operation that is sent, with its variables.
  ///   - contextIdentifier: Identifies the writer to watchers. nil, the default: none.
  ///   - contentType: The value of the header field `Content-Type`.
  ///   - clientName: The name of the app, for `apollographql-client-name`.
  ///   - clientVersion: The version of the app, for `apollographql-client-version`.
  ///   - additionalHeaders: Header fields by name.
  ///   - cachePolicy: Where the data may come from.
  ///   - context: A value for interceptors of the app. nil, the default: none.
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

  /// The value of `Accept` that the transport adds.
  var accept: String? {
    didSet {
      if case .made(var made) = headers, let accept {
        made.setHeader("Accept", to: accept)
        headers = .made(made)
      }
    }
  }

  @exclusivity(unchecked) private var headers: RequestHeaders

  private func makeHeaders(
    contentType: String, clientName: String, clientVersion: String, additional: [String: String]
  ) -> [String: String] {
    var headers = Dictionary<String, String>(minimumCapacity: additional.count + 8)
    headers["Content-Type"] = contentType
    headers["X-APOLLO-OPERATION-NAME"] = Operation.operationName
    headers["X-APOLLO-OPERATION-TYPE"] = Operation.operationType.rawValue
    if let id = Operation.operationDocument.operationIdentifier { headers["X-APOLLO-OPERATION-ID"] = id }
    headers["apollographql-client-name"] = clientName
    headers["apollographql-client-version"] = clientVersion
    // The library reads the response, so it says what it can read.
    if let accept { headers["Accept"] = accept }
    for (name, value) in additional where !headers.hasHeader(name) { headers[name] = value }
    let own = requestConfiguration.headers
    if !own.isEmpty {
      headers.setHeaders(own)
      if let accept { headers.setHeader("Accept", to: accept) }
    }
    return headers
  }

  /// Takes when the operation was asked for, and what is different for it.
  func apply(_ call: OperationCall<Operation>) {
    asked = call.asked
    apply(call.configuration)
  }

  func apply(_ configuration: RequestConfiguration) {
    if let url = configuration.endpointURL { graphQLEndpoint = url }
    if case .made(var made) = headers {
      // The fields are there already: a subclass of the transport made them with the fields of the context, and may
      // have changed them.
      let known = requestConfiguration.headers
      for (name, value) in configuration.headers where known[name] != value { made.setHeader(name, to: value) }
      if let accept { made.setHeader("Accept", to: accept) }
      headers = .made(made)
    }
    self.configuration = configuration
    knowsContext = true
  }

  /// Takes the next place in the order of sending. The event of a subscription counts as sent when it comes.
  func beginSending() {
    mustBeTracked = running != nil && !isTracked
    if ticket == nil, Operation.operationType != .subscription { ticket = makeTicket() }
  }

  /// Notes that a sign-out ends it from now on, or no longer does because it starts again.
  func setTracked(_ isTracked: Bool) {
    self.isTracked = isTracked
    mustBeTracked = running != nil && !isTracked
  }

  /// Gives its place in the order of sending back, when it has its last answer.
  func endSending() { ticket = nil }

  /// The place in the order of sending for a response that has come.
  var ticketOfResponse: SendingTicket? { ticket ?? makeTicket() }

  private func makeTicket() -> SendingTicket? { store?.beginSending(Operation.operationType, asked: asked) }

  /// Whether the operation does no harm when it runs twice.
  var mayRunTwice: Bool { requestConfiguration.isRepeatable ?? (Operation.operationType == .query) }

  /// Whether the cache is read before the server is asked, or instead of asking it.
  var readsCache: Bool { Operation.operationType == .query && cachePolicy.readsCache }

  /// The request, if its body is JSON. (Asked for in this way, because a cast to a generic class takes long.)
  var asJSON: JSONRequest<Operation>? { nil }

  /// The request, if it has files.
  var asUpload: UploadRequest<Operation>? { nil }

  /// Whether the result is written to the cache.
  var writesCache: Bool { cachePolicy.writesCache(requestConfiguration) }

  /// Sets a header field. It replaces a field with an equal name; names are compared without regard to case.
  open func addHeader(name: String, value: String) {
    additionalHeaders.setHeader(name, to: value)
  }

  /// Removes a header field.
  open func removeHeader(name: String) { additionalHeaders.setHeader(name, to: nil) }

  /// Sets the header field `Content-Type`.
  open func updateContentType(to contentType: String) {
    addHeader(name: "Content-Type", value: contentType)
  }

  /// Makes the request that is sent.
  ///
  /// - Returns: The request.
  /// - Throws: ``OperationError`` for a header field with a line break.
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

/// The header fields of a request, which are made when they are needed: most operations that the cache answers never need
/// them. (It is not in the class, because that is generic: then its layout would have to be asked for at run time.)
private enum RequestHeaders {
  case made([String: String])
  case toMake(contentType: String, String, String, [String: String])
}

extension HTTPRequest: Hashable {
  /// Compares address, context identifier, header fields, cache policy, operation and type.
  public static func == (lhs: HTTPRequest<Operation>, rhs: HTTPRequest<Operation>) -> Bool {
    lhs.graphQLEndpoint == rhs.graphQLEndpoint && lhs.contextIdentifier == rhs.contextIdentifier
      && lhs.additionalHeaders == rhs.additionalHeaders && lhs.cachePolicy == rhs.cachePolicy
      && lhs.operation == rhs.operation && type(of: lhs) == type(of: rhs)
  }

  /// Feeds address, header fields and operation into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(graphQLEndpoint)
    hasher.combine(additionalHeaders)
    hasher.combine(operation)
  }
}

extension HTTPRequest: CustomDebugStringConvertible {
  /// The operation, its address, its cache policy and its header fields, for debugging.
  public var debugDescription: String {
    let headers = additionalHeaders.sorted { $0.key < $1.key }.map { "\n  \($0): \($1)" }.joined()
    return "\(Operation.operationType) \(Operation.operationName) → \(graphQLEndpoint) (\(cachePolicy))" + headers
  }
}
