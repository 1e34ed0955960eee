package import ApolloAPI
package import ApolloCache

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
