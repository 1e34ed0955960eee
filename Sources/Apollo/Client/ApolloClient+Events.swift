import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache

extension ApolloClient {
  /// What happens in the client from now on, without the values of variables, header fields and bodies.
  ///
  /// Each call gives a sequence of its own, which ends with the client. While there is none, the client makes no events. Up
  /// to a thousand events wait for a slow consumer; if more come, the oldest are dropped.
  public var events: AsyncStream<ClientEvent> { events(including: []) }

  /// What happens in the client from now on.
  ///
  /// - Parameters:
  ///   - details: What the events have besides, which may be secret.
  ///   - limit: How many events wait for a slow consumer; if more come, the oldest are dropped. The default is a thousand.
  /// - Returns: The events. The sequence ends with the client.
  public func events(including details: ClientEvent.Details, buffering limit: Int = 1000) -> AsyncStream<ClientEvent> {
    route.policies.events.stream(including: details, buffering: limit, changesOf: store)
  }
}
