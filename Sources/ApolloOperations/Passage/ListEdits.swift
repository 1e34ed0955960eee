import ApolloAPI
import ApolloCache

/// What the directives of an operation do to lists of the cache, with the data of its result.
final class ListEdits<Data: SelectionSet>: Sendable {
  private let apply: @Sendable (ApolloStore.ReadWriteTransaction, Data) throws -> ApolloStore.Error?
  private let failure = Locked<ApolloStore.Error?>(nil)

  fileprivate init<Operation: GraphQLOperation>(_ operation: Operation) where Operation.Data == Data {
    apply = { try $0.applyListEdits(of: $1, for: operation) }
  }

  /// The error of a list that was not there.
  var error: ApolloStore.Error? { failure.withLock { $0 } }

  /// Changes the lists, when the data is in the cache.
  func change(by data: Data) -> OptimisticUpdate.Change {
    // Models are values. The store runs one change at a time.
    // Safe: a model is a value, and the store makes one change at a time.
    nonisolated(unsafe) let data = data
    return { transaction in
      let error = try self.apply(transaction, data)
      self.failure.withLock { $0 = error }
    }
  }
}

extension GraphQLOperation {
  // (Not a function of the type, which is generic: it would be looked up at run time for every operation.)
  /// What the operation does to lists; nil if it has no such directives.
  var listEdits: ListEdits<Data>? { __listEdits.isEmpty ? nil : ListEdits(self) }
}
