package import ApolloAPI

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

extension RequestConfiguration.ResultBuffering {
  package func makeStream<Element>(
    of _: Element.Type
  ) -> (
    stream: AsyncThrowingStream<Element, any Error>, continuation: AsyncThrowingStream<Element, any Error>.Continuation
  ) {
    switch self {
    case .failing(let limit): AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(max(limit, 1)))
    case .newest(let count): AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(max(count, 1)))
    case .unlimited: AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(.max))
    }
  }

  /// How many more results the buffer has room for; nil if the one that was added last is not in it.
  package func room<Element>(after result: AsyncThrowingStream<Element, any Error>.Continuation.YieldResult) -> Int? {
    switch (self, result) {
    case (_, .enqueued(let remaining)): remaining
    // It has taken the place of the oldest.
    case (.newest, .dropped): 0
    default: nil
    }
  }

  /// How many results the buffer has room for.
  package var capacity: Int {
    switch self {
    case .failing(let limit): max(limit, 1)
    case .newest(let count): max(count, 1)
    case .unlimited: .max
    }
  }
}

/// Counts the bytes of results that wait for a callback's queue.
package final class QueuedBytes: Sendable {
  private struct State {
    var bytes = 0
    var count = 0
    var isExceeded = false
  }

  /// What becomes of a result.
  package enum Place {
    case onQueue
    /// It is the first one that may not wait.
    case tooMany
    /// It comes after the first one that may not wait.
    case nowhere
  }

  private let limit: Int
  private let state = Locked(State())

  package init(limit: Int) { self.limit = limit }

  /// Whether more results came than may wait.
  package var isExceeded: Bool { state.withLock { $0.isExceeded } }

  /// Counts a result that is put on the queue.
  package func add(_ size: Int) -> Place {
    state.withLock { state in
      guard !state.isExceeded else { return .nowhere }
      // One result may always wait.
      if state.count > 0, size > limit - state.bytes {
        state.isExceeded = true
        return .tooMany
      }
      state.bytes += size
      state.count += 1
      return .onQueue
    }
  }

  /// Counts a result that the queue has come to.
  package func remove(_ size: Int) {
    state.withLock { state in
      state.bytes -= size
      state.count -= 1
    }
  }
}

extension OperationError {
  package static func tooManyResults<Operation: GraphQLOperation>(_ limit: Int, of _: Operation.Type) -> OperationError
  {
    OperationError(
      .other,
      "More than \(limit) results wait for the app to take them. Take them faster, or choose another 'buffering'.",
      operationName: Operation.operationName)
  }
}
