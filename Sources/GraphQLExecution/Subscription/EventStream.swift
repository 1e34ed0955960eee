/// An asynchronous sequence of which only the elements matter. Its base starts when it is iterated, and is asked for an
/// element only when one is wanted.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  private let makeNext: @Sendable () -> () async throws -> Element?

  /// - Parameter base: Any asynchronous sequence, such as an `AsyncStream`.
  public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Element {
    makeNext = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.next() }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(produce: makeNext()) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let produce: () async throws -> Element?

    public mutating func next() async throws -> Element? { try await produce() }
  }
}

/// The responses to the events of a subscription
/// — [spec](https://spec.graphql.org/September2025/#MapSourceToResponseEvent())
///
/// It ends when the events end. When they end with an error, that error is the last response. Dropping it, or cancelling
/// the task that iterates it, ends the events.
public struct ResponseStream: AsyncSequence, Sendable {
  let events: EventStream<GraphQLValue>
  let executor: Executor

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator(), executor: executor)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    /// `nil` after the end.
    private var events: EventStream<GraphQLValue>.AsyncIterator?
    private let executor: Executor

    init(events: EventStream<GraphQLValue>.AsyncIterator, executor: Executor) {
      self.events = events
      self.executor = executor
    }

    public mutating func next() async -> ExecutionResult? {
      guard var iterator = events else { return nil }
      do {
        if let event = try await iterator.next() { return await executor.execute(rootValue: event) }
        events = nil
        return nil
      } catch {
        events = nil
        // Whoever cancelled does not want to hear of it.
        if error is CancellationError { return nil }
        return ExecutionResult(data: nil, errors: [ExecutionError(error)])
      }
    }
  }
}
