import ApolloAPI

// The work of a transaction, as attempts that say which records a backend has to be asked for first.

/// What came of work on a table.
enum Attempt<Value> {
  case done(Value)
  /// A backend has to be asked for these records; then the work can be tried again.
  case missing(Set<Int32>)
}

extension ApolloStore.ReadWriteTransaction {
  // MARK: Places

  func place<Mutation: LocalCacheMutation>(
    of mutation: Mutation, missingValues: MissingValues
  ) -> ReadRequest<Mutation.Data> {
    ReadRequest(
      key: Mutation.operationType.rootKey, variables: mutation.variables, missingValues: missingValues)
  }

  func place<Object: SelectionSet>(
    of type: Object.Type, _ key: CacheKey, _ variables: Variables, missingValues: MissingValues
  ) -> ReadRequest<Object> {
    ReadRequest(key: resolved(key), variables: variables, schema: identity.schema, missingValues: missingValues)
  }

  // MARK: Models

  /// What the cache has in place of a model that is written whole: it tells which of several copies of a field was
  /// changed. nil if the cache does not have such a model.
  func baseline<Data: SelectionSet>(
    of place: ReadRequest<Data>, _ read: (ReadRequest<Data>) throws -> Data
  ) throws -> ModelRecords? {
    do {
      let data = try read(place.allowingMissingFields)
      return try? normalized(data, at: place)
    } catch is ResponseDecodingError {
      return nil
    }
  }

  func baseline<Data: SelectionSet>(
    of place: ReadRequest<Data>, _ read: (ReadRequest<Data>) async throws -> Data
  ) async throws -> ModelRecords? {
    do {
      let data = try await read(place.allowingMissingFields)
      return try? normalized(data, at: place)
    } catch is ResponseDecodingError {
      return nil
    }
  }

  /// A model as it was read.
  func normalized<Data: SelectionSet>(_ data: Data, at place: ReadRequest<Data>) throws -> ModelRecords {
    let root = table.location(of: place.key) ?? RecordLocation(record: table.number(for: place.key))
    var normalizer = ModelNormalizer(table: table, identity: identity(of: place), baseline: nil, isAsRead: true)
    try normalizer.add(try ModelObject(data, variables: place.variables, keys: table.records.keys), at: root)
    return normalizer.records
  }

  func write<Data: SelectionSet>(
    _ data: Data, insteadOf old: ModelRecords?, at place: ReadRequest<Data>, writesAll: Bool
  ) throws -> Attempt<Void> {
    switch try edit(data, insteadOf: old, at: place, writesAll: writesAll) {
    case .missing(let numbers): return .missing(numbers)
    case .done(let edit):
      if written != nil { for (record, key) in edit.places { written?.insert(record, key) } }
      changes.formUnion(table.apply(edit))
      return .done(())
    }
  }

  /// How a model changes the records.
  private func edit<Data: SelectionSet>(
    _ data: Data, insteadOf old: ModelRecords?, at place: ReadRequest<Data>, writesAll: Bool
  ) throws -> Attempt<ModelChanges> {
    let unloaded = unloaded(on: place.key)
    guard unloaded.isEmpty else { return .missing(unloaded) }
    let root = table.location(of: place.key) ?? RecordLocation(record: table.number(for: place.key))
    var normalizer = ModelNormalizer(
      table: table, identity: identity(of: place), baseline: old, keepsLocalFields: writesAll)
    try normalizer.add(try ModelObject(data, variables: place.variables, keys: table.records.keys), at: root)
    if backend != nil {
      let missing = Set(normalizer.records.locations.map(\.record).filter { !table.isLoaded($0) })
      guard missing.isEmpty else { return .missing(missing) }
    }
    return .done(try ModelChanges(from: old, to: normalizer.records, writesAll: writesAll, in: table))
  }

  private func identity<Data: SelectionSet>(of place: ReadRequest<Data>) -> ObjectIdentity {
    var identity = identity
    identity.schema = Data.schema ?? identity.schema ?? place.schema
    return identity
  }

  /// What a backend has to be asked for, so that it is clear what a key points to.
  private func unloaded(on key: CacheKey) -> Set<Int32> { backend == nil ? [] : table.unloaded(on: key) }

  // MARK: Removing

  func attemptRemovingObject(_ key: CacheKey, cascade: Bool) -> Attempt<Void> {
    let key = resolved(key)
    let unloaded = unloaded(on: key)
    guard unloaded.isEmpty else { return .missing(unloaded) }
    guard let location = table.location(of: key) else {
      // One that a limit of memory or of a file has removed is removed all the same.
      if let number = table.records.number(of: key) { changes.formUnion(table.remove(number)) }
      if written != nil { written?.insertRemoval(of: table.number(for: key)) }
      return .done(())
    }
    var rule = Cascade(followingAll: cascade, schemas, in: table)
    let below = table.object(at: location).map { rule.records(with: $0) } ?? []
    let missing = Set(backend == nil ? [] : below.filter { !table.isLoaded($0) })
    guard missing.isEmpty else { return .missing(missing) }
    changes.formUnion(table.remove(location))
    for number in below.sorted() { changes.formUnion(table.remove(number)) }
    return .done(())
  }

  func attemptRemovingObjects(matching pattern: CacheKey) -> Attempt<Void> {
    let pattern = resolved(pattern), wanted = CacheKeyPattern(pattern)
    // (A backend of an app may take it for one that all keys match.)
    guard !wanted.isEmpty else { return .done(()) }
    written?.insertRemoval(matching: pattern)
    for number in table.numbers {
      guard let key = table.records.key(of: number), wanted.matches(key) else { continue }
      changes.formUnion(table.remove(number))
    }
    if backend != nil {
      // The backend has them until the end of the transaction.
      table.hide(wanted)
      changes.insertRemoval(matching: pattern)
    }
    return .done(())
  }

  func attemptRemovingField(_ name: String, _ arguments: JSONObject?, of key: CacheKey) -> Attempt<Void> {
    let key = resolved(key), unloaded = unloaded(on: key)
    guard unloaded.isEmpty else { return .missing(unloaded) }
    let wanted = arguments.map { FieldKey.text(of: name, arguments: $0) }
    if written != nil {
      let field = table.records.keys.withLock { $0.fieldKey(wanted ?? name) }
      written?.insert(table.number(for: key), field)
    }
    guard let number = table.records.number(of: key), let record = table[number] else { return .done(()) }
    let keys = record.fields.map(\.key).filter { key in
      let text = table.records.text(of: key)
      return wanted.map { $0 == text } ?? (text == name || text.hasPrefix(name + "("))
    }
    changes.formUnion(table.remove(keys, from: number))
    return .done(())
  }
}

extension ReadRequest {
  fileprivate var allowingMissingFields: ReadRequest {
    var place = self
    place.missingValues = .areNil
    return place
  }
}
