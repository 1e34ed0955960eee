// The pagers as publishers, where Combine is there, or OpenCombine in its place.
import ApolloConcurrency

#if canImport(Combine)
  public import Combine
#elseif OpenCombine
  public import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  import ApolloCache

  extension GraphQLQueryPager: Publisher {
    /// A pager does not fail: the errors of requests are outputs.
    public typealias Failure = Never

    /// Subscribes to the last pages, the failure that has come after them, and what follows.
    ///
    /// - Parameter subscriber: What is given the outputs, on the pager's queue.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      let subject = CurrentValueSubject<Output?, Never>(nil), relay = Handoff(subject)
      let subscription = hub.add(
        .init(
          receive: { relay.value.send($0.output.value) }, finish: { relay.value.send(completion: .finished) }))
      subject.compactMap { $0 }.handleEvents(receiveCancel: { subscription.cancel() }).subscribe(subscriber)
    }
  }

  extension AsyncGraphQLQueryPager: Publisher {
    /// A pager does not fail: the errors of requests are outputs.
    public typealias Failure = Never

    /// Subscribes to the last pages, the failure that has come after them, and what follows.
    ///
    /// - Parameter subscriber: What is given the outputs, on the pager's queue.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      pager.receive(subscriber: subscriber)
    }
  }
#endif
