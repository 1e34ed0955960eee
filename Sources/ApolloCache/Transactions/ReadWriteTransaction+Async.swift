public import ApolloAPI

// The functions for a body with `await`, which are those of Apollo iOS 2.

extension ApolloStore.ReadWriteTransaction {
  /// Changes the cached data of a query, in a body with `await`.
  ///
  /// - Parameters:
  ///   - query: The query, with its variables.
  ///   - body: Changes the data.
  /// - Throws: `ResponseDecodingError` if the cache does not have all of the data, ``ConflictingCopiesError`` if copies
  ///   of a field were changed to different values, what `body` throws, and what a backend throws.
  public func update<Query: GraphQLQuery>(query: Query, _ body: (inout Query.Data) throws -> Void) async throws {
    try await update(ReadRequest(query), body)
  }

  /// Changes the data that a local cache mutation selects, in a body with `await`.
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
  ) async throws {
    try await update(place(of: mutation, missingValues: .areNil), body)
  }

  /// Changes one cached object, in a body with `await`.
  ///
  /// A nullable field that the cache does not have is nil in the object, and stays missing unless it is given a value.
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
  ) async throws {
    try await update(place(of: type, key, variables, missingValues: .areNil), body)
  }

  private func update<Data: SelectionSet>(
    _ place: ReadRequest<Data>, _ body: (inout Data) throws -> Void
  ) async throws {
    var data = try await read(place)
    let old = try normalized(data, at: place)
    try body(&data)
    try await complete { try write(data, insteadOf: old, at: place, writesAll: false) }
  }

  /// Writes the whole data of an operation, in a body with `await`. Every nil is written as null, except for one that
  /// the model has also as it is read from the cache, and that stands for a value there (`@required`, `@catch`).
  ///
  /// - Parameters:
  ///   - data: The data to write.
  ///   - operation: The operation that selects it, with its variables.
  /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, none of which is the cached one;
  ///   and what a backend throws.
  public func write<Operation: GraphQLOperation>(data: Operation.Data, for operation: Operation) async throws {
    try await write(data, at: ReadRequest(operation))
  }

  /// Writes the whole data of a local cache mutation, in a body with `await`. Every nil is written as null, except for one that
  /// the model has also as it is read from the cache, and that stands for a value there (`@required`, `@catch`).
  ///
  /// - Parameters:
  ///   - data: The data to write.
  ///   - mutation: The local cache mutation that selects it, with its variables.
  /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, none of which is the cached one;
  ///   and what a backend throws.
  public func write<Mutation: LocalCacheMutation>(data: Mutation.Data, for mutation: Mutation) async throws {
    try await write(data, at: place(of: mutation, missingValues: .areErrors))
  }

  /// Merges an object with the object that the cache has under a key, in a body with `await`. Every nil is written as
  /// null, except for one that the object has also as it is read from the cache, and that stands for a value there
  /// (`@required`, `@catch`).
  ///
  /// - Parameters:
  ///   - selectionSet: The object to write.
  ///   - key: The key of the object's record, or a path to the object; see
  ///     `readObject(ofType:withKey:variables:)`.
  ///   - variables: The values of variables for fields with arguments. The default is none.
  /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, none of which is the cached one;
  ///   and what a backend throws.
  public func write<Object: SelectionSet>(
    selectionSet: Object, withKey key: CacheKey, variables: Variables = .none
  ) async throws {
    try await write(selectionSet, at: place(of: Object.self, key, variables, missingValues: .areErrors))
  }

  private func write<Data: SelectionSet>(_ data: Data, at place: ReadRequest<Data>) async throws {
    let old = try await baseline(of: place) { (place: ReadRequest<Data>) async throws -> Data in try await read(place) }
    try await complete { try write(data, insteadOf: old, at: place, writesAll: true) }
  }

  /// Removes an object, in a body with `await`. After that, the cache lacks the data of every field that has the object by
  /// itself. Lists are read without it, or with nil in its place.
  ///
  /// - Parameters:
  ///   - key: The key of the object's record, or a path to the object; see
  ///     `readObject(ofType:withKey:variables:)`. If the object has no record, the field that holds it is removed.
  ///   - cascade: Whether all objects are removed as well that it refers to, those that they refer to, and so on, whatever
  ///     else refers to them. false, the default: only those to which fields with `@onDelete(cascade: true)` lead; see
  ///     ``ApolloStore/register(_:)``. Root objects stay.
  /// - Throws: What a backend throws.
  public func removeObject(for key: CacheKey, cascade: Bool = false) async throws {
    try await complete { attemptRemovingObject(key, cascade: cascade) }
  }

  /// Removes all objects whose keys match, and no others, whatever `@onDelete` says, in a body with `await`.
  ///
  /// - Parameter pattern: A pattern in the form of ``CacheKeyPattern``, such as `Human:*`.
  /// - Throws: ``ApolloStore/Error/notWithinReadTransaction`` after the end of the transaction.
  public func removeObjects(matching pattern: CacheKey) async throws {
    try await complete { attemptRemovingObjects(matching: pattern) }
  }

  /// Removes a field of an object, in a body with `await`. After that, the cache lacks its value.
  ///
  /// - Parameters:
  ///   - name: The name of the field in the schema.
  ///   - arguments: The arguments with which the field was read, without those that its stored key does not have: those that
  ///     tell pages apart, and those that are not among the `keyArgs` of the schema. The keys are in ``ApolloStore/dump()``.
  ///     nil, the default: the field with all arguments is removed.
  ///   - key: The key of the object's record.
  /// - Throws: What a backend throws.
  public func removeField(_ name: String, arguments: JSONObject? = nil, of key: CacheKey) async throws {
    try await complete { attemptRemovingField(name, arguments, of: key) }
  }
}
