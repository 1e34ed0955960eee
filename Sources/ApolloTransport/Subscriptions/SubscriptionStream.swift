import ApolloAPI

/// The events of a subscription, and its state.
///
///     let events = client.subscribe(to: ReviewAddedSubscription())
///     Task { for await state in events.states { show(state) } }
///     for try await event in events { … }
///
/// The events can be iterated once. Cancelling the task that iterates ends the subscription.
public struct SubscriptionStream<Element: Sendable>: AsyncSequence, Sendable {
  private let operationName: String?
  private let events: AsyncThrowingStream<Element, any Error>
  private let status: SubscriptionStatus
  /// The error because of which no event is given, though it has come before; nil: each is given.
  private let refusal: @Sendable () -> (any Error)?

  /// Creates a stream of what an app's own transport, or a test, gives.
  ///
  /// - Parameters:
  ///   - stream: The events. A cancelled iteration ends it.
  ///   - stateProvider: The current state. ``states`` asks for it at its begin, with each event and at the end.
  public init(
    stream: AsyncThrowingStream<Element, any Error>, stateProvider: @escaping @Sendable () -> SubscriptionState
  ) {
    self.init(stream, status: SubscriptionStatus(provider: stateProvider))
  }

  package init(
    _ stream: AsyncThrowingStream<Element, any Error>, status: SubscriptionStatus, operationName: String? = nil,
    refusal: @escaping @Sendable () -> (any Error)? = { nil }
  ) {
    events = stream
    self.status = status
    self.refusal = refusal
    self.operationName = operationName
  }

  /// The events as a plain `AsyncThrowingStream`. An event that was iterated here is not given there.
  public var stream: AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(unfolding: { () async throws -> Element? in
      var iterator = makeAsyncIterator()
      return try await iterator.next()
    })
  }

  /// The current state of the subscription.
  public var state: SubscriptionState { status.state }

  /// The current state of the subscription, and each change of it, until the subscription ends.
  ///
  /// Several tasks may each iterate a sequence of their own.
  public var states: AsyncStream<SubscriptionState> { status.states }

  /// A copy of the stream whose errors name the operation.
  package func naming(_ operationName: String) -> Self {
    Self(events, status: status, operationName: operationName, refusal: refusal)
  }

  /// Iterates the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let operationName: String?
    fileprivate let status: SubscriptionStatus
    fileprivate let refusal: @Sendable () -> (any Error)?
    fileprivate let events: AsyncThrowingStream<Element, any Error>

    /// Waits for the next event.
    ///
    /// - Returns: The event; nil after the last one.
    /// - Throws: ``OperationError``, if the stream comes from a client.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// Waits for the next event.
    ///
    /// - Parameter actor: The actor that iterates. nil: none.
    /// - Returns: The event; nil after the last one.
    /// - Throws: ``OperationError``, if the stream comes from a client.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      do {
        // Each iterator of such a stream continues where the previous one stopped.
        var iterator = events.makeAsyncIterator()
        let element = try await iterator.next()
        // (On the actor, which may have been busy meanwhile.)
        status.refresh(ending: element == nil ? (Task.isCancelled ? .cancelled : .completed) : nil)
        if element != nil, let error = refusal() { throw error }
        return element
      } catch {
        status.refresh(ending: .error(error))
        throw operationName.map { OperationError.thrown(error, operationName: $0) } ?? error
      }
    }
  }

  /// Begins to iterate. The events can be iterated once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(operationName: operationName, status: status, refusal: refusal, events: events)
  }
}
