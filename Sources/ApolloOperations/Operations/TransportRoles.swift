package import ApolloTransport
package import ApolloAPI
package import ApolloCache
package import Foundation

// Further abilities of transports of this package, in addition to sending.

/// A transport that sends nothing itself, and chooses one that does.
package protocol RoutingTransport {
  func transport<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> any NetworkTransport
}

/// A transport that has a cache, or takes its client's.
package protocol StoreUsing: AnyObject {
  /// The cache; nil if it was given none and has no client yet.
  var store: ApolloStore? { get }
  /// Takes the cache of its client, if it was not given one itself.
  func use(_ store: ApolloStore)
}

/// A transport to which something happens that is not about one operation.
package protocol EventSource {
  /// Tells the listeners of its client from now on.
  func report(to events: EventHub)
}

/// A transport that sends all operations over one connection, with the header fields and the address of that.
package protocol SharedConnectionTransport {}

/// A transport whose results wait in a limited buffer for a consumer that is slow.
package protocol ResultBufferingTransport {
  /// The buffering of operations whose configuration does not set it.
  var buffering: RequestConfiguration.ResultBuffering { get }
  /// The error that ends an operation whose buffer is full.
  func tooManyResults(_ limit: Int) -> any Error
  /// How many bytes of results of one operation may wait.
  var waitingLimit: Int { get }
  /// The error that ends an operation whose next result would be too many bytes.
  func tooManyResultBytes() -> any Error
}

/// A transport whose requests may name this library.
package protocol ClientAwareTransport {
  /// Requests no longer name this library.
  func endClientAwareness()
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
