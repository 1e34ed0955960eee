import Apollo
import ApolloAPI

// Operations begin, are sent, and end.

extension ConnectionMachine {
  mutating func start(_ operation: Operation, at now: Instant) {
    operations.insert(operation)
    switch phase {
    case .idle: connect(at: now)
    case .ready: send(operation)
    case .paused: actions.append(.report(id: operation.id, .paused))
    case .connecting, .acknowledging, .backingOff, .renewing, .ended: break
    }
  }

  mutating func cancel(_ id: String) {
    guard let operation = operations.remove(id) else { return }
    if operation.isSent { actions.append(.send(.complete(id: id))) }
    actions.append(.finish(id: id, nil))
  }

  mutating func sendWaitingOperations() {
    for operation in operations.all where !operation.isSent { send(operation) }
  }

  private mutating func send(_ operation: Operation) {
    operations.markSent(operation.id)
    actions.append(.send(.subscribe(id: operation.id, payload: operation.request)))
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
