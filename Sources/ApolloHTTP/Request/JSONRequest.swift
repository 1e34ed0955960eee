public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation that is sent as JSON, or in the query of a URL (GraphQL over HTTP, section 5).
open class JSONRequest<Operation: GraphQLOperation>: HTTPRequest<Operation>, @unchecked Sendable {
  // As in its superclass, interceptors have it one after the other.

  /// Makes the JSON object that is sent.
  public let requestBodyCreator: any RequestBodyCreator
  // The three that follow are read when the request is made, so an interceptor may set them before that. A retry is made
  // of this object as well, and keeps what was set.
  /// Whether the hash of the document is sent in place of the document (automatic persisted queries). The document
  /// follows if the server does not know the hash.
  @exclusivity(unchecked) public final var autoPersistQueries: Bool
  /// Whether queries are sent with `GET`.
  @exclusivity(unchecked) public final var useGETForQueries: Bool
  /// Whether a query whose hash the server does not know is sent in full with `GET`.
  @exclusivity(unchecked) public final var useGETForPersistedQueryRetry: Bool
  /// Whether the request names this library and its version, in `extensions`.
  public let sendEnhancedClientAwareness: Bool
  /// True after the server did not know the hash.
  @exclusivity(unchecked) open var isPersistedQueryRetry = false
  /// Whether the server has answered this request that it supports no hashes.
  @exclusivity(unchecked) private var hasNoSupport = false
  /// What the transport knows about its server.
  @exclusivity(unchecked) package final var persistedQuerySupport: PersistedQuerySupport?
  /// True where it is certain that this is not an object of a subclass. (Swift looks up a generic type at run time, which takes
  /// longer than this.)
  @exclusivity(unchecked) package final var isPlain = false

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - operation: The operation that is sent, with its variables.
  ///   - graphQLEndpoint: The address of the server.
  ///   - contextIdentifier: Identifies the writer to watchers. nil, the default: none.
  ///   - clientName: The name of the app, for `apollographql-client-name`.
  ///   - clientVersion: The version of the app, for `apollographql-client-version`.
  ///   - additionalHeaders: Header fields by name.
  ///   - cachePolicy: Where the data may come from.
  ///   - context: A value for interceptors of the app. nil, the default: none.
  ///   - autoPersistQueries: Whether the hash of the document is sent in place of the document. The default is false.
  ///   - useGETForQueries: Whether queries are sent with `GET`. The default is false.
  ///   - useGETForPersistedQueryRetry: Whether a query whose hash the server does not know is sent in full with `GET`.
  ///     The default is false.
  ///   - requestBodyCreator: Makes the JSON object that is sent.
  ///   - sendEnhancedClientAwareness: Whether the request names this library and its version. The default is true.
  @inline(__always)
  public init(
    operation: Operation, graphQLEndpoint: URL, contextIdentifier: UUID? = nil, clientName: String,
    clientVersion: String, additionalHeaders: [String: String] = [:], cachePolicy: CachePolicy = .default,
    context: (any RequestContext)? = nil, autoPersistQueries: Bool = false, useGETForQueries: Bool = false,
    useGETForPersistedQueryRetry: Bool = false,
    requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(), sendEnhancedClientAwareness: Bool = true
  ) {
    self.autoPersistQueries = autoPersistQueries
    self.useGETForQueries = useGETForQueries
    self.useGETForPersistedQueryRetry = useGETForPersistedQueryRetry
    self.requestBodyCreator = requestBodyCreator
    self.sendEnhancedClientAwareness = sendEnhancedClientAwareness
    super.init(
      .json, graphQLEndpoint: graphQLEndpoint, operation: operation, contextIdentifier: contextIdentifier,
      contentType: "application/json", clientName: clientName, clientVersion: clientVersion,
      additionalHeaders: additionalHeaders, cachePolicy: cachePolicy, context: context)
  }

  /// Whether the hash is sent: it was asked for, and the server has not said that it supports no hashes. Subscriptions are
  /// sent with their document.
  private var isPersisted: Bool {
    autoPersistQueries && Operation.operationType != .subscription && !hasNoSupport && knownSupport?.isAvailable ?? true
  }

  /// What the transport knows about the server that is asked: nothing, if that is not the transport's own.
  private var knownSupport: PersistedQuerySupport? {
    requestConfiguration.endpointURL == nil ? persistedQuerySupport : nil
  }

  /// Takes over what is known of the server's hashes from a request in whose place this one is sent.
  package final func takePersistedQueries(of other: JSONRequest) {
    persistedQuerySupport = persistedQuerySupport ?? other.persistedQuerySupport
    hasNoSupport = hasNoSupport || other.hasNoSupport
    isPersistedQueryRetry = isPersistedQueryRetry || other.isPersistedQueryRetry
  }

  /// Notes that the server supports no hashes.
  func noteNoSupport() {
    hasNoSupport = true
    knownSupport?.end()
  }

  /// The JSON object that is sent.
  open var body: JSONEncodableDictionary {
    RequestBody.make(
      for: operation, by: requestBodyCreator, sendQueryDocument: !isPersisted || isPersistedQueryRetry,
      autoPersistQuery: isPersisted,
      adding: ClientLibrary.extensions(
        isNamed: sendEnhancedClientAwareness, and: requestConfiguration.bodyExtensions),
      onError: requestConfiguration.onError)
  }

  /// Writes ``body`` as JSON.
  private func bodyAsJSON() throws -> [UInt8] {
    // Most requests are of one kind, which is written directly: making the object first takes four times as long.
    let text = Operation.operationDocument.text, configuration = requestConfiguration
    guard isPlain || type(of: self) == JSONRequest<Operation>.self,
      type(of: requestBodyCreator) == ApolloRequestBodyCreator.self, !isPersisted,
      configuration.bodyExtensions.isEmpty, configuration.onError == nil, !text.isEmpty
    else { return try RequestBody.json(checkedBody()) }
    // Besides the text there are mostly a few variables.
    var writer = __JSONWriter(capacity: text.utf8.count + 512)
    writer.writeObject { writer in
      if sendEnhancedClientAwareness { writer.write(member: "extensions", ClientLibrary.Extensions()) }
      writer.write(member: "operationName", Operation.operationName)
      writer.write(member: "query", text)
      if let variables = operation.sentVariables(declaredBy: text) { writer.write(member: "variables", variables) }
    }
    if let failure = writer.failure { throw failure }
    return writer.bytes
  }

  private func checkedBody() throws -> JSONEncodableDictionary {
    let body = body
    try RequestBody.check(body, of: Operation.self, by: requestBodyCreator)
    return body
  }

  /// Whether the request is sent with `GET`, which is for queries only.
  var usesGET: Bool {
    guard Operation.operationType == .query else { return false }
    return isPersisted && isPersistedQueryRetry ? useGETForPersistedQueryRetry : useGETForQueries
  }

  /// Makes the request that is sent: `POST` with a JSON body, or `GET` with the members in the query.
  ///
  /// - Returns: The request.
  /// - Throws: ``OperationError`` for a header field with a line break, a variable that is a file, or an operation that
  ///   lacks the text or identifier to be sent; ``GraphQLHTTPRequestError`` if the members cannot be written into the query.
  open override func toURLRequest() throws -> URLRequest {
    if isPersisted, Operation.operationDocument.operationIdentifier == nil {
      throw OperationError(
        .invalidRequest,
        "It has no identifier to be persisted by: generate the code with operation identifiers.",
        operationName: Operation.operationName)
    }
    try operation.checkNoFiles()
    var request = try super.toURLRequest()
    guard usesGET else {
      request.httpMethod = "POST"
      request.httpBody = Data(try bodyAsJSON())
      return request
    }
    guard let url = try GraphQLGETTransformer(body: checkedBody(), url: graphQLEndpoint).makeURL() else {
      throw GraphQLHTTPRequestError.serializedQueryParamsMessageError
    }
    request.url = url
    request.setValue(nil, forHTTPHeaderField: "Content-Type")
    // The request has no body that causes a preflight, so servers that protect against forged requests ask for this
    // field.
    request.setValue("true", forHTTPHeaderField: "Apollo-Require-Preflight")
    request.cachePolicy = cachePolicy.urlCachePolicy
    return request
  }
}

extension JSONRequest: JSONBodied {}

extension HTTPRequest {
  /// The request, if its body is JSON.
  var asJSON: JSONRequest<Operation>? { form == .json ? known(self, as: JSONRequest<Operation>.self) : nil }
}

/// Why no request can be made of an operation.
public enum GraphQLHTTPRequestError: ApolloError, Hashable {
  /// The delegate of an ``HTTPNetworkTransport`` prevented the request.
  case cancelledByDelegate
  /// Never thrown: a body that cannot be written is a `JSONEncodingError`. A case of Apollo iOS.
  case serializedBodyMessageError
  /// The operation cannot be written into the query of the URL.
  case serializedQueryParamsMessageError

  /// The kind of this error: ``ApolloErrorCode/cancelled`` or ``ApolloErrorCode/invalidRequest``.
  public var code: ApolloErrorCode { self == .cancelledByDelegate ? .cancelled : .invalidRequest }

  /// One sentence that says what went wrong.
  public var message: String {
    switch self {
    case .cancelledByDelegate: "The transport's delegate did not let the request be sent."
    case .serializedBodyMessageError: "The body of the request could not be written."
    case .serializedQueryParamsMessageError: "The operation could not be written into the query of the URL."
    }
  }
}

/// What a transport has learnt about support for persisted queries on its server.
package final class PersistedQuerySupport: Sendable {
  private let state = Locked(true)

  package init() {}

  /// False after the server has said that it supports no hashes.
  package var isAvailable: Bool { state.withLock { $0 } }

  func end() { state.withLock { $0 = false } }
}

extension CachePolicy {
  /// The policy for HTTP caches on the way to the server, which answer only to `GET`.
  fileprivate var urlCachePolicy: URLRequest.CachePolicy {
    switch self {
    case .returnCacheDataElseFetch: .useProtocolCachePolicy
    case .fetchIgnoringCacheData: .reloadIgnoringLocalCacheData
    case .fetchIgnoringCacheCompletely: .reloadIgnoringLocalAndRemoteCacheData
    case .returnCacheDataDontFetch: .returnCacheDataDontLoad
    case .returnCacheDataAndFetch: .reloadRevalidatingCacheData
    }
  }
}
