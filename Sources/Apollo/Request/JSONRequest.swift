public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation that is sent as JSON, or in the query of a URL (GraphQL over HTTP, section 5).
open class JSONRequest<Operation: GraphQLOperation>: HTTPRequest<Operation>, @unchecked Sendable {
  // As its superclass is: one interceptor after the other has it.

  public let requestBodyCreator: any RequestBodyCreator
  /// The hash of the document is sent in place of the document, and with it once the server has asked for it.
  public let autoPersistQueries: Bool
  public let useGETForQueries: Bool
  public let useGETForPersistedQueryRetry: Bool
  public let sendEnhancedClientAwareness: Bool
  /// True once the server did not know the hash.
  open var isPersistedQueryRetry = false
  /// What the transport knows of its server.
  var persistedQuerySupport: PersistedQuerySupport?

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
      graphQLEndpoint: graphQLEndpoint, operation: operation, contextIdentifier: contextIdentifier,
      contentType: "application/json", clientName: clientName, clientVersion: clientVersion,
      additionalHeaders: additionalHeaders, cachePolicy: cachePolicy, context: context)
  }

  override func apply(_ configuration: RequestConfiguration) {
    super.apply(configuration)
    // What is known of the transport's server says nothing of another one.
    if configuration.endpointURL != nil { persistedQuerySupport = nil }
  }

  /// The hash is of use: it was asked for, and the server has not said that it knows no hashes.
  private var isPersisted: Bool { autoPersistQueries && persistedQuerySupport?.isAvailable ?? true }

  /// The JSON object that is sent.
  open var body: JSONEncodableDictionary {
    var body = requestBodyCreator.requestBody(
      for: operation, sendQueryDocument: !isPersisted || isPersistedQueryRetry, autoPersistQuery: isPersisted)
    if sendEnhancedClientAwareness { RequestBody.add(["clientLibrary": ClientLibrary.description], to: &body) }
    RequestBody.add(requestConfiguration.bodyExtensions, to: &body)
    return body
  }

  /// What ``body`` is as JSON.
  private func bodyAsJSON() throws -> [UInt8] {
    // Most requests are of one kind, which is written at once: the object in between takes four times as long.
    guard type(of: self) == JSONRequest<Operation>.self, requestBodyCreator is ApolloRequestBodyCreator, !isPersisted,
      requestConfiguration.bodyExtensions.isEmpty
    else { return try RequestBody.json(checkedBody()) }
    let text = Operation.operationDocument.text
    guard !text.isEmpty else { throw RequestBody.missingText(of: Operation.self) }
    var writer = JSONWriter()
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
    try RequestBody.checkDocument(of: Operation.self, in: body, by: requestBodyCreator)
    return body
  }

  /// `GET` is for queries only.
  var usesGET: Bool {
    guard Operation.operationType == .query else { return false }
    return isPersisted && isPersistedQueryRetry ? useGETForPersistedQueryRetry : useGETForQueries
  }

  open override func toURLRequest() throws -> URLRequest {
    if isPersisted, Operation.operationDocument.operationIdentifier == nil {
      throw OperationError(
        .invalidRequest,
        "It has no identifier to be persisted by: generate the code with operation identifiers.",
        operationName: Operation.operationName)
    }
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
    request.httpMethod = "GET"
    request.setValue(nil, forHTTPHeaderField: "Content-Type")
    // Without a body that needs a preflight, a server that fears forged requests wants to see this.
    request.setValue("true", forHTTPHeaderField: "Apollo-Require-Preflight")
    request.cachePolicy = cachePolicy.urlCachePolicy
    return request
  }
}

/// Why no request could be made of an operation.
public enum GraphQLHTTPRequestError: ApolloError, Hashable {
  /// The delegate of an ``HTTPNetworkTransport`` did not want the request to be sent.
  case cancelledByDelegate
  case serializedBodyMessageError
  case serializedQueryParamsMessageError

  public var code: ApolloErrorCode { self == .cancelledByDelegate ? .cancelled : .invalidRequest }

  public var message: String {
    switch self {
    case .cancelledByDelegate: "The transport's delegate did not let the request be sent."
    case .serializedBodyMessageError: "The body of the request could not be written."
    case .serializedQueryParamsMessageError: "The operation could not be written into the query of the URL."
    }
  }
}

/// What a transport has learnt about persisted queries on its server.
final class PersistedQuerySupport: Sendable {
  private let state = Locked(true)

  /// False once the server has said that it knows no hashes.
  var isAvailable: Bool { state.withLock { $0 } }

  func end() { state.withLock { $0 = false } }
}

extension CachePolicy {
  /// What it says of caches on the way to the server, which answer only to `GET`.
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
