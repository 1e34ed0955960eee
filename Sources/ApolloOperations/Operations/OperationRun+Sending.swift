package import ApolloTransport
import ApolloConcurrency
package import ApolloAPI
import ApolloCache
package import Foundation

extension OperationRun {
  /// Calls a handler with each result, and with the error that ended the operation, on a queue.
  ///
  /// A transport that implements only `send` of Apollo iOS 1 is given the queue and the handler themselves, unless the
  /// client has more to do for the operation: a deadline, the cache as a fallback, or a network that is not there.
  ///
  /// - Returns: Cancels the operation.
  package func send(
    on queue: DispatchQueue, to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable & Sendable {
    guard isForeign, call.problem == nil, call.files == nil || transport is any UploadingNetworkTransport,
      surroundings.isEmpty
    else { return deliver(on: queue, to: handler) }
    return sendTracked(on: queue, to: handler)
  }

  /// Hands the operation to the transport. A sign-out cancels it, and tells the handler.
  private func sendTracked(
    on queue: DispatchQueue, to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable & Sendable {
    let running = policies.running, asked = call.asked
    let trace = call.options.trace.flatMap { $0.start(call) ? $0 : nil }
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let handed = handler
    let sent = Locked(Sent())
    let number = running.add(asked) {
      let (cancel, isFirst) = sent.withLock { $0.end(.signedOut) }
      guard isFirst else { return }
      cancel.value?.cancel()
      trace?.end(with: OperationError.signedOut(Operation.operationName))
      queue.async { handed(.failure(OperationError.signedOut(Operation.operationName))) }
    }
    guard let number else {
      trace?.end(with: OperationError.signedOut(Operation.operationName))
      queue.async { handed(.failure(OperationError.signedOut(Operation.operationName))) }
      return EmptyCancellable()
    }
    let end = CompletionToken {
      running.remove(number)
      trace?.end(isCancelled: false)
    }
    let source = SendingSource(transport: transport, files: call.files)
    let passage = OperationPassage(call, over: transport), policy = call.cachePolicy
    let box = source.send(passage, on: queue) { result in
      withExtendedLifetime(end) {
        guard running.takes(asked) else { return }
        // A transport may go on with a subscription after a failure, on another connection.
        let isLast = Operation.operationType != .subscription && result.isLast(of: Operation.self, under: policy)
        // (What is released here is not released under the lock.)
        let released = isLast ? sent.withLock { $0.end(.answered) }.cancel : nil
        guard sent.withLock({ $0.ending != .signedOut }) else { return }
        trace?.note(result, isLast: isLast)
        handed(result)
        withExtendedLifetime(released) {}
        guard isLast else { return }
        // A transport may keep the handler, so this does not wait for its release.
        running.remove(number)
        trace?.end(isCancelled: false)
      }
    }
    let ending = sent.withLock { sent in
      if sent.ending == nil { sent.cancel = box.value }
      return sent.ending
    }
    if let ending, ending != .answered { box.value.cancel() }
    return CallbackCancellable {
      _ = sent.withLock { $0.end(.cancelled) }
      running.remove(number)
      trace?.end(isCancelled: true)
      box.value.cancel()
    }
  }
}

/// An operation that a transport has been given.
private struct Sent {
  /// What has ended it.
  enum Ending { case answered, cancelled, signedOut }

  /// Cancels it; nil before it was sent, and after its end.
  var cancel: (any Cancellable)?
  private(set) var ending: Ending?

  /// - Returns: What cancels it, and whether it had not ended.
  mutating func end(_ ending: Ending) -> (cancel: Handoff<(any Cancellable)?>, isFirst: Bool) {
    let isFirst = self.ending == nil
    if isFirst { self.ending = ending }
    return (Handoff(cancel.take()), isFirst)
  }
}

extension OperationError {
  /// The error for code of an app that was asked for a result, and released its completion without calling it.
  ///
  /// - Parameters:
  ///   - asked: What did not answer. The message begins with it.
  ///   - operationName: The name of the operation.
  /// - Returns: The error.
  package static func noAnswer(from asked: String, operationName: String) -> OperationError {
    OperationError(
      .configuration, "\(asked) ended without a result and without an error.", operationName: operationName)
  }
}
