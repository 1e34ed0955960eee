/// An asynchronous sequence of any type. The sequence in it is started when this one is iterated, and is asked for an
/// element only when one is needed.
public struct EventStream<Element: Sendable>: AsyncSequence, Sendable {
  private let makeNext: @Sendable () -> () async throws -> Element?

  /// Makes a stream of a sequence.
  ///
  /// - Parameter base: Any asynchronous sequence, such as an `AsyncStream`.
  public init<Base: AsyncSequence & Sendable>(_ base: Base) where Base.Element == Element {
    makeNext = {
      var iterator = base.makeAsyncIterator()
      return { try await iterator.next() }
    }
  }

  /// Begins to iterate, and starts the sequence.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(produce: makeNext()) }

  /// Iterates the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let produce: () async throws -> Element?

    /// Waits for the next event.
    ///
    /// - Returns: The event; nil after the last one.
    /// - Throws: The error of the sequence.
    public mutating func next() async throws -> Element? { try await produce() }
  }
}

/// The responses to the events of a subscription —
/// [spec](https://spec.graphql.org/September2025/#MapSourceToResponseEvent())
///
/// It ends when the events end. If they end with an error, that error is the last response. Releasing it, or cancelling
/// the task that iterates it, ends the events.
public struct ResponseStream: AsyncSequence, Sendable {
  let events: EventStream<GraphQLValue>
  let executor: Executor

  /// Begins to iterate, and starts the events.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(events: events.makeAsyncIterator(), executor: executor)
  }

  /// Iterates the responses.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// nil after the end.
    private var events: EventStream<GraphQLValue>.AsyncIterator?
    private let executor: Executor

    init(events: EventStream<GraphQLValue>.AsyncIterator, executor: Executor) {
      self.events = events
      self.executor = executor
    }

    /// Waits for the next response.
    ///
    /// - Returns: The response; nil after the last one.
    public mutating func next() async -> ExecutionResult? {
      guard var iterator = events else { return nil }
      do {
        if let event = try await iterator.next() { return await executor.execute(rootValue: event) }
        events = nil
        return nil
      } catch {
        events = nil
        // The task was cancelled, so its caller does not need the error.
        if error is CancellationError { return nil }
        return ExecutionResult(data: nil, errors: [ExecutionError(error)])
      }
    }
  }
}
