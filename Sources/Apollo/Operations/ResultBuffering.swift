import ApolloAPI

extension RequestConfiguration {
  /// What happens to the results of an operation that come faster than the app takes them.
  ///
  /// Each operation has a buffer of its own, behind decoding and the cache: the cache, and whoever watches it, has every
  /// result at once, and a consumer that is slow, or does not read at all, holds up no other operation. The socket is
  /// read no faster than results are decoded, so nothing else grows when a server floods its clients. Where results are
  /// taken by a callback, its queue is the buffer.
  public enum ResultBuffering: Hashable, Sendable {
    /// So many results wait; one more ends the operation, after those that wait, with an error (of a WebSocket,
    /// `WebSocketError.ErrorKind.tooManyResults`). No result is lost unnoticed.
    case failing(limit: Int)
    /// So many results wait; one more takes the place of the oldest. For prices and positions, where only the latest
    /// value matters.
    case newest(Int)
    /// All results wait, whatever that costs.
    case unlimited

    /// Ten thousand results, then an error.
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
