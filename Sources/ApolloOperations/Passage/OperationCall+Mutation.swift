package import ApolloTransport
package import ApolloAPI
package import ApolloCache
package import Foundation

extension OperationCall where Operation: GraphQLMutation {
  /// A mutation with effects in the cache.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - data: The data that the server is expected to answer with. nil: no data is expected.
  ///   - guess: Changes the cache as the mutation will. nil: nothing more is changed.
  ///   - id: The name of the guess. nil: it has none.
  ///   - update: Changes the cache by the real data. nil: nothing more is changed.
  ///   - publishesResult: Whether the result is written to the cache.
  ///   - configuration: What is different for this operation.
  ///   - contextIdentifier: Identifies the writer: a watcher with an equal identifier is not told.
  ///   - context: A value for interceptors of the app.
  package init(
    _ mutation: Operation, showing data: Operation.Data?,
    guess: (@Sendable (ApolloStore.ReadWriteTransaction, Operation) throws -> Void)?, id: String?,

    update: (@Sendable (ApolloStore.ReadWriteTransaction, Operation.Data) throws -> Void)?, publishesResult: Bool,
    configuration: RequestConfiguration?,
    contextIdentifier: UUID? = nil, context: (any RequestContext)?
  ) {
    self.init(
      mutation, cachePolicy: publishesResult ? .default : .fetchIgnoringCacheCompletely,
      contextIdentifier: contextIdentifier, context: context, configuration: configuration)
    var change: OptimisticUpdate.Change?
    if data != nil || guess != nil {
      // Safe: a model is a value, and the store makes one change at a time.
      nonisolated(unsafe) let answer = data.map { ExpectedAnswer($0, of: mutation) }
      change = { transaction in
        try answer?.write(in: transaction)
        try guess?(transaction, mutation)
      }
    }
    // Without any of these it is the mutation alone.
    guard change != nil || update != nil || id != nil else { return }
    options.effects = MutationEffects(
      of: mutation, id: id, expecting: data, guess: change, update: update)
  }
}
