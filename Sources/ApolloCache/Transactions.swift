public import ApolloAPI

/// Reads one consistent state of a store. It is valid inside of the closure that it was passed to.
public class ReadTransaction {
  let store: ApolloStore
  fileprivate(set) var table: RecordTable

  init(store: ApolloStore, table: RecordTable) {
    self.store = store
    self.table = table
  }

  /// - Throws: ``ResponseDecodingError`` that names the first field the cache does not have.
  public func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data {
    try readObject(
      ofType: Query.Data.self, withKey: Query.operationType.rootKey, variables: query.variables)
  }

  /// Reads one object by its key, such as `Droid:2001`.
  public func readObject<Object: SelectionSet>(
    ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none
  ) throws -> Object {
    try ResponseReader.load(type, root: store.number(for: key), from: table.records, variables: variables).data.get()
  }
}

/// Reads and writes; all of its writes happen at once, or none of them.
public final class ReadWriteTransaction: ReadTransaction {
  private(set) var changes = ChangeSet()
  private var isOver = false

  /// Changes the cached data of a query.
  public func update<Query: GraphQLQuery>(query: Query, _ body: (inout Query.Data) throws -> Void) throws {
    var data = try read(query: query)
    try body(&data)
    try write(data: data, for: query)
  }

  /// Changes one cached object.
  public func updateObject<Object: SelectionSet>(
    ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none,
    _ body: (inout Object) throws -> Void
  ) throws {
    var object = try readObject(ofType: type, withKey: key, variables: variables)
    try body(&object)
    try write(selectionSet: object, withKey: key, variables: variables)
  }

  public func write<Query: GraphQLQuery>(data: Query.Data, for query: Query) throws {
    try write(selectionSet: data, withKey: Query.operationType.rootKey, variables: query.variables)
  }

  public func write<Object: SelectionSet>(
    selectionSet: Object, withKey key: CacheKey, variables: Variables = .none
  ) throws {
    var writer = JSONWriter()
    selectionSet.write(to: &writer)
    if let type = writer.unwritableType { throw JSONEncodingError.notEncodable(type) }
    let batch = try ResponseReader.readObject(
      Object.self, from: ResponseBytes(writer.bytes), variables: variables, rootKey: key
    ).records
    guard !isOver else { return }
    changes.formUnion(store.merge(batch, into: &table))
  }

  /// Removes the object with a key; references to it become cache misses.
  public func removeObject(for key: CacheKey) throws {
    guard !isOver, let number = store.number(ofKnown: key) else { return }
    changes.formUnion(table.remove(number))
  }

  /// A transaction that somebody kept does nothing any more.
  func end() { isOver = true }
}
