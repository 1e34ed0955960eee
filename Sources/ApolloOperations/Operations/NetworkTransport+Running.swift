public import ApolloTransport
public import ApolloAPI
import ApolloCache
public import Foundation

extension ResponseTransport {
  /// Sends an operation, and calls a handler with each result or with the error that ended it.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(
      OperationCall(
        sent: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context), over: self
    ).deliver(on: callbackQueue, to: completionHandler)
  }
}

extension NetworkTransport {
  /// Sends an operation and gives its results as a sequence, which ends after the last one. Cancelling the task that
  /// iterates cancels the operation. Iterating throws ``OperationError``, or
  /// `CancellationError`.
  public func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    OperationRun(
      OperationCall(
        operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context), over: self
    ).stream(isForAsync: true)
  }

  /// Sends an operation and waits for its last result. Cancelling the task cancels the operation.
  ///
  /// - Parameters:
  ///   - operation: The operation to send, with its variables.
  ///   - cachePolicy: Where the data may come from.
  ///   - contextIdentifier: Identifies the writer. nil, the default: none.
  ///   - context: A value of the app for transports and interceptors. nil, the default: none.
  /// - Returns: The result; nil if the transport ended without one.
  /// - Throws: ``OperationError``, or `CancellationError`.
  public func lastResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Operation.Data>? {
    let call = OperationCall(
      operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
    do {
      return try await OperationRun(call, over: self).last()
    } catch {
      throw error.isCancellation ? CancellationError() : error
    }
  }

  /// Starts a subscription and gives its events and its state.
  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, context: (any RequestContext)? = nil
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    OperationRun(OperationCall(subscription, cachePolicy: .default, context: context), over: self).subscription()
  }
}

extension UploadingNetworkTransport {
  /// Sends an operation with files, and gives its results as a sequence. Cancelling the task that iterates cancels the
  /// operation.
  ///
  /// - Parameters:
  ///   - operation: The operation to send, with its variables.
  ///   - files: The files. Each names the variable whose value it is.
  ///   - context: A value of the app for transports and interceptors. nil, the default: none.
  /// - Returns: The results. Iterating the sequence throws ``OperationError``, or `CancellationError`.
  public func results<Operation: GraphQLOperation>(
    ofUploading operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    OperationRun(OperationCall(operation, cachePolicy: .default, context: context, files: files), over: self)
      .stream(isForAsync: true)
  }
}
