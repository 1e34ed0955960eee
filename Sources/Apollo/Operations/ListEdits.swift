package import ApolloAPI
import ApolloCache

/// What the directives of an operation do to lists of the cache, with the data of its result.
package final class ListEdits<Data: SelectionSet>: Sendable {
  private let apply: @Sendable (ApolloStore.ReadWriteTransaction, Data) throws -> ApolloStore.Error?
  private let failure = Locked<ApolloStore.Error?>(nil)

  /// nil if the operation has no such directives.
  init?<Operation: GraphQLOperation>(_ operation: Operation) where Operation.Data == Data {
    guard !operation.__listEdits.isEmpty else { return nil }
    apply = { try $0.applyListEdits(of: $1, for: operation) }
  }

  /// The error of a list that was not there.
  var error: ApolloStore.Error? { failure.withLock { $0 } }

  /// Changes the lists, when the data is in the cache.
  func change(by data: Data) -> OptimisticUpdate.Change {
    // Models are values. The store runs one change at a time.
    let data = Handoff(data)
    return { transaction in
      let error = try self.apply(transaction, data.value)
      self.failure.withLock { $0 = error }
    }
  }
}
