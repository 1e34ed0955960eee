public import ApolloAPI

/// Reads one consistent state of a store. It is valid inside of the closure that it was passed to.
public class ReadTransaction {
  var table: RecordTable
  let backend: (any NormalizedCache)?
  let identity: ObjectIdentity

  init(table: RecordTable, backend: (any NormalizedCache)?, identity: ObjectIdentity) {
    self.table = table
    self.backend = backend
    self.identity = identity
  }

  /// - Throws: ``ResponseDecodingError`` that names the first field the cache does not have.
  public func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data {
    try read(RecordRead(query))
  }

  /// Reads one object.
  ///
  /// - Parameter key: The key of its record, such as `Droid:2001`, or for any object a path to it, such as
  ///   `QUERY_ROOT.hero.friends.0`. Fields with arguments are written as in ``ApolloStore/dump()``.
  /// - Throws: ``ResponseDecodingError`` that names the first field the cache does not have.
  public func readObject<Object: SelectionSet>(
    ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none
  ) throws -> Object {
    try read(RecordRead(key: key, variables: variables, schema: identity.schema))
  }

  func read<Data: SelectionSet>(_ read: RecordRead<Data>) throws -> Data {
    while true {
      let reading = read.run(in: table)
      let missing = backend == nil ? [] : reading.missing(in: table)
      guard let backend, !missing.isEmpty else { return try reading.data.get() }
      try table.fill(missing, from: backend)
    }
  }
}
