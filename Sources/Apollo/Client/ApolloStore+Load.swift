public import ApolloAPI
public import ApolloCache
public import Dispatch

extension ApolloStore {
  /// Reads an operation from the cache.
  ///
  /// - Parameters:
  ///   - callbackQueue: Where the handler is called; nil for a queue of the system.
  ///   - resultHandler: Called once, with an error if the cache does not have all of the data:
  ///     ``ResponseDecodingError``, or what a backend threw when it was asked for them.
  public func load<Operation: GraphQLOperation>(
    _ operation: Operation, callbackQueue: DispatchQueue? = nil,
    resultHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) {
    let handler = Handoff(resultHandler)
    Task.detached {
      let result = GraphQLResult.result(of: await self.read(operation), operation, self)
      (callbackQueue ?? .global()).async { handler.value(result) }
    }
  }
}
