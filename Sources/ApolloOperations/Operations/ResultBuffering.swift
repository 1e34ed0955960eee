import ApolloAPI
import ApolloTransport

extension RequestConfiguration.ResultBuffering {
  func makeStream<Element>(
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
  func room<Element>(after result: AsyncThrowingStream<Element, any Error>.Continuation.YieldResult) -> Int? {
    switch (self, result) {
    case (_, .enqueued(let remaining)): remaining
    // It has taken the place of the oldest.
    case (.newest, .dropped): 0
    default: nil
    }
  }

  /// How many results the buffer has room for.
  var capacity: Int {
    switch self {
    case .failing(let limit): max(limit, 1)
    case .newest(let count): max(count, 1)
    case .unlimited: .max
    }
  }
}

/// Counts the bytes of results that wait for a callback's queue.
final class QueuedBytes: Sendable {
  private struct State {
    var bytes = 0
    var count = 0
    var isExceeded = false
  }

  /// What becomes of a result.
  enum Place {
    case onQueue
    /// It is the first one that may not wait.
    case tooMany
    /// It comes after the first one that may not wait.
    case nowhere
  }

  private let limit: Int
  private let state = Locked(State())

  init(limit: Int) { self.limit = limit }

  /// Whether more results came than may wait.
  var isExceeded: Bool { state.withLock { $0.isExceeded } }

  /// Counts a result that is put on the queue.
  func add(_ size: Int) -> Place {
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
  func remove(_ size: Int) {
    state.withLock { state in
      state.bytes -= size
      state.count -= 1
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
