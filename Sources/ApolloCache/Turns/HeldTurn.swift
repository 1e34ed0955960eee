import ApolloAPI

/// The turn that code of an app holds while the body of its transaction runs.
///
/// Every task that the body starts inherits it. A call in there that needs a turn of this store would wait for the
/// body, and the body for the call. So it is an error.
final class HeldTurn: Sendable {
  @TaskLocal static var current: HeldTurn?

  private let engine: ObjectIdentifier
  private let call: String
  /// Whether it is a layer that runs.
  private let isOfLayer: Bool
  private let outer: HeldTurn?
  private let isOver = Locked(false)

  private init(engine: RecordEngine, call: String, isOfLayer: Bool, outer: HeldTurn?) {
    self.engine = ObjectIdentifier(engine)
    self.call = call
    self.isOfLayer = isOfLayer
    self.outer = outer
  }

  static func with<T>(
    _ engine: RecordEngine, call: String, isOfLayer: Bool = false, _ body: () throws -> T
  ) rethrows -> T {
    let turn = HeldTurn(engine: engine, call: call, isOfLayer: isOfLayer, outer: current)
    defer { turn.isOver.withLock { $0 = true } }
    return try $current.withValue(turn, operation: body)
  }

  static func with<T>(_ engine: RecordEngine, call: String, _ body: () async throws -> T) async rethrows -> T {
    let turn = HeldTurn(engine: engine, call: call, isOfLayer: false, outer: current)
    defer { turn.isOver.withLock { $0 = true } }
    return try await $current.withValue(turn, operation: body)
  }

  /// The optimistic update of some store in which the caller runs, or in which its task was started; nil if there is
  /// none.
  static var runningLayer: String? {
    var turn = current
    while let held = turn {
      if held.isOfLayer { return held.call }
      turn = held.outer
    }
    return nil
  }

  /// The error for a call that needs a turn which the caller holds already.
  ///
  /// - Parameters:
  ///   - call: The name of the function that needs a turn.
  ///   - engine: The store that the turn is of.
  /// - Returns: The error; nil if the caller holds no turn of this store.
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
