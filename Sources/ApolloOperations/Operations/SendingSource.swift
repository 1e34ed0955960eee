import ApolloTransport
import ApolloConcurrency
import ApolloAPI
import ApolloCache
import Foundation

/// Hands an operation to a transport that implements only `send` of Apollo iOS 1: one that an app has made, or a mock.
///
/// Such a transport makes results itself. So cache policies and the keys of objects are its own, too. The operation is over
/// with an error, with the last result of a query or a mutation, or when the transport has released its handler.
struct SendingSource: ResponseSource {
  // Safe: an app's object (see Handoff).
  nonisolated(unsafe) let transport: any NetworkTransport
  /// The files that are sent with the operation; nil if there are none.
  let files: [GraphQLFile]?

  func responses<Operation: GraphQLOperation>(
    to passage: OperationPassage<Operation>,
    receive: @escaping @Sendable (OperationResponse<Operation>) async throws -> Void
  ) async throws {
    let (outcomes, continuation) = AsyncStream<OperationRun<Operation>.Outcome>.makeStream()
    let queue = DispatchQueue(label: "apollo.sending")
    // (The handler is held by the transport alone.)
    let sending = send(
      passage, on: queue, CompletionToken { continuation.finish() }.guarding { continuation.yield($0) })
    var hasOutcome = false
    do {
      try await withTaskCancellationHandler {
        for await outcome in outcomes {
          hasOutcome = true
          try await receive(OperationResponse(parsedResponse: try outcome.get()))
          if outcome.isLast(of: Operation.self, under: passage.cachePolicy) { break }
        }
      } onCancel: {
        sending.value.cancel()
      }
    } catch {
      // The transport may go on with a subscription after a failure, but what follows is for no caller any more.
      sending.value.cancel()
      throw error
    }
    // (A subscription may end without an event.)
    if !hasOutcome, !Task.isCancelled, Operation.operationType != .subscription {
      throw OperationError.noAnswer(from: "\(type(of: transport))", operationName: Operation.operationName)
    }
  }

  /// Hands an operation to the transport, with the settings that `send` has no parameter for.
  ///
  /// It is not counted as sent: the transport may fail before it sends anything. A chain that it calls counts.
  ///
  /// - Returns: Cancels the operation.
  func send<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, on queue: DispatchQueue,
    _ handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> Handoff<any Cancellable> {
    ForwardedConfiguration.forwarding(passage) {
      guard let files else {
        return Handoff(
          transport.send(
            operation: passage.operation, cachePolicy: passage.cachePolicy,
            contextIdentifier: passage.contextIdentifier, context: passage.context, callbackQueue: queue,
            completionHandler: handler))
      }
      guard let transport = transport as? any UploadingNetworkTransport else {
        return Handoff(EmptyCancellable())
      }
      return Handoff(
        transport.upload(
          operation: passage.operation, files: files, context: passage.context, callbackQueue: queue,
          completionHandler: handler))
    }
  }
}
