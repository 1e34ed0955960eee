import ApolloAPI

/// The turn that code of an app holds while the body of its transaction runs.
///
/// Every task that the body starts inherits it. A call in there that needs a turn of this store would wait for the
/// body, and the body for the call. So it is an error.
final class HeldTurn: Sendable {
  @TaskLocal static var current: HeldTurn?

  private let owner: ObjectIdentifier
  private let call: String
  /// Whether it is a layer that runs.
  private let isOfLayer: Bool
  private let outer: HeldTurn?
  private let isOver = Locked(false)

  private init(owner: AnyObject, call: String, isOfLayer: Bool, outer: HeldTurn?) {
    self.owner = ObjectIdentifier(owner)
    self.call = call
    self.isOfLayer = isOfLayer
    self.outer = outer
  }

  static func with<T>(
    _ owner: AnyObject, call: String, isOfLayer: Bool = false, _ body: () throws -> T
  ) rethrows -> T {
    let turn = HeldTurn(owner: owner, call: call, isOfLayer: isOfLayer, outer: current)
    defer { turn.isOver.withLock { $0 = true } }
    return try $current.withValue(turn, operation: body)
  }

  static func with<T>(_ owner: AnyObject, call: String, _ body: () async throws -> T) async rethrows -> T {
    let turn = HeldTurn(owner: owner, call: call, isOfLayer: false, outer: current)
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

  /// The call whose body the caller runs in, and which holds a turn of an owner; nil if the caller holds none.
  static func call(holdingTurnOf owner: AnyObject) -> String? {
    var turn = current
    while let held = turn {
      if held.owner == ObjectIdentifier(owner), !held.isOver.withLock({ $0 }) { return held.call }
      turn = held.outer
    }
    return nil
  }
}

/// The turns that a task holds, for another task that does something for it.
///
/// A call in there that needs one of these turns would wait for the first task, which waits for the other one. So it is
/// an error as well.
package struct HeldTurns: Sendable {
  private let innermost: HeldTurn

  /// The turns of the caller; nil if it holds none.
  package init?() {
    guard let turn = HeldTurn.current else { return nil }
    innermost = turn
  }

  /// Runs a body, in whichever task, as if it held the turns.
  package func run(_ body: () async throws -> Void) async rethrows {
    try await HeldTurn.$current.withValue(innermost, operation: body)
  }
}
