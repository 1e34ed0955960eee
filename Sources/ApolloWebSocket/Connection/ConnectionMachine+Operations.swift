import Apollo
import ApolloAPI

// Operations begin, are sent, and end.

extension ConnectionMachine {
  mutating func start(_ operation: Operation, at now: Instant) {
    operations.append(operation)
    switch phase {
    case .idle: connect(at: now)
    case .ready: send(at: operations.count - 1)
    case .connecting, .acknowledging, .backingOff, .paused, .ended: break
    }
  }

  mutating func cancel(_ id: String) {
    guard let operation = remove(id) else { return }
    if operation.isSent { actions.append(.send(.complete(id: id))) }
    actions.append(.finish(id: id, nil))
  }

  mutating func sendWaitingOperations() {
    for index in operations.indices where !operations[index].isSent { send(at: index) }
  }

  private mutating func send(at index: Int) {
    operations[index].isSent = true
    actions.append(.send(.subscribe(id: operations[index].id, payload: operations[index].request)))
  }

  @discardableResult
  mutating func remove(_ id: String) -> Operation? {
    operations.firstIndex { $0.id == id }.map { operations.remove(at: $0) }
  }

  mutating func finish(_ id: String, _ error: WebSocketError? = nil) {
    if remove(id) != nil { actions.append(.finish(id: id, error)) }
  }

  /// Ends those operations for which `isLost` holds.
  mutating func finishAll(_ error: WebSocketError, where isLost: (Operation) -> Bool = { _ in true }) {
    for operation in operations where isLost(operation) { actions.append(.finish(id: operation.id, error)) }
    operations.removeAll(where: isLost)
  }
}
