import ApolloAPI

extension RequestConfiguration {
  /// What happens to the results of an operation that come faster than the app takes them.
  ///
  /// Each operation has its own buffer, which holds results after they were decoded and written to the cache. So
  /// watchers
  /// of the cache get every result at once, and a slow consumer does not delay other operations. A WebSocket is read
  /// only
  /// as fast as its results are decoded. If results are delivered to a callback, the callback's queue is the buffer.
  public enum ResultBuffering: Hashable, Sendable {
    /// This number of results may wait. One more ends the operation with an error, after the results that wait. Over a
    /// WebSocket it is a `WebSocketError` of the kind `tooManyResults`.
    case failing(limit: Int)
    /// This number of results may wait. One more replaces the oldest. It is meant for prices and positions, where only
    /// the latest value matters.
    case newest(Int)
    /// Any number of results may wait. The memory is not limited.
    case unlimited

    /// The default: ten thousand results may wait; one more ends the operation with an error.
    public static let `default` = Self.failing(limit: 10_000)
  }
}

extension RequestConfiguration.ResultBuffering {
  func makeStream<Element>(
    of _: Element.Type
  ) -> (
    stream: AsyncThrowingStream<Element, any Error>, continuation: AsyncThrowingStream<Element, any Error>.Continuation
  ) {
    switch self {
    case .failing(let limit): AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(max(limit, 1)))
    case .newest(let count): AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(max(count, 1)))
    case .unlimited: AsyncThrowingStream.makeStream()
    }
  }
}

extension OperationError {
  static func tooManyResults<Operation: GraphQLOperation>(_ limit: Int, of _: Operation.Type) -> OperationError {
    OperationError(
      .other,
      "More than \(limit) results wait for the app to take them. Take them faster, or choose another 'buffering'.",
      operationName: Operation.operationName)
  }
}
