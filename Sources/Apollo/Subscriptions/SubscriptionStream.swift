import ApolloAPI

/// The events of a subscription, and how it stands.
///
///     let events = client.subscribe(to: ReviewAddedSubscription())
///     Task { for await state in events.states { show(state) } }
///     for try await event in events { … }
///
/// The events can be iterated once. Ending the task that iterates ends the subscription.
public struct SubscriptionStream<Element: Sendable>: AsyncSequence, Sendable {
  private let operationName: String?
  private let stream: AsyncThrowingStream<Element, any Error>
  private let status: SubscriptionStatus

  package init(
    _ stream: AsyncThrowingStream<Element, any Error>, status: SubscriptionStatus, operationName: String? = nil
  ) {
    self.stream = stream
    self.status = status
    self.operationName = operationName
  }

  /// How the subscription stands now.
  public var state: SubscriptionState { status.state }

  /// How the subscription stands now, and each change of that; it ends with the subscription.
  ///
  /// Any number of tasks may iterate one of their own.
  public var states: AsyncStream<SubscriptionState> { status.states }

  /// The same stream, whose errors name the operation.
  func naming(_ operationName: String) -> Self {
    Self(stream, status: status, operationName: operationName)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let operationName: String?
    fileprivate var iterator: AsyncThrowingStream<Element, any Error>.Iterator

    /// - Throws: ``OperationError``, if the stream comes from a client.
    public mutating func next() async throws -> Element? {
      do {
        return try await iterator.next()
      } catch {
        throw operationName.map { OperationError.wrap(error, operationName: $0) } ?? error
      }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(operationName: operationName, iterator: stream.makeAsyncIterator())
  }
}

extension OperationRun where Operation: GraphQLSubscription {
  /// The events of a subscription, and how it stands.
  package func subscription() -> SubscriptionStream<GraphQLResult<Operation.Data>> {
    let status = SubscriptionStatus()
    return SubscriptionStream(stream(reporting: status), status: status)
  }
}
