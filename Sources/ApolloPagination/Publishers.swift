// The pagers as publishers, where Combine is there, or OpenCombine in its place.
import ApolloConcurrency

#if canImport(Combine)
  public import Combine
#elseif OpenCombine
  public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  import ApolloAPI
  import ApolloCache

  extension GraphQLQueryPager: Publisher {
    /// A pager does not fail: the errors of requests are outputs.
    public typealias Failure = Never

    /// Subscribes to the last pages, the failure that has come after them, and what follows. A subscriber that asks for
    /// fewer outputs than come is given the last one.
    ///
    /// - Parameter subscriber: What is given the outputs, on the pager's queue.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      let subject = CurrentValueSubject<Output?, Never>(nil), relay = Handoff(subject), end = SubscriptionEnd()
      // (The subject keeps one output, so the subscriber is there before the first one comes.)
      subject.compactMap { $0 }.handleEvents(receiveCancel: { end.cancel() }).subscribe(subscriber)
      end.set(
        hub.add(
          .init(
            receive: { relay.value.send($0.output.value) }, finish: { relay.value.send(completion: .finished) })))
    }
  }

  /// Cancels a subscription of a pager, which may be made after that.
  private final class SubscriptionEnd: Sendable {
    private struct State {
      var subscription: OutputSubscription?
      var isCancelled = false
    }

    private let state = Locked(State())

    func set(_ subscription: OutputSubscription) {
      let isCancelled = state.withLock { state in
        state.subscription = subscription
        return state.isCancelled
      }
      if isCancelled { subscription.cancel() }
    }

    func cancel() {
      let subscription = state.withLock { state in
        state.isCancelled = true
        return state.subscription
      }
      subscription?.cancel()
    }
  }

  extension AsyncGraphQLQueryPager: Publisher {
    /// A pager does not fail: the errors of requests are outputs.
    public typealias Failure = Never

    /// Subscribes to the last pages, the failure that has come after them, and what follows. A subscriber that asks for
    /// fewer outputs than come is given the last one.
    ///
    /// - Parameter subscriber: What is given the outputs, on the pager's queue.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      pager.receive(subscriber: subscriber)
    }
  }
#endif
