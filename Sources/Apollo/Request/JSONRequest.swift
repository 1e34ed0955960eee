public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation that is sent as JSON (GraphQL over HTTP, section 5).
open class JSONRequest<Operation: GraphQLOperation>: HTTPRequest<Operation>, @unchecked Sendable {
  // As its superclass is: one interceptor after the other has it.

  public init(
    operation: Operation, graphQLEndpoint: URL, contextIdentifier: UUID? = nil, clientName: String,
    clientVersion: String, additionalHeaders: [String: String] = [:], cachePolicy: CachePolicy = .default,
    context: (any RequestContext)? = nil
  ) {
    super.init(
      graphQLEndpoint: graphQLEndpoint, operation: operation, contextIdentifier: contextIdentifier,
      contentType: "application/json", clientName: clientName, clientVersion: clientVersion,
      additionalHeaders: additionalHeaders, cachePolicy: cachePolicy, context: context)
  }

  open override func toURLRequest() throws -> URLRequest {
    var request = try super.toURLRequest()
    request.httpMethod = "POST"
    request.httpBody = Data(RequestBody.json(for: operation))
    return request
  }
}

/// The body of a request, over HTTP or in a WebSocket message.
package enum RequestBody {
  /// `{"operationName": …, "query": …, "variables": …}`
  package static func json<Operation: GraphQLOperation>(for operation: Operation) -> [UInt8] {
    var writer = JSONWriter()
    writer.writeObject { writer in
      writer.write("operationName", Operation.operationName)
      writer.write("query", Operation.operationDocument.text)
      let variables = operation.variables
      if !variables.isEmpty { writer.write("variables", variables) }
    }
    return writer.bytes
  }
}
