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

/// A transport that can tell how its subscriptions stand.
public protocol SubscriptionNetworkTransport: NetworkTransport {
  func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, context: (any RequestContext)?
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>>
}

extension NetworkTransport {
  /// The events of a subscription, and what this transport can tell of it.
  package func subscriptionStream<Subscription: GraphQLSubscription>(
    to subscription: Subscription, context: (any RequestContext)?
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    (self as? any SubscriptionNetworkTransport)?.subscribe(to: subscription, context: context)
      ?? subscribeByResults(to: subscription, context: context)
  }

  /// All that can be told of any transport: the subscription is active from the first event on.
  private func subscribeByResults<Subscription: GraphQLSubscription>(
    to subscription: Subscription, context: (any RequestContext)?
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    let status = SubscriptionStatus()
    let results = results(of: subscription, cachePolicy: .default, contextIdentifier: nil, context: context)
    let (stream, continuation) = AsyncThrowingStream<GraphQLResult<Subscription.Data>, any Error>.makeStream()
    let task = Task {
      do {
        for try await result in results {
          status.update(.active)
          continuation.yield(result)
        }
        status.update(.finished(.completed))
        continuation.finish()
      } catch {
        status.update(.finished(.error(error)))
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { reason in
      if case .cancelled = reason { status.update(.finished(.cancelled)) }
      task.cancel()
    }
    return SubscriptionStream(stream, status: status)
  }
}
