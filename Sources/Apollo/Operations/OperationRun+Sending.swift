package import ApolloAPI
import ApolloCache
package import Foundation

extension OperationRun {
  /// Runs the operation over a transport that has release 1's `send` only: an app's own, or a mock.
  ///
  /// Such a transport makes results itself, so the policies of the cache and the keys of objects are its own as well. It is over
  /// with an error, with the last result of a query or a mutation, or when it has let go of its handler.
  func runBySending(_ emit: @escaping Emit) async {
    let (outcomes, continuation) = AsyncStream<Outcome>.makeStream()
    let queue = DispatchQueue(label: "apollo.sending")
    let running = begin(on: queue, CompletionToken { continuation.finish() }.guarding { continuation.yield($0) })
    var hasOutcome = false
    await withTaskCancellationHandler {
      for await outcome in outcomes {
        hasOutcome = true
        emit(outcome)
        if isLast(outcome) { break }
      }
    } onCancel: {
      running.value.cancel()
    }
    if !hasOutcome, !Task.isCancelled {
      emit(.failure(OperationError.noAnswer(from: "\(type(of: transport))", operationName: Operation.operationName)))
    }
  }

  /// Calls a handler with each result, and with the error that ended the operation, on a queue.
  ///
  /// A transport that has release 1's `send` only gets queue and handler as they are, unless the operation is more than what
  /// is sent: with a deadline, or with the cache as stand-in.
  ///
  /// - Returns: Stops the operation.
  package func send(
    on queue: DispatchQueue, to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    guard isForeign, call.problem == nil, call.files == nil || transport is any UploadingNetworkTransport,
      !call.fallsBackToCache,
      deadline == nil
    else { return deliver(on: queue, to: handler) }
    return begin(on: queue, handler).value
  }

  private func isLast(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .failure: true
    case .success(let result): result.isLast(of: Operation.operationType, under: call.cachePolicy)
    }
  }

  private func begin(
    on queue: DispatchQueue, _ handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> Handoff<any Cancellable> {
    ForwardedConfiguration.forwarding(call) { hand(to: queue, handler) }
  }

  private func hand(
    to queue: DispatchQueue, _ handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> Handoff<any Cancellable> {
    guard let files = call.files else {
      return Handoff(
        transport.send(
          operation: call.operation, cachePolicy: call.cachePolicy, contextIdentifier: call.contextIdentifier,
          context: call.context, callbackQueue: queue, completionHandler: handler))
    }
    guard let transport = transport as? any UploadingNetworkTransport else { return Handoff(EmptyCancellable()) }
    return Handoff(
      transport.upload(
        operation: call.operation, files: files, context: call.context, callbackQueue: queue,
        completionHandler: handler))
  }
}

/// Notices that a completion can no longer be called: the last reference to it is gone.
///
/// Code of an app that is called with a completion says in no other way that it will not answer any more.
final class CompletionToken: Sendable {
  private let onEnd: @Sendable () -> Void

  init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }

  /// A completion that holds the token.
  func guarding<Value>(_ completion: @escaping @Sendable (Value) -> Void) -> @Sendable (Value) -> Void {
    { value in withExtendedLifetime(self) { completion(value) } }
  }
}

extension OperationError {
  /// Code of an app was asked for a result, and let go of its completion without one.
  ///
  /// - Parameter asked: What did not answer, at the beginning of a sentence.
  static func noAnswer(from asked: String, operationName: String) -> OperationError {
    OperationError(
      .configuration, "\(asked) ended without a result and without an error.", operationName: operationName)
  }
}
