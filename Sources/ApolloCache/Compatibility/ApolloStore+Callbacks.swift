public import ApolloAPI
public import Dispatch
public import Foundation

// The functions of the store with callbacks, as in Apollo iOS 0.x and 1.

extension ApolloStore {
  /// Merges records, tells the watchers that depend on them, and calls a completion.
  ///
  /// - Parameters:
  ///   - records: The records. Their fields replace the fields in the cache; all other fields stay.
  ///   - identifier: Identifies the writer: a watcher with an equal identifier is not told. nil, the default: every
  ///     watcher is.
  ///   - callbackQueue: Where `completion` is called. By default the main queue, which a completion that is made on the
  ///     main actor needs.
  ///   - completion: Called when the records are merged, or with what a backend threw; then nothing has changed.
  public func publish(
    records: RecordSet, identifier: UUID? = nil, callbackQueue: DispatchQueue = .main,
    completion: ((Result<Void, any Swift.Error>) -> Void)? = nil
  ) {
    let rules = rules()
    engine.whenTurnComes(
      readsWait: true, { try await self.engine.publish(records, origin: identifier, rules: rules) },
      Self.callback(completion, on: callbackQueue))
  }

  /// Removes all records, tells all watchers, and calls a completion.
  ///
  /// - Parameters:
  ///   - callbackQueue: Where `completion` is called. By default the main queue, which a completion that is made on the
  ///     main actor needs.
  ///   - completion: Called when the records are removed, or with what a backend threw; then nothing has changed.
  public func clearCache(
    callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Swift.Error>) -> Void)? = nil
  ) {
    let epoch = engine.beginClearing()
    engine.state.withLock { $0.openClearings += 1 }
    engine.whenTurnComes(
      readsWait: true,
      { [engine] in
        defer { engine.state.withLock { $0.openClearings -= 1 } }
        try await engine.clear(beginning: epoch)
      }, Self.callback(completion, on: callbackQueue))
  }
}

extension ApolloStore.ReadWriteTransaction {
  /// Writes the whole data of a query: `write(data:for:)` with the argument label of Apollo iOS 0.x.
  public func write<Query: GraphQLQuery>(data: Query.Data, forQuery query: Query) throws {
    try write(data: data, for: query)
  }

  /// Merges an object with the object that the cache has under a key: `write(selectionSet:withKey:variables:)` with
  /// the argument label of Apollo iOS 0.x.
  public func write<Object: SelectionSet>(object: Object, withKey key: CacheKey, variables: Variables = .none) throws {
    try write(selectionSet: object, withKey: key, variables: variables)
  }
}
