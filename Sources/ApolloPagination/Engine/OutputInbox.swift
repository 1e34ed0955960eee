import ApolloAPI
import ApolloConcurrency

/// Outputs that wait for the main actor. Of changes that follow each other, only the last one waits.
final class OutputInbox<Model>: Sendable {
  typealias Delivery = OutputHub<Model>.Delivery

  private let waiting = Locked<[Delivery]>([])

  /// Adds an output.
  ///
  /// - Returns: Whether nothing waited before, so that what waits has to be taken.
  func add(_ output: Delivery) -> Bool {
    waiting.withLock { waiting in
      let isFirst = waiting.isEmpty
      if let last = waiting.last, last.facts.isChange, output.facts.isChange, case .success = output.output.value {
        waiting.removeLast()
      }
      waiting.append(output)
      return isFirst
    }
  }

  /// Takes all that waits, in its order.
  func takeAll() -> [Delivery] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
