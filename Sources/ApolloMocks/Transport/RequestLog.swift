import ApolloAPI

/// The requests that came, in order, and who waits for one.
final class RequestLog: Sendable {
  private struct State {
    var requests: [MockRequest] = []
    /// How many of them were taken by `next`.
    var taken = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<MockRequest?, Never>)] = []
    var cancelled: Set<Int> = []
    var last = 0
  }

  private let state = Locked(State())

  var requests: [MockRequest] { state.withLock { $0.requests } }

  func add(_ request: MockRequest) {
    let waiter = state.withLock { state -> CheckedContinuation<MockRequest?, Never>? in
      state.requests.append(request)
      guard !state.waiting.isEmpty else { return nil }
      state.taken += 1
      return state.waiting.removeFirst().continuation
    }
    waiter?.resume(returning: request)
  }

  /// The first request that was not given yet; waits for it, until the task is cancelled.
  func next() async throws -> MockRequest {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let request: MockRequest? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOver, request) = state.withLock { state -> (Bool, MockRequest?) in
          if state.cancelled.remove(number) != nil { return (true, nil) }
          guard state.taken < state.requests.count else {
            state.waiting.append((number, continuation))
            return (false, nil)
          }
          state.taken += 1
          return (true, state.requests[state.taken - 1])
        }
        if isOver { continuation.resume(returning: request) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<MockRequest?, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.waiting.remove(at: index).continuation
      }
      waiter?.resume(returning: nil)
    }
    guard let request else { throw CancellationError() }
    return request
  }
}
