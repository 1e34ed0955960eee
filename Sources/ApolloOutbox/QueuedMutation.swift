import ApolloConcurrency
import ApolloOperations
public import ApolloTransport
public import ApolloAPI
import ApolloCache
public import Foundation

extension Outbox {
  /// A mutation in an outbox.
  ///
  ///     let queued = try await client.enqueue(RenameMutation(id: "7", name: "Luke"))
  ///     for await state in queued.states { … }
  ///
  /// It is there as long as its outbox keeps it, whether anybody has this value or not. After the app was started again,
  /// ``Outbox/queued(_:)`` finds it.
  public struct QueuedMutation<Mutation: GraphQLMutation>: Sendable, Identifiable {
    /// How far a mutation has come.
    public enum State: Sendable {
      /// It waits for those before it, or for its outbox to go on.
      case queued
      /// It waits for a network.
      case waitingForNetwork
      /// A try has failed, and the next one comes at this time.
      case waiting(until: Date)
      /// It is sent, for the first time or again.
      case sending(attempt: Int)
      /// It was answered, and the answer is in the cache.
      case succeeded(GraphQLResult<Mutation.Data>)
      /// It was given up. It can be tried again; see ``Outbox/retry(_:)``.
      case failed(any Error)
      /// It was taken out of the outbox.
      case cancelled

      /// Whether no state follows.
      public var isFinal: Bool {
        switch self {
        case .succeeded, .failed, .cancelled: true
        case .queued, .waitingForNetwork, .waiting, .sending: false
        }
      }

      fileprivate func isSameWait(as other: State) -> Bool {
        switch (self, other) {
        case (.queued, .queued), (.waitingForNetwork, .waitingForNetwork): true
        case (.waiting(let date), .waiting(let other)): date == other
        default: false
        }
      }
    }

    /// Identifies the mutation in its outbox.
    public let id: UUID
    let progress: Progress
    private let remove: @Sendable () async -> Bool

    init(id: UUID, _ progress: Progress, remove: @escaping @Sendable () async -> Bool) {
      self.id = id
      self.progress = progress
      self.remove = remove
    }

    /// How far it has come.
    public var state: State { progress.state }

    /// How far it comes: the state of now first, and then each that follows, unless the next one comes before it was looked
    /// at. The sequence ends with the outcome, or with the client. Each call gives a sequence of its own.
    public var states: AsyncStream<State> { progress.states() }

    /// Waits for the result. Cancelling the task that waits does not cancel the mutation.
    ///
    /// - Throws: ``OperationError`` if it was given up, and `CancellationError` if it was cancelled, if the task that
    ///   waits was, or if the client ends before.
    public var value: GraphQLResult<Mutation.Data> {
      get async throws {
        for await state in states {
          switch state {
          case .succeeded(let result): return result
          case .failed(let error): throw error
          case .cancelled: throw CancellationError()
          case .queued, .waitingForNetwork, .waiting, .sending: continue
          }
        }
        throw CancellationError()
      }
    }

    /// Takes the mutation out of its outbox, and what it shows out of the cache. A request that is under way is given up,
    /// but the server may have got it already.
    ///
    /// - Returns: False if it was answered already, or is no longer there.
    @discardableResult public func cancel() async -> Bool { await remove() }

    /// What all values for one mutation share.
    final class Progress: Sendable {
      private struct Shared {
        var state = State.queued
        var isOver = false
        var listeners: [Int: AsyncStream<State>.Continuation] = [:]
        var nextListener = 0
      }

      private let shared = Locked(Shared())

      init() {}

      var state: State { shared.withLock { $0.state } }

      func set(_ state: State) {
        let listeners = shared.withLock { shared -> [AsyncStream<State>.Continuation] in
          if state.isSameWait(as: shared.state) { return [] }
          shared.state = state
          defer { if state.isFinal { shared.listeners = [:] } }
          return Array(shared.listeners.values)
        }
        for listener in listeners {
          listener.yield(state)
          if state.isFinal { listener.finish() }
        }
      }

      /// No state follows.
      func end() {
        let listeners = shared.withLock { shared in
          defer { (shared.listeners, shared.isOver) = ([:], true) }
          return Array(shared.listeners.values)
        }
        for listener in listeners { listener.finish() }
      }

      func states() -> AsyncStream<State> {
        let (stream, continuation) = AsyncStream<State>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let number = shared.withLock { shared -> Int? in
          continuation.yield(shared.state)
          guard !shared.state.isFinal, !shared.isOver else { return nil }
          shared.nextListener += 1
          shared.listeners[shared.nextListener] = continuation
          return shared.nextListener
        }
        if let number {
          continuation.onTermination = { [shared] _ in
            shared.withLock { _ = $0.listeners.removeValue(forKey: number) }
          }
        } else {
          continuation.finish()
        }
        return stream
      }
    }
  }
}

extension Outbox.QueuedMutation {
  /// A mutation that is sent at once, without an outbox.
  ///
  /// - Parameters:
  ///   - sender: What sends it, for errors.
  ///   - send: Sends it: calls a handler with its results on a queue.
  /// - Returns: The mutation.
  package static func sent(
    by sender: String, _ send: (DispatchQueue, @escaping GraphQLResultHandler<Mutation.Data>) -> any Cancellable
  ) -> Self {
    let progress = Progress()
    progress.set(.sending(attempt: 1))
    let finish = CompletionToken {
      // The handler was released without a last result.
      guard !progress.state.isFinal else { return }
      progress.set(.failed(OperationError.noAnswer(from: sender, operationName: Mutation.operationName)))
    }
    .guarding { (result: Result<GraphQLResult<Mutation.Data>, any Error>) in
      guard !progress.state.isFinal else { return }
      switch result {
      case .success(let value) where value.hasNext: break
      case .success(let value): progress.set(.succeeded(value))
      case .failure(let error): progress.set(.failed(error))
      }
    }
    // Safe: an app's request, which is only cancelled (see Handoff).
    nonisolated(unsafe) let running = send(DispatchQueue.global().oneByOne, finish)
    return Self(id: UUID(), progress) {
      guard !progress.state.isFinal else { return false }
      progress.set(.cancelled)
      running.cancel()
      return true
    }
  }
}
