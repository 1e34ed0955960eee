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
    let (stream, continuation) = AsyncStream<ClientEvent>.makeStream(bufferingPolicy: .bufferingNewest(max(1, limit)))
    let hub = route.policies.events
    let number = hub.add(
      EventHub.Listener(details: details, take: { continuation.yield($0) }, end: { continuation.finish() }))
    let clock = hub.clock
    let endChanges = store.onChange { change in
      continuation.yield(
        ClientEvent(
          date: clock.date, instant: clock.now, operation: nil,
          kind: .cacheChanged(
            ClientEvent.CacheChange(
              fieldCount: change.changedKeys.count, change: details.contains(.variables) ? change : nil))))
    }
    continuation.onTermination = { [weak hub] _ in
      endChanges()
      hub?.remove(number)
    }
    return stream
  }
}
