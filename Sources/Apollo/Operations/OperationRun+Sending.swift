package import ApolloAPI
import ApolloCache
package import Foundation

extension OperationRun {
  /// Runs the operation over a transport that implements only `send` of Apollo iOS 1: one that an app has made, or a
  /// mock.
  ///
  /// Such a transport makes results itself. So cache policies and the keys of objects are its own, too. The operation
  /// is over with an error, with the last result of a query or a mutation, or when the transport has released its
  /// handler.
  func runBySending(_ emit: @escaping Emit) async {
    // If a sign-out ends it, the caller is told.
    _ = await policies.running.run(call.asked) {
      if !Task.isCancelled { await self.sendAndWait(emit) }
    }
  }

  private func sendAndWait(_ emit: @escaping Emit) async {
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
  /// A transport that implements only `send` of Apollo iOS 1 is given the queue and the handler themselves, unless the
  /// client has more to do for the operation: a deadline, the cache as a fallback, or a network that is not there.
  ///
  /// - Returns: Cancels the operation.
  package func send(
    on queue: DispatchQueue, to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    guard isForeign, call.problem == nil, call.files == nil || transport is any UploadingNetworkTransport,
      !call.fallsBackToCache, call.options.effects == nil, !isHandledOffline,
      deadline == nil
    else { return deliver(on: queue, to: handler) }
    return sendTracked(on: queue, to: handler)
  }

  /// Hands the operation to the transport. A sign-out cancels it, and tells the handler.
  private func sendTracked(
    on queue: DispatchQueue, to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    let running = policies.running, asked = call.asked
    let trace = call.options.trace.flatMap { $0.start(call) ? $0 : nil }
    let handed = Handoff(handler), started = Locked<(cancel: (any Cancellable)?, isOver: Bool)>((nil, false))
    let number = running.add(asked) {
      let (cancel, wasOver) = started.withLock { started in
        defer { started.isOver = true }
        return (Handoff(started.cancel), started.isOver)
      }
      if wasOver { return }
      cancel.value?.cancel()
      trace?.end(with: OperationError.signedOut(Operation.operationName))
      queue.async { handed.value(.failure(OperationError.signedOut(Operation.operationName))) }
    }
    guard let number else {
      trace?.end(with: OperationError.signedOut(Operation.operationName))
      queue.async { handed.value(.failure(OperationError.signedOut(Operation.operationName))) }
      return EmptyCancellable()
    }
    let end = CompletionToken {
      running.remove(number)
      trace?.end(isCancelled: false)
    }
    let cancellable = begin(on: queue) { result in
      withExtendedLifetime(end) {
        guard running.takes(asked) else { return }
        let isLast = self.isLast(result)
        trace?.note(result, isLast: isLast)
        handed.value(result)
        if isLast { trace?.end(isCancelled: false) }
      }
    }.value
    let box = Handoff(cancellable)
    let isOver = started.withLock { started in
      started.cancel = box.value
      return started.isOver
    }
    if isOver { cancellable.cancel() }
    return CallbackCancellable {
      started.withLock { $0.isOver = true }
      trace?.end(isCancelled: true)
      box.value.cancel()
    }
  }

  func isLast(_ outcome: Outcome) -> Bool {
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

/// Notices that a completion can no longer be called, because the last reference to it is gone.
///
/// An app's code that is called with a completion has no other way to say that it will not call it.
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
  /// The error for code of an app that was asked for a result, and released its completion without calling it.
  ///
  /// - Parameters:
  ///   - asked: What did not answer. The message begins with it.
  ///   - operationName: The name of the operation.
  /// - Returns: The error.
  static func noAnswer(from asked: String, operationName: String) -> OperationError {
    OperationError(
      .configuration, "\(asked) ended without a result and without an error.", operationName: operationName)
  }
}
