import ApolloAPI

/// The turn that the code of an app holds while the body of its transaction runs.
///
/// It is passed on to every task that the body starts. A call that needs a turn of the same store would wait for the body
/// there, and the body for the call. So it is an error.
final class HeldTurn: Sendable {
  @TaskLocal static var current: HeldTurn?

  private let engine: ObjectIdentifier
  private let call: String
  private let outer: HeldTurn?
  private let isOver = Locked(false)

  private init(engine: RecordEngine, call: String, outer: HeldTurn?) {
    self.engine = ObjectIdentifier(engine)
    self.call = call
    self.outer = outer
  }

  static func with<T>(_ engine: RecordEngine, _ call: String, _ body: () throws -> T) rethrows -> T {
    let turn = HeldTurn(engine: engine, call: call, outer: current)
    defer { turn.isOver.withLock { $0 = true } }
    return try $current.withValue(turn, operation: body)
  }

  static func with<T>(_ engine: RecordEngine, _ call: String, _ body: () async throws -> T) async rethrows -> T {
    let turn = HeldTurn(engine: engine, call: call, outer: current)
    defer { turn.isOver.withLock { $0 = true } }
    return try await $current.withValue(turn, operation: body)
  }

  /// - Parameter call: What needs a turn.
  /// - Returns: The error if the caller already holds one of the same store.
  static func conflict(of call: String, in engine: RecordEngine) -> ApolloStore.Error? {
    var turn = current
    while let held = turn {
      if held.engine == ObjectIdentifier(engine), !held.isOver.withLock({ $0 }) {
        return .isWithinTransaction(call: call, transaction: held.call)
      }
      turn = held.outer
    }
    return nil
  }
}
