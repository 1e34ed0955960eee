import Apollo
import ApolloAPI

// Operations begin, are sent, and end.

extension ConnectionMachine {
  mutating func start(_ operation: Operation, at now: Instant) {
    operations.insert(operation)
    switch phase {
    case .idle: connect(at: now)
    case .ready: if !waitsForRoom { send(operation) }
    case .paused: actions.append(.report(id: operation.id, .paused))
    case .connecting, .acknowledging, .backingOff, .renewing, .ended: break
    }
  }

  mutating func cancel(_ id: String) {
    guard let operation = operations.remove(id) else { return }
    if operation.isSent { send(.complete(id: id)) }
    actions.append(.finish(id: id, nil))
  }

  /// Sends the operations that were not sent yet, in their order, as long as there is room for them.
  mutating func sendWaitingOperations() {
    waitsForRoom = false
    for operation in operations.all where !operation.isSent && !waitsForRoom { send(operation) }
  }

  private mutating func send(_ operation: Operation) {
    let message = ClientMessage.subscribe(id: operation.id, payload: operation.request)
    guard unread.hasRoom(for: message.weight.bytes) else {
      waitsForRoom = true
      return
    }
    operations.markSent(operation.id)
    send(message)
    actions.append(.report(id: operation.id, .active))
  }

  mutating func finish(_ id: String, _ error: WebSocketError? = nil) {
    if operations.remove(id) != nil { actions.append(.finish(id: id, error)) }
  }

  /// Ends those operations for which `isLost` holds.
  mutating func finishAll(_ error: WebSocketError, where isLost: (Operation) -> Bool = { _ in true }) {
    for operation in operations.all where isLost(operation) { finish(operation.id, error) }
  }

  // MARK: State of the operations

  mutating func reportAll(_ state: SubscriptionState) {
    for operation in operations.all { actions.append(.report(id: operation.id, state)) }
  }
}
