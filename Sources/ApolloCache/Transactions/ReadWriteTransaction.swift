public import ApolloAPI

/// Reads and writes; all of its writes happen at once, or none of them.
public final class ReadWriteTransaction: ReadTransaction {
  private(set) var changes = ChangeSet()
  private var isOver = false

  // MARK: Updating

  /// Changes the cached data of a query.
  ///
  /// - Throws: ``ResponseDecodingError`` if the cache does not have all of it, and what `body` throws.
  public func update<Query: GraphQLQuery>(query: Query, _ body: (inout Query.Data) throws -> Void) throws {
    try update(RecordRead(query), body)
  }

  /// Changes what a local cache mutation selects.
  ///
  /// A nullable field that the cache does not have is nil in the data, and stays missing unless it is given a value.
  ///
  /// - Throws: ``ResponseDecodingError`` if the cache lacks a field that may not be null, and what `body` throws.
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
    let old = try self.read(read)
    var new = old
    try body(&new)
    try write(new, insteadOf: old, at: read, RecordTable.MergeRules(ignoresNewNulls: read.allowsMissingFields))
  }

  // MARK: Writing

  public func write<Operation: GraphQLOperation>(data: Operation.Data, for operation: Operation) throws {
    try write(data, at: RecordRead(operation))
  }

  public func write<Mutation: LocalCacheMutation>(data: Mutation.Data, for mutation: Mutation) throws {
    try write(data, at: RecordRead(key: Mutation.operationType.rootKey, variables: mutation.variables))
  }

  /// Merges an object with the one that the cache has under a key.
  ///
  /// - Parameter key: See ``ReadTransaction/readObject(ofType:withKey:variables:)``.
  public func write<Object: SelectionSet>(
    selectionSet: Object, withKey key: CacheKey, variables: Variables = .none
  ) throws {
    try write(selectionSet, at: RecordRead(key: key, variables: variables, schema: identity.schema))
  }

  /// - Parameter old: What the cache has: where a field is there twice in the data, through fragments, the value that
  ///   differs from the old one is meant.
  private func write<Data: SelectionSet>(
    _ data: Data, insteadOf old: Data? = nil, at place: RecordRead<Data>, _ rules: RecordTable.MergeRules = .init()
  ) throws {
    var writer = JSONWriter(variables: place.variables)
    if let old = old ?? (try? read(place)) {
      var baseline = JSONWriter(variables: place.variables)
      old.write(to: &baseline)
      writer = JSONWriter(baseline: baseline.bytes, variables: place.variables)
    }
    data.write(to: &writer)
    if let type = writer.unwritableType { throw JSONEncodingError.notEncodable(type) }
    guard !isOver else { return }
    let found = table.location(of: place.key)
    // An object inside of a record has no key, until it is in its place.
    let location = found.flatMap { $0.steps.isEmpty ? nil : $0 }
    let rootKey = location == nil ? found.flatMap { table.records.key(of: $0.record) } ?? place.key : "\u{0}"
    var identity = identity
    identity.schema = identity.schema ?? place.schema
    let records = try ResponseReader.readObject(
      Data.self, from: ResponseBytes(writer.bytes), variables: place.variables, rootKey: rootKey, identity: identity
    ).records
    guard let batch = records.take() else { return }
    if let backend { try table.fill(Set(table.numbers(of: batch)), from: backend) }
    if let location {
      let object = batch.records[0]
      changes.formUnion(table.merge(batch, rules: rules))
      changes.formUnion(table.remove(table.number(for: rootKey)))
      table.merge(object, at: location, rules: rules, &changes)
    } else {
      changes.formUnion(table.merge(batch, rules: rules))
    }
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

  private func load(_ key: CacheKey) throws {
    if let backend { try table.fill([table.number(for: key)], from: backend) }
  }

  /// A transaction that somebody kept does nothing any more.
  func end() { isOver = true }
}
