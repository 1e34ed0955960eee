import ApolloConcurrency
import Apollo
import ApolloAPI
import ApolloCache
import Foundation

/// Makes the models of a pager, and hands each of them to all subscribers, in order.
final class OutputHub<Model>: Sendable {
  typealias Output = Result<Model, any Error>

  /// An output, and what else it says.
  struct Delivery: Sendable {
    var output: Handoff<Output>
    var facts: PageFacts
  }

  /// What is given the outputs.
  struct Subscriber: Sendable {
    var receive: @Sendable (Delivery) -> Void
    /// Called when the pager is gone.
    var finish: @Sendable () -> Void = {}
  }

  private struct State {
    var current: Delivery?
    var subscribers: [Int: Subscriber] = [:]
    var count = 0
    var isFinished = false
  }

  /// Where models are made, one after the other.
  private let modelQueue = DispatchQueue(label: "apollo.pager")
  /// Where subscribers are called.
  private let queue: DispatchQueue
  private let state = Locked(State())

  init(queue: DispatchQueue) { self.queue = queue.oneByOne }

  /// Whether the last output has pages.
  var hasPages: Bool { state.withLock { $0.current.map { (try? $0.output.value.get()) != nil } ?? false } }

  /// Forgets the last output, which later subscribers would be given.
  func forget() { state.withLock { $0.current = nil } }

  /// Hands an output to all subscribers.
  ///
  /// - Parameters:
  ///   - facts: What else the output says.
  ///   - isCurrent: Whether the output is still wanted, when it has been made.
  ///   - make: Makes the output.
  func send(
    _ facts: PageFacts, ifCurrent isCurrent: @escaping @Sendable () -> Bool,
    _ make: @escaping @Sendable () -> Handoff<Output>
  ) {
    modelQueue.async { [self] in
      let output = Delivery(output: make(), facts: facts)
      queue.async { [self] in
        guard isCurrent() else { return }
        let subscribers = state.withLock { state in
          state.current = output
          return state.subscribers.sorted { $0.key < $1.key }.map(\.value)
        }
        for subscriber in subscribers { subscriber.receive(output) }
      }
    }
  }

  /// Returns when all outputs that were sent have been handed to the subscribers.
  func flush() async {
    await withCheckedContinuation { done in
      modelQueue.async { [queue] in queue.async { done.resume() } }
    }
  }

  /// Adds a subscriber. It is given the last output at once, if there is one.
  func add(_ subscriber: Subscriber) -> OutputSubscription {
    let number = state.withLock { state in
      state.count += 1
      state.subscribers[state.count] = Subscriber(receive: { _ in }, finish: subscriber.finish)
      return state.count
    }
    // On the queue, no output comes between the last one and those that follow.
    queue.async { [self] in
      let current = state.withLock { state -> Delivery? in
        guard state.subscribers[number] != nil else { return nil }
        state.subscribers[number] = subscriber
        return state.current
      }
      if let current { subscriber.receive(current) }
    }
    if state.withLock({ $0.isFinished }) { finish() }
    return OutputSubscription { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) { state.withLock { $0.subscribers[number] = nil } }

  /// Ends all subscriptions.
  func finish() {
    let subscribers = state.withLock { state in
      defer { state.subscribers = [:] }
      state.isFinished = true
      return state.subscribers.values.map(\.finish)
    }
    for finish in subscribers { finish() }
  }
}

/// Ends a subscription to a pager when it is cancelled, and not when it is released.
final class OutputSubscription: Cancellable, Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  func cancel() { end() }
}
