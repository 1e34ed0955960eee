public import ApolloAPI
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
  open var additionalHeaders: [String: String]
  open var cachePolicy: CachePolicy
  /// Tells whose request it is; a watcher is not told of its own writes.
  public let contextIdentifier: UUID?
  public let context: (any RequestContext)?

  public init(
    graphQLEndpoint: URL, operation: Operation, contextIdentifier: UUID? = nil, contentType: String,
    clientName: String, clientVersion: String, additionalHeaders: [String: String],
    cachePolicy: CachePolicy = .default, context: (any RequestContext)? = nil
  ) {
    self.graphQLEndpoint = graphQLEndpoint
    self.operation = operation
    self.contextIdentifier = contextIdentifier
    self.additionalHeaders = additionalHeaders
    self.cachePolicy = cachePolicy
    self.context = context
    addHeader(name: "Content-Type", value: contentType)
    addHeader(name: "X-APOLLO-OPERATION-NAME", value: Operation.operationName)
    addHeader(name: "X-APOLLO-OPERATION-TYPE", value: Operation.operationType.rawValue)
    if let identifier = Operation.operationDocument.operationIdentifier {
      addHeader(name: "X-APOLLO-OPERATION-ID", value: identifier)
    }
    addHeader(name: "apollographql-client-name", value: clientName)
    addHeader(name: "apollographql-client-version", value: clientVersion)
  }

  /// Sets a header field.
  open func addHeader(name: String, value: String) {
    additionalHeaders[name] = value
  }

  open func updateContentType(to contentType: String) {
    addHeader(name: "Content-Type", value: contentType)
  }

  /// The request as it is sent.
  open func toURLRequest() throws -> URLRequest {
    var request = URLRequest(url: graphQLEndpoint)
    for (name, value) in additionalHeaders { request.setValue(value, forHTTPHeaderField: name) }
    if let context = context as? any RequestContextTimeoutConfigurable {
      request.timeoutInterval = context.requestTimeout
    }
    return request
  }
}
