public import ApolloAPI
public import ApolloCache
public import Dispatch

extension ApolloStore {
  /// Reads an operation from the cache.
  ///
  /// - Parameters:
  ///   - callbackQueue: Where the handler is called; nil for a queue of the store.
  ///   - resultHandler: Called once, with an error if the cache does not have all of the data.
  public func load<Operation: GraphQLOperation>(
    _ operation: Operation, callbackQueue: DispatchQueue? = nil,
    resultHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) {
    let handler = Handoff(resultHandler)
    Task {
      let reading = await self.readAsync(operation)
      let result: Result<GraphQLResult<Operation.Data>, any Error>
      if let value = GraphQLResult(reading) {
        result = .success(value)
      } else {
        result = Result { GraphQLResult(data: try reading.data.get(), source: .cache) }
      }
      if let callbackQueue { callbackQueue.async { handler.value(result) } } else { handler.value(result) }
    }
  }
}
