public import ApolloTransport
public import ApolloAPI
package import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation on its way to a server over HTTP. Interceptors may change it before it is sent.
open class HTTPRequest<Operation: GraphQLOperation>: OperationPassage<Operation>, @unchecked Sendable {
  // As in its superclass, interceptors have it one after the other.

  /// The address of the server.
  @exclusivity(unchecked) open var graphQLEndpoint: URL
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
  /// The transport that sends it, for interceptors that have no client of their own.
  @exclusivity(unchecked) package final var transport: (any ChainedTransport)?
  /// The request that was sent last.
  @exclusivity(unchecked) package final var sentRequest: URLRequest?
  /// The header fields that an authenticator gave for this request.
  @exclusivity(unchecked) package final var credentials: [String: String] = [:]

  /// Which subclass it is.
  package let form: RequestForm

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
    form = .other
    self.graphQLEndpoint = graphQLEndpoint
    headers = .toMake(contentType: contentType, clientName, clientVersion, additionalHeaders)
    super.init(operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
  }

  /// Makes a request of a subclass of this package.
  package init(
    _ form: RequestForm, graphQLEndpoint: URL, operation: Operation, contextIdentifier: UUID? = nil,
    contentType: String, clientName: String, clientVersion: String, additionalHeaders: [String: String],
    cachePolicy: CachePolicy = .default, context: (any RequestContext)?
  ) {
    self.form = form
    self.graphQLEndpoint = graphQLEndpoint
    headers = .toMake(contentType: contentType, clientName, clientVersion, additionalHeaders)
    super.init(operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
  }

  // MARK: On its way

  /// Where redirects may lead, and how much may come, by the transport; nil without a transport.
  package final var exchangeLimits: (origins: OriginPolicy?, limits: ResponseLimits?)? { transport?.exchangeLimits }

  /// Notes which transport sends it, and the cache of its interceptors.
  package final func isPrepared(by transport: any ChainedTransport, _ store: ApolloStore?) {
    self.transport = transport
    self.store = store
  }

  /// Notes that it is sent now.
  package final func isSent() {
    noteSending()
    options.trace?.sent(self)
  }

  /// Notes that a response has come.
  package final func received(_ response: HTTPResponse<Operation>) { options.trace?.received(response) }

  /// The value of `Accept` that the transport adds.
  @exclusivity(unchecked) package final var accept: String? {
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
    var headers: [String: String] = [:]
    headers.reserveCapacity(additional.count + 8)
    headers["Content-Type"] = contentType
    headers["X-APOLLO-OPERATION-NAME"] = Operation.operationName
    headers["X-APOLLO-OPERATION-TYPE"] = Operation.operationType.rawValue
    if let id = Operation.operationDocument.operationIdentifier { headers["X-APOLLO-OPERATION-ID"] = id }
    if !clientName.isEmpty { headers["apollographql-client-name"] = clientName }
    if !clientVersion.isEmpty { headers["apollographql-client-version"] = clientVersion }
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

  override func apply(_ configuration: RequestConfiguration) {
    if let url = configuration.endpointURL { graphQLEndpoint = url }
    if case .made(var made) = headers {
      // The fields are there already: a subclass of the transport made them with the fields of the context, and may
      // have changed them.
      let known = requestConfiguration.headers
      for (name, value) in configuration.headers where known[name] != value { made.setHeader(name, to: value) }
      if let accept { made.setHeader("Accept", to: accept) }
      headers = .made(made)
    }
    super.apply(configuration)
  }

  /// Address and header fields stay as the app has made them. Of the fields that were set for the operation come those that are
  /// not there.
  package override func takePlace(of other: OperationPassage<Operation>) {
    var made = additionalHeaders
    super.takePlace(of: other)
    guard let other = other.asHTTP else { return }
    transport = transport ?? other.transport
    // (Those that this one has were given for its own header fields.)
    if credentials.isEmpty { credentials = other.credentials }
    for (name, value) in requestConfiguration.headers where !made.hasHeader(name) { made.setHeader(name, to: value) }
    additionalHeaders = made
    accept = other.accept
  }

  override var isOverHTTP: Bool { true }
  package override var asHTTP: HTTPRequest<Operation>? { self }

  override var placeDescription: String { graphQLEndpoint.placeDescription }

  override func described(_ error: any Error) -> any Error {
    OperationError.wrap(
      error, operationName: Operation.operationName, response: failedResponse,
      endErrors: endResponse.map { GraphQLError.all(inBody: $0.received) } ?? [])
  }

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
    if let problem = headers.brokenField(operationName: Operation.operationName) { throw problem }
    // (All at once: Foundation on Linux takes 2 µs for one.)
    request.allHTTPHeaderFields = headers
    if let timeout = requestConfiguration.requestTimeout { request.timeoutInterval = timeout.limitedToYear }
    return request
  }
}

/// The subclasses of ``HTTPRequest`` in this package. (It is not in the class, because that is generic: then comparing two
/// would look up their type at run time.)
package enum RequestForm: Sendable {
  case json, upload, other
}

/// A request whose body is a JSON object.
package protocol JSONBodied {
  /// What is sent.
  var body: JSONEncodableDictionary { get }
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
