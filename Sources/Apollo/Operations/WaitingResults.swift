import ApolloAPI

/// Counts the bytes of results that wait for the app, over all operations of a connection.
package final class WaitingBytes: Sendable {
  package let limit: Int
  private let count = Locked(0)

  package init(limit: Int) { self.limit = limit }

  /// Adds the bytes of a result, unless that would be more than the limit. A result that is larger may wait by itself.
  fileprivate func add(_ bytes: Int) -> Bool {
    count.withLock { count in
      guard count == 0 || bytes <= limit - count else { return false }
      count += bytes
      return true
    }
  }

  fileprivate func remove(_ bytes: Int) { count.withLock { $0 -= bytes } }
}

/// The results of one operation that wait for the app, each with the size of its response.
final class WaitingResults: Sendable {
  private struct State {
    /// The size of the response whose result comes next.
    var next = 0
    var sizes: [Int] = []
    /// Where the sizes of the results that still wait begin.
    var start = 0
  }

  private let bytes: WaitingBytes
  private let state = Locked(State())

  init(_ bytes: WaitingBytes) { self.bytes = bytes }

  deinit { removeAll() }

  /// The app takes no more results.
  func removeAll() {
    let size = state.withLock { state in
      defer { (state.sizes, state.start) = ([], 0) }
      return state.sizes[state.start...].reduce(0, +)
    }
    bytes.remove(size)
  }

  /// A response has come, whose result follows.
  func note(_ response: ResponseBytes) { state.withLock { $0.next = response.count } }

  /// Adds the result of the response that was noted; a result from the cache has no size.
  ///
  /// - Returns: False if there is no room for it.
  func add() -> Bool {
    state.withLock { state in
      guard bytes.add(state.next) else { return false }
      state.sizes.append(state.next)
      state.next = 0
      return true
    }
  }

  /// The app has taken the oldest result, or a newer one has replaced it.
  func removeFirst() {
    let size = state.withLock { state in
      guard state.start < state.sizes.count else { return 0 }
      defer {
        state.start += 1
        if state.start > 64, state.start > state.sizes.count / 2 {
          state.sizes.removeFirst(state.start)
          state.start = 0
        }
      }
      return state.sizes[state.start]
    }
    bytes.remove(size)
  }
}

/// Where the results of one operation wait for the app, and how many of them may.
struct ResultBuffer: Sendable {
  let buffering: RequestConfiguration.ResultBuffering
  /// The sizes of those that wait; nil if nothing limits them.
  let waiting: WaitingResults?
  private let transport: Handoff<(any ResultBufferingTransport)?>

  /// - Parameters:
  ///   - transport: Sends the operation; nil for one that sets no limit.
  ///   - buffering: The choice for this operation; nil: that of the transport.
  init(of transport: (any NetworkTransport)?, _ buffering: RequestConfiguration.ResultBuffering?) {
    let transport = transport as? any ResultBufferingTransport
    self.transport = Handoff(transport)
    self.buffering = buffering ?? transport?.buffering ?? .unlimited
    waiting = self.buffering == .unlimited ? nil : transport.map { WaitingResults($0.waiting) }
  }

  /// Adds a result.
  ///
  /// - Returns: The error that ends the operation, if there is no room.
  func add<Operation: GraphQLOperation>(
    _ result: GraphQLResult<Operation.Data>,
    to results: AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error>.Continuation, of _: Operation.Type
  ) -> (any Error)? {
    if let problem = problemOfNext() { return problem }
    guard case .dropped = results.yield(result) else { return nil }
    waiting?.removeFirst()
    guard case .failing(let limit) = buffering else { return nil }
    return transport.value?.tooManyResults(limit) ?? OperationError.tooManyResults(limit, of: Operation.self)
  }

  /// Makes room for the result that comes next; an error if there is none.
  func problemOfNext() -> (any Error)? {
    guard let waiting, !waiting.add() else { return nil }
    return transport.value?.tooManyResultBytes()
  }
}

/// The end of a run by one of its own results, which may come before its task is known.
final class EndOfRun: Sendable {
  private let state = Locked<(isOver: Bool, task: Task<Void, Never>?)>((false, nil))

  var isOver: Bool { state.withLock { $0.isOver } }

  func comes() {
    let task = state.withLock { state in
      state.isOver = true
      return state.task
    }
    task?.cancel()
  }

  func cancels(_ task: Task<Void, Never>) {
    let isOver = state.withLock { state in
      state.task = task
      return state.isOver
    }
    if isOver { task.cancel() }
  }
}
