public import ApolloAPI
public import Dispatch
public import Foundation

// The store with callbacks, as in releases 0.x and 1.x of Apollo iOS.

extension ApolloStore {
  /// Merges records, and calls back. Those who watch them are told.
  ///
  /// - Parameters:
  ///   - identifier: Whose records they are: a watcher with the same one is not told. nil for those of none.
  ///   - callbackQueue: Where `completion` is called. A completion that is made on the main actor needs `.main`.
  ///   - completion: Called with what a backend throws, if it does; then everything is as it was.
  public func publish(
    records: RecordSet, identifier: UUID? = nil, callbackQueue: DispatchQueue = .main,
    completion: ((Result<Void, any Swift.Error>) -> Void)? = nil
  ) {
    engine.whenTurnComes(
      { try await self.engine.publish(records, origin: identifier) },
      Self.callback(completion, on: callbackQueue))
  }

  /// Removes everything, and calls back. Those who watch are told.
  ///
  /// - Parameters:
  ///   - callbackQueue: Where `completion` is called. A completion that is made on the main actor needs `.main`.
  ///   - completion: Called with what a backend throws, if it does; then everything is as it was.
  public func clearCache(
    callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Swift.Error>) -> Void)? = nil
  ) {
    engine.whenTurnComes({ try await self.engine.clear() }, Self.callback(completion, on: callbackQueue))
  }
}

extension ReadWriteTransaction {
  /// Writes the whole data of a query, as in releases 0.x of Apollo iOS: ``write(data:for:)``.
  public func write<Query: GraphQLQuery>(data: Query.Data, forQuery query: Query) throws {
    try write(data: data, for: query)
  }

  /// Merges an object with the one that the cache has under a key, as in releases 0.x of Apollo iOS:
  /// ``write(selectionSet:withKey:variables:)``.
  public func write<Object: SelectionSet>(object: Object, withKey key: CacheKey, variables: Variables = .none) throws {
    try write(selectionSet: object, withKey: key, variables: variables)
  }
}
