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
    /// Whether it is given each output, also one that says nothing but what a later one says.
    var wantsAll = true
    /// Whether it asks each output what is beside its pages.
    var looksBeside = false
  }

  private struct State {
    /// The last output that has pages.
    var pages: Delivery?
    /// The last output, if it has come after the pages and has none: a failure.
    var failure: Delivery?
    var subscribers: [Int: Subscriber] = [:]
    var count = 0
    var isFinished = false

    mutating func take(_ output: Delivery) {
      switch output.output.value {
      case .success where output.facts.hasData: (pages, failure) = (output, nil)
      // What the user's pages end with is told to those who listen now, and not to the next user.
      case .failure(let error) where error.isSignOut: break
      default: failure = output
      }
    }
  }

  /// Where models are made, one after the other.
  private let modelQueue = DispatchQueue(label: "apollo.pager")
  /// Where subscribers are called.
  private let queue: DispatchQueue
  private let state = Locked(State())
  /// The number of the last change that was sent. (A lock of its own, because ``send(_:ifCurrent:_:)`` is called under
  /// another one.)
  private let lastChange = Locked(0)

  init(queue: DispatchQueue) { self.queue = queue.oneByOne }

  /// Whether there are pages, whatever has failed since.
  var hasPages: Bool { state.withLock { $0.pages != nil } }

  /// The model of the last output that has pages; nil if there is none.
  var pages: Model? { state.withLock { $0.pages }.flatMap { try? $0.output.value.get() } }

  /// Forgets what later subscribers would be given.
  func forget() {
    state.takeOut { state in
      defer { (state.pages, state.failure) = (nil, nil) }
      return (state.pages, state.failure)
    }
  }

  /// Hands an output to all subscribers. The model of a change that another one has followed is not made, unless a
  /// subscriber wants all outputs.
  ///
  /// - Parameters:
  ///   - facts: What else the output says.
  ///   - isCurrent: Whether the output is still wanted, when it has been made.
  ///   - make: Makes the output.
  func send(
    _ facts: PageFacts, ifCurrent isCurrent: @escaping @Sendable () -> Bool,
    _ make: @escaping @Sendable () -> Handoff<Output>
  ) {
    let change = lastChange.withLock { change in
      if facts.isChange { change += 1 }
      return change
    }
    modelQueue.async { [self] in
      if facts.isChange, change != lastChange.withLock({ $0 }), !isEachWanted { return }
      let output = Delivery(output: make(), facts: facts)
      // (Subscribers may be on the main actor, which does not wait for closures of the app.)
      if isAnyLookingBeside { facts.askApp() }
      queue.async { [self] in
        let (subscribers, former) = state.withLock { state -> ([Subscriber], (Delivery?, Delivery?)) in
          // (Under the lock, so that nothing comes behind `forget()` that is not wanted any more.)
          guard isCurrent() else { return ([], (nil, nil)) }
          let former = (state.pages, state.failure)
          state.take(output)
          return (state.subscribers.sorted { $0.key < $1.key }.map(\.value), former)
        }
        // (Models of the app are not released under the lock.)
        withExtendedLifetime(former) {}
        for subscriber in subscribers { subscriber.receive(output) }
      }
    }
  }

  private var isEachWanted: Bool { state.withLock { $0.subscribers.values.contains { $0.wantsAll } } }
  private var isAnyLookingBeside: Bool { state.withLock { $0.subscribers.values.contains { $0.looksBeside } } }

  /// Returns when all outputs that were sent have been handed to the subscribers.
  func flush() async {
    await withCheckedContinuation { done in
      modelQueue.async { [queue] in queue.async { done.resume() } }
    }
  }

  /// Adds a subscriber. It is given the last pages at once, and the failure that has come after them, if there are any.
  func add(_ subscriber: Subscriber) -> OutputSubscription {
    let number = state.withLock { state in
      state.count += 1
      var waiting = subscriber
      waiting.receive = { _ in }
      state.subscribers[state.count] = waiting
      return state.count
    }
    if subscriber.looksBeside {
      // (No subscriber may have asked the pages so far.)
      modelQueue.async { [self] in
        state.withLock { $0.pages }?.facts.askApp()
        begin(number, subscriber)
      }
    } else {
      begin(number, subscriber)
    }
    if state.withLock({ $0.isFinished }) { finish() }
    return OutputSubscription { [weak self] in self?.remove(number) }
  }

  /// Gives a subscriber the last outputs, and those that follow.
  private func begin(_ number: Int, _ subscriber: Subscriber) {
    // On the queue, no output comes between the last ones and those that follow.
    queue.async { [self] in
      let last = state.withLock { state -> [Delivery] in
        guard state.subscribers[number] != nil else { return [] }
        state.subscribers[number] = subscriber
        return [state.pages, state.failure].compactMap { $0 }
      }
      for output in last { subscriber.receive(output) }
    }
  }

  private func remove(_ number: Int) { state.takeOut { $0.subscribers.removeValue(forKey: number) } }

  /// Ends all subscriptions.
  func finish() {
    let subscribers = state.withLock { state in
      defer { state.subscribers = [:] }
      state.isFinished = true
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.finish() }
  }
}

/// Ends a subscription to a pager when it is cancelled, and not when it is released.
final class OutputSubscription: Cancellable, Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  func cancel() { end() }
}
