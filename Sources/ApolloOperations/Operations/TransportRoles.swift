package import ApolloTransport
package import ApolloAPI
package import ApolloCache
package import Foundation

// Further abilities of transports of this package, in addition to sending.

/// A transport that sends nothing itself, and chooses one that does.
package protocol RoutingTransport: Sendable {
  func transport<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> any NetworkTransport
}

/// A transport that goes by what holds for all operations of its client.
package protocol ClientTransport: AnyObject {
  /// The cache; nil if it was given none and has no client yet.
  var store: ApolloStore? { get }
  /// Becomes a transport of a client: takes its cache, if it was not given one itself, goes by its clock, if the app has
  /// given that, and tells its listeners what happens that is not about one operation.
  func join(_ client: ExchangePolicies, _ store: ApolloStore)
}

/// A transport that sends all operations over one connection, with the header fields and the address of that. Results wait
/// in a limited buffer for a consumer that is slow.
package protocol ConnectionTransport {
  /// The buffering of operations whose configuration does not set it, and how many bytes of results of one operation may
  /// wait.
  var buffering: (results: RequestConfiguration.ResultBuffering, bytes: Int) { get }
  /// Makes the error that ends an operation whose results do not fit into the buffer.
  ///
  /// - Parameter limit: How many results may wait; nil: the next one would be too many bytes.
  /// - Returns: The error.
  func tooManyResults(_ limit: Int?) -> any Error
}

/// A transport that can be told what its requests say of the app and of this library.
package protocol ClientAwareTransport: AnyObject {
  /// What later requests say. An empty text is not sent.
  var clientAwarenessMetadata: ClientAwarenessMetadata { get set }
  /// Later requests do not name this library.
  func endLibraryAwareness()
}

extension ClientAwareTransport {
  package func endLibraryAwareness() {
    let metadata = clientAwarenessMetadata
    clientAwarenessMetadata = ClientAwarenessMetadata(
      clientApplicationName: metadata.clientApplicationName,
      clientApplicationVersion: metadata.clientApplicationVersion, includeApolloLibraryAwareness: false)
  }
}

/// A transport that takes operations through chains of interceptors.
package protocol ChainedTransport: AnyObject, Sendable {
  /// The address of the server.
  var endpointURL: URL { get }
  /// How many seconds a query or a mutation may take in all; nil for no limit.
  var requestDeadline: TimeInterval? { get }
  /// Where redirects may lead, and how much may come; nil where the session says it.
  var exchangeLimits: (origins: OriginPolicy?, limits: ResponseLimits?) { get }
  /// Whether it is a subclass, whose `send` must be called because it may be overridden.
  var mayOverrideSend: Bool { get }

  /// Whether an address is of an origin of the client.
  func owns(_ url: URL?) -> Bool

  /// Makes the request for an operation without files. A subclass may make another one.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - cachePolicy: Where the data may come from.
  ///   - contextIdentifier: Identifies the writer to watchers. nil: none.
  ///   - context: A value of the app for interceptors. nil: none.
  /// - Returns: The request.
  func constructRequest<Operation: GraphQLOperation>(
    for operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
  ) -> HTTPRequest<Operation>

  /// Makes the request for an operation, and the chain that it goes through.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - files: The files that are sent with it; nil if it is not an upload.
  ///   - cachePolicy: Where the data may come from.
  ///   - contextIdentifier: Identifies the writer to watchers. nil: none.
  ///   - context: A value of the app for interceptors. nil: none.
  ///   - store: The cache of the operation, if its interceptors have none. nil: none.
  /// - Returns: The request, and the chain.
  func prepare<Operation: GraphQLOperation>(
    _ operation: Operation, files: [GraphQLFile]?, cachePolicy: CachePolicy, contextIdentifier: UUID?,
    context: (any RequestContext)?, store: ApolloStore?
  ) -> (HTTPRequest<Operation>, any StepChain)
}
