public import ApolloAPI

extension ApolloStore {
  /// Reads and writes a store. All of its writes happen at once, or none of them. It is valid in the body that it was
  /// passed to. After the end of the body, its functions throw ``ApolloStore/Error/notWithinReadTransaction``.
  ///
  /// A body without `await` uses functions that wait for a backend on a thread of the store. A body with `await` uses
  /// functions that suspend, as in Apollo iOS 2.
  public final class ReadWriteTransaction: ApolloStore.ReadTransaction {
    var changes = ChangeSet()
    /// What is written and removed, whether or not that changes anything; nil if it is not noted.
    var written: ChangeSet?

    // MARK: Updating

    // An update stores the difference between the data as it was read and as `body` left it, object by object. Fields
    // that were not changed stay as they are, also in lists whose objects have moved. If a field has several copies, it
    // is enough to change one of them.

    /// Changes the cached data of a query.
    ///
    /// - Parameters:
    ///   - query: The query, with its variables.
    ///   - body: Changes the data.
    /// - Throws: `ResponseDecodingError` if the cache does not have all of the data, ``ConflictingCopiesError`` if
    ///   copies of a field were changed to different values, what `body` throws, and what a backend throws.
    public func update<Query: GraphQLQuery>(query: Query, _ body: (inout Query.Data) throws -> Void) throws {
      try update(ReadRequest(query), body)
    }

    /// Changes the data that a local cache mutation selects.
    ///
    /// A nullable field that the cache does not have is nil in the data, and stays missing unless it is given a value.
    ///
    /// - Parameters:
    ///   - mutation: The local cache mutation, with its variables.
    ///   - body: Changes the data.
    /// - Throws: `ResponseDecodingError` if the cache lacks a non-null field, ``ConflictingCopiesError`` if copies of a
    ///   field were changed to different values, what `body` throws, and what a backend throws.
    public func update<Mutation: LocalCacheMutation>(
      _ mutation: Mutation, _ body: (inout Mutation.Data) throws -> Void
    ) throws {
      try update(place(of: mutation, missingValues: .areNil), body)
    }

    /// Changes one cached object.
    ///
    /// A nullable field that the cache does not have is nil in the object, and stays missing unless it is given a
    /// value.
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - key: The key of the object's record, or a path to the object; see
    ///     `readObject(ofType:withKey:variables:)`.
    ///   - variables: The values of variables for fields with arguments. The default is none.
    ///   - body: Changes the object.
    /// - Throws: `ResponseDecodingError` if the cache lacks a non-null field, ``ConflictingCopiesError`` if copies of a
    ///   field were changed to different values, what `body` throws, and what a backend throws.
    public func updateObject<Object: SelectionSet>(
      ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none,
      _ body: (inout Object) throws -> Void
    ) throws {
      try update(place(of: type, key, variables, missingValues: .areNil), body)
    }

    private func update<Data: SelectionSet>(_ place: ReadRequest<Data>, _ body: (inout Data) throws -> Void) throws {
      var data = try read(place)
      let old = try normalized(data, at: place)
      try body(&data)
      try complete { try write(data, insteadOf: old, at: place, writesAll: false) }
    }

    // MARK: Writing

    /// Writes the whole data of an operation. Every nil is written as null, except for one that the model has also as it is
    /// read from the cache, and that stands for a value there (`@required`, `@catch`).
    ///
    /// - Parameters:
    ///   - data: The data to write.
    ///   - operation: The operation that selects it, with its variables.
    /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, none of which is the cached
    ///   one; and what a backend throws.
    public func write<Operation: GraphQLOperation>(data: Operation.Data, for operation: Operation) throws {
      try write(data, at: ReadRequest(operation))
    }

    /// Writes the whole data of a local cache mutation. Every nil is written as null, except for one that the model has also as it is
    /// read from the cache, and that stands for a value there (`@required`, `@catch`).
    ///
    /// - Parameters:
    ///   - data: The data to write.
    ///   - mutation: The local cache mutation that selects it, with its variables.
    /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, none of which is the cached
    ///   one; and what a backend throws.
    public func write<Mutation: LocalCacheMutation>(data: Mutation.Data, for mutation: Mutation) throws {
      try write(data, at: place(of: mutation, missingValues: .areErrors))
    }

    /// Merges an object with the object that the cache has under a key. Every nil is written as null, except for one that
    /// the object has also as it is read from the cache, and that stands for a value there (`@required`, `@catch`).
    ///
    /// - Parameters:
    ///   - selectionSet: The object to write.
    ///   - key: The key of the object's record, or a path to the object; see
    ///     `readObject(ofType:withKey:variables:)`.
    ///   - variables: The values of variables for fields with arguments. The default is none.
    /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, none of which is the cached
    ///   one; and what a backend throws.
    public func write<Object: SelectionSet>(
      selectionSet: Object, withKey key: CacheKey, variables: Variables = .none
    ) throws {
      try write(selectionSet, at: place(of: Object.self, key, variables, missingValues: .areErrors))
    }

    private func write<Data: SelectionSet>(_ data: Data, at place: ReadRequest<Data>) throws {
      let old = try baseline(of: place) { (place: ReadRequest<Data>) throws -> Data in try read(place) }
      try complete { try write(data, insteadOf: old, at: place, writesAll: true) }
    }

    // MARK: Removing

    /// Removes an object. After that, the cache lacks the data of every field that has the object by
    /// itself. Lists are read without it, or with nil in its place.
    ///
    /// - Parameters:
    ///   - key: The key of the object's record, or a path to the object; see
    ///     `readObject(ofType:withKey:variables:)`. If the object has no record, the field that holds it is removed.
    ///   - cascade: Whether all objects are removed as well that it refers to, those that they refer to, and so on, whatever
    ///     else refers to them. false, the default: only those to which fields with `@onDelete(cascade: true)` lead; see
    ///     ``ApolloStore/register(_:)``. Root objects stay.
    /// - Throws: What a backend throws.
    public func removeObject(for key: CacheKey, cascade: Bool = false) throws {
      try complete { attemptRemovingObject(key, cascade: cascade) }
    }

    /// Removes all objects whose keys match, and no others, whatever `@onDelete` says.
    ///
    /// - Parameter pattern: A pattern in the form of ``CacheKeyPattern``, such as `Human:*`.
    /// - Throws: ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
    public func removeObjects(matching pattern: CacheKey) throws {
      try complete { attemptRemovingObjects(matching: pattern) }
    }

    /// Removes a field of an object. After that, the cache lacks its value.
    ///
    /// - Parameters:
    ///   - name: The name of the field in the schema.
    ///   - arguments: The arguments with which the field was read, without those that its stored key does not have: those that
    ///     tell pages apart, and those that are not among the `keyArgs` of the schema. The keys are in ``ApolloStore/dump()``.
    ///     nil, the default: the field with all arguments is removed.
    ///   - key: The key of the object's record.
    /// - Throws: What a backend throws.
    public func removeField(_ name: String, arguments: JSONObject? = nil, of key: CacheKey) throws {
      try complete { attemptRemovingField(name, arguments, of: key) }
    }
  }
}
