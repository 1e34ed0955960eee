public import ApolloAPI

/// Reads and writes; all of its writes happen at once, or none of them.
public final class ReadWriteTransaction: ReadTransaction {
  private(set) var changes = ChangeSet()
  private var isOver = false

  // MARK: Updating

  // What is stored is the difference between the data as they were read and as `body` left them, object by object: what
  // was not changed stays as it is, also in lists whose objects have moved. It is enough to change one of several copies
  // of a field.

  /// Changes the cached data of a query.
  ///
  /// - Throws: ``ResponseDecodingError`` if the cache does not have all of it, ``ConflictingCopiesError`` if copies of a
  ///   field were changed to different values, and what `body` throws.
  public func update<Query: GraphQLQuery>(query: Query, _ body: (inout Query.Data) throws -> Void) throws {
    try update(RecordRead(query), body)
  }

  /// Changes what a local cache mutation selects.
  ///
  /// A nullable field that the cache does not have is nil in the data, and stays missing unless it is given a value.
  ///
  /// - Throws: ``ResponseDecodingError`` if the cache lacks a field that may not be null, ``ConflictingCopiesError`` if
  ///   copies of a field were changed to different values, and what `body` throws.
  public func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: (inout Mutation.Data) throws -> Void
  ) throws {
    try update(
      RecordRead(key: Mutation.operationType.rootKey, variables: mutation.variables, allowsMissingFields: true), body)
  }

  /// Changes one cached object. A nullable field that the cache does not have is treated as in a local cache mutation.
  ///
  /// - Parameter key: See ``ReadTransaction/readObject(ofType:withKey:variables:)``.
  public func updateObject<Object: SelectionSet>(
    ofType type: Object.Type, withKey key: CacheKey, variables: Variables = .none,
    _ body: (inout Object) throws -> Void
  ) throws {
    try update(
      RecordRead<Object>(key: key, variables: variables, schema: identity.schema, allowsMissingFields: true), body)
  }

  private func update<Data: SelectionSet>(_ read: RecordRead<Data>, _ body: (inout Data) throws -> Void) throws {
    var data = try self.read(read)
    let old = try normalized(data, at: read)
    try body(&data)
    try write(data, insteadOf: old, at: read, writesAll: false)
  }

  // MARK: Writing

  /// Writes the whole data of an operation; what is nil becomes null.
  ///
  /// - Throws: ``ConflictingCopiesError`` if copies of a field have different values, and none of them is the cached one.
  public func write<Operation: GraphQLOperation>(data: Operation.Data, for operation: Operation) throws {
    try write(data, at: RecordRead(operation))
  }

  /// Writes the whole data of a local cache mutation, as for an operation.
  public func write<Mutation: LocalCacheMutation>(data: Mutation.Data, for mutation: Mutation) throws {
    try write(data, at: RecordRead(key: Mutation.operationType.rootKey, variables: mutation.variables))
  }

  /// Merges an object with the one that the cache has under a key; what is nil becomes null.
  ///
  /// - Parameter key: See ``ReadTransaction/readObject(ofType:withKey:variables:)``.
  public func write<Object: SelectionSet>(
    selectionSet: Object, withKey key: CacheKey, variables: Variables = .none
  ) throws {
    try write(selectionSet, at: RecordRead(key: key, variables: variables, schema: identity.schema))
  }

  /// Writes a whole model. What the cache has tells which of several copies of a field was changed.
  private func write<Data: SelectionSet>(_ data: Data, at place: RecordRead<Data>) throws {
    var place = place
    place.allowsMissingFields = true
    let old = try? normalized(self.read(place), at: place)
    try write(data, insteadOf: old, at: place, writesAll: true)
  }

  private func write<Data: SelectionSet>(
    _ data: Data, insteadOf old: ModelRecords?, at place: RecordRead<Data>, writesAll: Bool
  ) throws {
    guard !isOver else { return }
    let object = try ModelObject(data, variables: place.variables)
    try load(place.key)
    let root = table.location(of: place.key) ?? RecordLocation(record: table.number(for: place.key))
    while true {
      var normalizer = ModelNormalizer(table: table, identity: identity(of: place), baseline: old)
      try normalizer.add(object, at: root)
      let missing = Set(normalizer.records.locations.map(\.record).filter { !table.isLoaded($0) })
      if let backend, !missing.isEmpty {
        try table.fill(missing, from: backend)
        continue
      }
      let edit = try ModelChanges(from: old, to: normalizer.records, writesAll: writesAll, in: table)
      table.apply(edit, &changes)
      return
    }
  }

  /// A model as it was read.
  private func normalized<Data: SelectionSet>(_ data: Data, at place: RecordRead<Data>) throws -> ModelRecords {
    let root = table.location(of: place.key) ?? RecordLocation(record: table.number(for: place.key))
    var normalizer = ModelNormalizer(table: table, identity: identity(of: place), baseline: nil, isAsRead: true)
    try normalizer.add(try ModelObject(data, variables: place.variables), at: root)
    return normalizer.records
  }

  private func identity<Data: SelectionSet>(of place: RecordRead<Data>) -> ObjectIdentity {
    var identity = identity
    identity.schema = Data.schema ?? identity.schema ?? place.schema
    return identity
  }

  // MARK: Removing

  /// Removes the object with a key; reading a reference to it becomes a miss.
  ///
  /// - Parameter key: See ``ReadTransaction/readObject(ofType:withKey:variables:)``. An object without a record of its own
  ///   goes with the field that holds it.
  public func removeObject(for key: CacheKey) throws {
    guard !isOver else { return }
    try load(key)
    guard let location = table.location(of: key) else { return }
    changes.formUnion(table.remove(location))
  }

  /// Removes all objects whose keys match.
  ///
  /// - Parameter pattern: See ``CacheKeyPattern``: `Human:*`, or a part of the keys.
  public func removeObjects(matching pattern: CacheKey) throws {
    guard !isOver else { return }
    let wanted = CacheKeyPattern(pattern)
    for number in table.numbers {
      guard let key = table.records.key(of: number), wanted.matches(key) else { continue }
      changes.formUnion(table.remove(number))
    }
    if backend != nil { changes.insertRemoval(matching: pattern) }
  }

  /// Removes a field of an object; reading it becomes a miss.
  ///
  /// - Parameters:
  ///   - name: The name in the schema.
  ///   - arguments: The arguments with which the field was read; nil for all of them.
  ///   - key: The key of the object's record.
  public func removeField(_ name: String, arguments: JSONObject? = nil, of key: CacheKey) throws {
    guard !isOver else { return }
    try load(key)
    guard let number = table.records.number(of: key), let record = table[number] else { return }
    let wanted = arguments.map { FieldKey.text(of: name, arguments: $0) }
    let keys = record.fields.map(\.key).filter { key in
      let text = key.text
      return wanted.map { $0 == text } ?? (text == name || text.hasPrefix(name + "("))
    }
    changes.formUnion(table.remove(keys, from: number))
  }

  /// Gets from the backend what a key points to.
  private func load(_ key: CacheKey) throws {
    if let backend { try table.load(key, from: backend) }
  }

  /// A transaction that somebody kept does nothing any more.
  func end() { isOver = true }
}
