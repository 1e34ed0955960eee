import ApolloTransport
import ApolloAPI
package import ApolloCache
import Foundation

/// Tells the listeners of a client what happens.
package final class EventHub: Sendable {
  struct Listener: Sendable {
    let details: ClientEvent.Details
    let take: @Sendable (ClientEvent) -> Void
    /// Called when the client is gone.
    var end: @Sendable () -> Void = {}
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var lastListener = 0
    var lastOperation = 0
  }

  let clock: any ClientClock
  private let state = Locked(State())

  init(_ clock: any ClientClock) { self.clock = clock }

  deinit { for listener in state.withLock({ $0.listeners.values }) { listener.end() } }

  /// The hub, if something listens. Where nothing does, nothing is made.
  var heard: EventHub? { state.withLock { $0.listeners.isEmpty ? nil : self } }

  /// What at least one listener wants to have.
  var details: ClientEvent.Details {
    state.withLock { $0.listeners.values.reduce(into: []) { $0.formUnion($1.details) } }
  }

  func add(_ listener: Listener) -> Int {
    state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return state.lastListener
    }
  }

  /// What happens from now on, in the client and in its cache, as a sequence that ends with the client.
  package func stream(
    including details: ClientEvent.Details, buffering limit: Int, changesOf store: ApolloStore
  ) -> AsyncStream<ClientEvent> {
    let (stream, continuation) = AsyncStream<ClientEvent>.makeStream(bufferingPolicy: .bufferingNewest(max(1, limit)))
    let number = add(
      EventHub.Listener(details: details, take: { continuation.yield($0) }, end: { continuation.finish() }))
    let clock = self.clock
    let endChanges = store.onChange { change in
      continuation.yield(
        ClientEvent(
          date: clock.date, instant: clock.now, operation: nil,
          kind: .cacheChanged(
            ClientEvent.CacheChange(
              fieldCount: change.changedKeys.count, change: details.contains(.variables) ? change : nil))))
    }
    continuation.onTermination = { [weak self] _ in
      endChanges()
      self?.remove(number)
    }
    return stream
  }

  private func remove(_ number: Int) { state.takeOut { $0.listeners.removeValue(forKey: number) } }

  /// A number for a call of an operation.
  func takeNumber() -> Int {
    state.withLock { state in
      state.lastOperation += 1
      return state.lastOperation
    }
  }

  /// Tells the listeners, if there are any, what has happened that is not about one operation; nil: nothing.
  package func tell(_ kind: @autoclosure () -> ClientEvent.Kind?) {
    guard let heard, let kind = kind() else { return }
    heard.record(kind)
  }

  /// Tells the listeners, in the thread of what has happened.
  func record(_ kind: ClientEvent.Kind, of operation: ClientEvent.Operation? = nil) {
    let event = ClientEvent(date: clock.date, instant: clock.now, operation: operation, kind: kind)
    let listeners = state.withLock { $0.listeners.sorted { $0.key < $1.key }.map(\.value) }
    for listener in listeners { listener.take(event.with(listener.details)) }
  }
}

extension ClientEvent {
  /// The event without what a listener has not asked for.
  fileprivate func with(_ details: Details) -> ClientEvent {
    let kind: Kind
    switch self.kind {
    case .operationStarted(let start) where !details.contains(.variables):
      kind = .operationStarted(Start(cachePolicy: start.cachePolicy, json: nil))
    case .requestSent(let request):
      kind = .requestSent(
        Request(
          attempt: request.attempt, address: request.address,
          headerFields: details.contains(.headerFields) ? request.headerFields : nil,
          body: details.contains(.bodies) ? request.body : nil, credentialNames: request.credentialNames))
    case .responseReceived(let response):
      kind = .responseReceived(
        Response(
          status: response.status, byteCount: response.byteCount, duration: response.duration,
          headerFields: details.contains(.headerFields) ? response.headerFields : nil,
          body: details.contains(.bodies) ? response.body : nil))
    default: return self
    }
    return ClientEvent(date: date, instant: instant, operation: operation, kind: kind)
  }
}
