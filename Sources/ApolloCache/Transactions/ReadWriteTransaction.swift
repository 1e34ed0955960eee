public import ApolloAPI

/// Reads and writes; all of its writes happen at once, or none of them. It is valid inside of the body that it was passed
/// to; used after its end, each of its functions throws ``ApolloStore/Error/notWithinReadTransaction``.
///
/// A body without `await` uses the functions that wait for a backend on the store's thread. In a body with `await` they
/// suspend, as in Apollo iOS 2.x.
public final class ReadWriteTransaction: ReadTransaction {
  var changes = ChangeSet()

  // MARK: Updating

  // What is stored is the difference between the data as they were read and as `body` left them, object by object: what
  // was not changed stays as it is, also in lists whose objects have moved. It is enough to change one of several copies
  // of a field.

  /// Changes the cached data of a query.
  ///
  /// - Throws: ``ResponseDecodingError`` if the cache does not have all of it, ``ConflictingCopiesError`` if copies of a
  ///   field were changed to different values, what `body` throws, and what a backend throws.
  public func update<Query: GraphQLQuery>(query: Query, _ body: (inout Query.Data) throws -> Void) throws {
    try update(RecordRead(query), body)
  }

  /// Changes what a local cache mutation selects.
  ///
  /// A nullable field that the cache does not have is nil in the data, and stays missing unless it is given a value.
  ///
  /// - Throws: ``ResponseDecodingError`` if the cache lacks a field that may not be null, ``ConflictingCopiesError`` if
  ///   copies of a field were changed to different values, what `body` throws, and what a backend throws.
  public func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: (inout Mutation.Data) throws -> Void
  ) throws {
    try update(place(of: mutation, allowsMissingFields: true), body)
  }

  /// Changes one cached object. A nullable field that the cache does not have is treated as in a local cache mutation.
  ///
  /// - Parameter key: See ``ReadTransaction/readObject(ofType:withKey:variables:)``.
  /// - Throws: ``ResponseDecodingError`` if the cache lacks a field that may not be null, ``ConflictingCopiesError`` if
  ///   copies of a field were changed to different values, what `body` throws, and what a backend throws.
  public func updateObject<Object: SelectionSet>(
    ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none,
    _ body: (inout Object) throws -> Void
  ) throws {
    try update(place(of: type, key, variables, allowsMissingFields: true), body)
  }

  private func update<Data: SelectionSet>(_ place: RecordRead<Data>, _ body: (inout Data) throws -> Void) throws {
    var data = try read(place)
    let old = try normalized(data, at: place)
    try body(&data)
    try complete { try write(data, insteadOf: old, at: place, writesAll: false) }
  }

  // MARK: Writing

  /// Writes the whole data of an operation; what is nil becomes null.
  ///
  /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, and none of them is the cached one,
  ///   and what a backend throws.
  public func write<Operation: GraphQLOperation>(data: Operation.Data, for operation: Operation) throws {
    try write(data, at: RecordRead(operation))
  }

  /// Writes the whole data of a local cache mutation; what is nil becomes null.
  ///
  /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, and none of them is the cached one,
  ///   and what a backend throws.
  public func write<Mutation: LocalCacheMutation>(data: Mutation.Data, for mutation: Mutation) throws {
    try write(data, at: place(of: mutation, allowsMissingFields: false))
  }

  /// Merges an object with the one that the cache has under a key; what is nil becomes null.
  ///
  /// - Parameter key: See ``ReadTransaction/readObject(ofType:withKey:variables:)``.
  /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, and none of them is the cached one,
  ///   and what a backend throws.
  public func write<Object: SelectionSet>(
    selectionSet: Object, withKey key: CacheKey, variables: Variables = .none
  ) throws {
    try write(selectionSet, at: place(of: Object.self, key, variables, allowsMissingFields: false))
  }

  private func write<Data: SelectionSet>(_ data: Data, at place: RecordRead<Data>) throws {
    let old = try baseline(of: place) { (place: RecordRead<Data>) throws -> Data in try read(place) }
    try complete { try write(data, insteadOf: old, at: place, writesAll: true) }
  }

  // MARK: Removing

  /// Removes the object with a key; reading a reference to it becomes a miss.
  ///
  /// - Parameter key: See ``ReadTransaction/readObject(ofType:withKey:variables:)``. An object without a record of its own
  ///   goes with the field that holds it.
  /// - Throws: What a backend throws.
  public func removeObject(for key: CacheKey) throws {
    try complete { attemptRemovingObject(key) }
  }

  /// Removes all objects whose keys match.
  ///
  /// - Parameter pattern: See ``CacheKeyPattern``: `Human:*`, or a part of the keys.
  /// - Throws: ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
  public func removeObjects(matching pattern: CacheKey) throws {
    try complete { attemptRemovingObjects(matching: pattern) }
  }

  /// Removes a field of an object; reading it becomes a miss.
  ///
  /// - Parameters:
  ///   - name: The name in the schema.
  ///   - arguments: The arguments with which the field was read; nil for all of them.
  ///   - key: The key of the object's record.
  /// - Throws: What a backend throws.
  public func removeField(_ name: String, arguments: JSONObject? = nil, of key: CacheKey) throws {
    try complete { attemptRemovingField(name, arguments, of: key) }
  }
}
