extension RequestConfiguration {
  /// What happens to the results of an operation that come faster than the app takes them.
  ///
  /// Each operation has its own buffer, which holds results after they were decoded and written to the cache. So
  /// watchers of the cache get every result at once, and a slow consumer does not delay other operations. A WebSocket is
  /// read only as fast as its results are decoded. If results are delivered to a callback, the callback's queue is the
  /// buffer.
  ///
  /// Whatever the number, no more bytes may wait than `waitingSize` of ``ResponseLimits``, counted by the responses that
  /// the results were made of; ``unlimited`` has no limit.
  public enum ResultBuffering: Hashable, Sendable {
    /// This number of results may wait. One more ends the operation with an error, after the results that wait. Over a
    /// WebSocket it is a `WebSocketError` of the kind `tooManyResults`.
    case failing(limit: Int)
    /// This number of results may wait. One more replaces the oldest. It is meant for prices and positions, where only
    /// the latest value matters.
    case newest(Int)
    /// Any number of results may wait, and any number of bytes. The memory is not limited.
    case unlimited

    /// The default: ten thousand results may wait; one more ends the operation with an error.
    public static let `default` = Self.failing(limit: 10_000)
  }
}
