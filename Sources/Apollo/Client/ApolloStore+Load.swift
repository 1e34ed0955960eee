public import ApolloAPI
public import ApolloCache
public import Dispatch

extension ApolloStore {
  /// Reads an operation from the cache.
  ///
  /// - Parameters:
  ///   - operation: The operation to read, with its variables.
  ///   - ttlEnforcement: What happens to values that are older than they may be. By default they are as good as missing.
  ///   - callbackQueue: Where the handler is called. nil: on a global queue of the system.
  ///   - resultHandler: Called once. If the cache does not have all of the data, it gets a `ResponseDecodingError`;
  ///     if a backend of the cache failed, it gets the error that the backend threw.
  public func load<Operation: GraphQLOperation>(
    _ operation: Operation, ttlEnforcement: TTLEnforcement = .strict, callbackQueue: DispatchQueue? = nil,
    resultHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) {
    let handler = Handoff(resultHandler)
    Task.detached {
      let result = GraphQLResult.result(of: await self.read(operation, StaleLimit(ttlEnforcement)), operation, self)
      (callbackQueue ?? .global()).async { handler.value(result) }
    }
  }
}
