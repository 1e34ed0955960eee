#if AsyncHTTP
  import ApolloAPI

  /// Passes elements from one task to another, one at a time: the sending task waits until the other has taken the
  /// element.
  final class Rendezvous<Element: Sendable>: Sendable {
    private struct State {
      var element: Element?
      var end: Result<Void, any Error>?
      var sender: CheckedContinuation<Void, Never>?
      var receiver: CheckedContinuation<Element?, any Error>?
      var isCancelled = false
    }

    private let state = Locked(State())

    /// Sends an element, and waits until it was taken, or until this task is cancelled.
    func send(_ element: Element) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let (receiver, isOver) = state.withLock { state in
            defer { state.receiver = nil }
            if state.receiver == nil {
              state.element = element
              if !state.isCancelled { state.sender = continuation }
            }
            return (state.receiver, state.receiver != nil || state.isCancelled)
          }
          receiver?.resume(returning: element)
          if isOver { continuation.resume() }
        }
      } onCancel: {
        let sender = state.withLock { state in
          defer { state.sender = nil }
          state.isCancelled = true
          return state.sender
        }
        sender?.resume()
      }
    }

    /// Ends the elements.
    func finish(_ end: Result<Void, any Error>) {
      let receiver = state.withLock { state in
        defer { state.receiver = nil }
        if state.receiver == nil { state.end = end } else { state.end = .success(()) }
        return state.receiver
      }
      receiver?.resume(with: end.map { nil })
    }

    /// The next element; nil after the last one.
    ///
    /// - Throws: The error that ended the elements. It is thrown once.
    func next() async throws -> Element? {
      try await withCheckedThrowingContinuation { continuation in
        let (result, sender) =
          state.withLock { state in
            let sender = state.sender
            state.sender = nil
            if let element = state.element {
              state.element = nil
              return (.success(element), sender)
            }
            guard let end = state.end else {
              // Two tasks read at the same time, and there is one element for one of them.
              guard state.receiver == nil else { return (.success(nil), sender) }
              state.receiver = continuation
              return (nil, sender)
            }
            state.end = .success(())
            return (end.map { nil }, sender)
          } as (Result<Element?, any Error>?, CheckedContinuation<Void, Never>?)
        sender?.resume()
        if let result { continuation.resume(with: result) }
      }
    }
  }
#endif
