public import ApolloAPI

extension ApolloStore.ReadWriteTransaction {
  /// A list of objects in the cache, for changing it without reading and writing all of it.
  ///
  ///     try transaction.connection(at: "QUERY_ROOT.feed").prepend("Post:7")
  ///
  /// It is a connection (an object with `edges` or `nodes`, or both), or a field that is a list. The objects are named by
  /// the keys of their records. An edge that is added has an empty cursor, and null in all fields but `node`.
  public struct ListEditor {
    fileprivate let transaction: ApolloStore.ReadWriteTransaction
    fileprivate let key: CacheKey

    /// The keys of the objects in the list, in their order. Elements without a key are left out, and so are objects that were
    /// removed.
    ///
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public var nodes: [CacheKey] {
      get throws { try transaction.complete { try transaction.attemptReadingList(at: key, withRemoved: false) } }
    }

    /// Adds an object at the end. An object that is in the list stays where it is.
    ///
    /// - Parameters:
    ///   - node: The key of the object.
    ///   - edgeType: The type of the new edge. nil, the default: the type of the other edges, or what the name of the
    ///     connection's type suggests.
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public func append(_ node: CacheKey, edgeType: String? = nil) throws {
      try edit(edgeType) { .insert([$0(node)], .last) }
    }

    /// Adds an object at the start. An object that is in the list stays where it is.
    ///
    /// - Parameters:
    ///   - node: The key of the object.
    ///   - edgeType: The type of the new edge. nil, the default: as for ``append(_:edgeType:)``.
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public func prepend(_ node: CacheKey, edgeType: String? = nil) throws {
      try edit(edgeType) { .insert([$0(node)], .first) }
    }

    /// Adds an object before another one, or at the start if the other is not in the list. An object that is in the list
    /// stays where it is.
    ///
    /// - Parameters:
    ///   - node: The key of the object.
    ///   - other: The key of the other object.
    ///   - edgeType: The type of the new edge. nil, the default: as for ``append(_:edgeType:)``.
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public func insert(_ node: CacheKey, before other: CacheKey, edgeType: String? = nil) throws {
      try edit(edgeType) { .insert([$0(node)], .before($0(other))) }
    }

    /// Adds an object after another one, or at the end if the other is not in the list. An object that is in the list
    /// stays where it is.
    ///
    /// - Parameters:
    ///   - node: The key of the object.
    ///   - other: The key of the other object.
    ///   - edgeType: The type of the new edge. nil, the default: as for ``append(_:edgeType:)``.
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public func insert(_ node: CacheKey, after other: CacheKey, edgeType: String? = nil) throws {
      try edit(edgeType) { .insert([$0(node)], .after($0(other))) }
    }

    /// Takes an object out of the list. The object itself stays in the cache. An object that is not in the list is no
    /// error.
    ///
    /// - Parameter node: The key of the object.
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public func remove(_ node: CacheKey) throws { try edit(nil) { .remove([$0(node)]) } }

    /// Takes objects out of the list by their keys, all at once.
    func remove(where isWanted: (CacheKey) -> Bool) throws {
      // (Also if there are none: that they are not in the list is what was written then.)
      let all = try transaction.complete { try transaction.attemptReadingList(at: key, withRemoved: true) }
      let keys = all.filter(isWanted)
      try edit(nil) { number in .remove(Set(keys.map { number($0) })) }
    }

    /// Moves an object before another one, or to the start if the other is not in the list. An object that is not in the
    /// list is not added.
    ///
    /// - Parameters:
    ///   - node: The key of the object.
    ///   - other: The key of the other object.
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public func move(_ node: CacheKey, before other: CacheKey) throws {
      try edit(nil) { .move($0(node), .before($0(other))) }
    }

    /// Moves an object after another one, or to the end if the other is not in the list. An object that is not in the list
    /// is not added.
    ///
    /// - Parameters:
    ///   - node: The key of the object.
    ///   - other: The key of the other object.
    /// - Throws: ``ApolloStore/Error/noList(at:)`` if the cache has no list there, and what a backend throws.
    public func move(_ node: CacheKey, after other: CacheKey) throws {
      try edit(nil) { .move($0(node), .after($0(other))) }
    }

    func edit(_ edgeType: String?, _ edit: (_ number: (CacheKey) -> Int32) -> ListChange) throws {
      try transaction.complete {
        let table = transaction.table
        return try transaction.attemptEditing(
          edit { table.number(for: transaction.resolved($0)) }, at: key, edgeType: edgeType)
      }
    }
  }

  /// The list at a path, for changing it.
  ///
  /// - Parameter key: The path to the connection or the list, such as `QUERY_ROOT.feed` or `User:7.friends`. Fields with
  ///   arguments are written as in ``ApolloStore/dump()``; arguments that tell pages apart are not part of them.
  /// - Returns: The list. Whether there is one is found out when it is changed.
  public func connection(at key: CacheKey) -> ListEditor {
    ListEditor(transaction: self, key: resolved(key))
  }

  /// The list in a field of an object, for changing it.
  ///
  /// - Parameters:
  ///   - field: The name of the field in the schema.
  ///   - arguments: The arguments with which the field was read, without those that tell pages apart. The default is none.
  ///   - key: The key of the object's record, or a path to the object. The default is the root of queries.
  /// - Returns: The list. Whether there is one is found out when it is changed.
  public func connection(
    _ field: String, arguments: JSONObject = [:], of key: CacheKey = "QUERY_ROOT"
  ) -> ListEditor {
    let name = arguments.isEmpty ? field : FieldKey.text(of: field, arguments: arguments)
    return connection(at: "\(key).\(name)")
  }

  // MARK: Attempts

  /// - Parameters:
  ///   - key: The path to the list.
  ///   - withRemoved: Whether objects are among them that were removed. Otherwise a backend is asked for all objects.
  /// - Returns: The keys of the objects in the list.
  /// - Throws: The error of a path that does not lead to a list.
  fileprivate func attemptReadingList(at key: CacheKey, withRemoved: Bool) throws -> Attempt<[CacheKey]> {
    switch try place(ofListAt: key) {
    case .missing(let numbers): return .missing(numbers)
    case .done(let place):
      var nodes = ListChange.nodes(of: place.value, in: table.records)
      if !withRemoved {
        let missing = Set(backend == nil ? [] : nodes.filter { !table.isLoaded($0) })
        guard missing.isEmpty else { return .missing(missing) }
        nodes.removeAll(where: table.records.isGone)
      }
      return .done(nodes.compactMap { table.records.key(of: $0) })
    }
  }

  fileprivate func attemptEditing(_ edit: ListChange, at key: CacheKey, edgeType: String?) throws -> Attempt<Void> {
    switch try place(ofListAt: key) {
    case .missing(let numbers): return .missing(numbers)
    case .done(let place):
      guard let value = edit.apply(to: place.value, edgeType: edgeType, in: table.records) else {
        throw ApolloStore.Error.noList(at: key)
      }
      if written != nil { for (record, key) in place.fieldsOfList { written?.insert(record, key) } }
      if !value.isSame(as: place.value) { changes.formUnion(table.replace(place, by: value)) }
      return .done(())
    }
  }

  private func place(ofListAt key: CacheKey) throws -> Attempt<RecordTable.ValuePlace> {
    let attempt = try placeWithoutEdges(ofListAt: key)
    guard case .done(let place) = attempt else { return attempt }
    let edges = place.value.recordsOfEdges
    if backend != nil {
      let missing = Set(edges.filter { !table.isLoaded($0) })
      if !missing.isEmpty { return .missing(missing) }
    }
    if !edges.isEmpty {
      noteReading(at: key) { reads in for edge in edges { reads.insert(.forName("node"), of: edge) } }
    }
    return attempt
  }

  /// The place of a list. Nothing is asked of the edges that a connection has.
  private func placeWithoutEdges(ofListAt key: CacheKey) throws -> Attempt<RecordTable.ValuePlace> {
    // The path to an object, and a field of it that has the list. The key of a record may be any text, so each dot may
    // be the one between them.
    for (parent, field) in CacheKeyPath.divisions(of: key) where CacheKeyPath.isField(field) {
      if backend != nil {
        let missing = table.unloaded(on: parent)
        if !missing.isEmpty { return .missing(missing) }
      }
      guard let location = table.location(of: parent), let fieldKey = table.records.fieldKey(of: field),
        let value = table.object(at: location)?.value(of: fieldKey)
      else { continue }
      var own = fieldKey
      if case .field(let outer)? = location.steps.first { own = outer }
      noteReading(at: parent) { $0.insert(own, of: location.record) }
      guard case .reference(let number) = value else {
        return .done(RecordTable.ValuePlace(location: location.appending(.field(fieldKey)), value: value))
      }
      // A connection that has a key.
      if backend != nil, !table.isLoaded(number) { return .missing([number]) }
      noteReading(at: parent) { $0.insert(.unresolved, of: number) }
      guard let record = table[number] else { break }
      return .done(RecordTable.ValuePlace(location: RecordLocation(record: number), value: .object(record)))
    }
    throw ApolloStore.Error.noList(at: key)
  }
}

extension RecordTable {
  /// A value, and where it is.
  struct ValuePlace {
    var location: RecordLocation
    var value: RecordValue

    /// The fields of records that an edit of the list writes.
    var fieldsOfList: [(record: Int32, key: FieldKey)] {
      if case .field(let key)? = location.steps.first { return [(location.record, key)] }
      guard case .object(let connection) = value else { return [] }
      let keys = [FieldKey.forName("edges"), .forName("nodes")].filter { connection.value(of: $0) != nil }
      return keys.map { (location.record, $0) }
    }
  }

  /// Puts a value in the place of another one. Nothing is merged.
  ///
  /// - Returns: The fields that changed.
  mutating func replace(_ place: ValuePlace, by value: RecordValue) -> ChangeSet {
    let number = place.location.record
    var changes = ChangeSet()
    guard let old = records[number],
      case .object(let record) = RecordValue.object(old).replacingValue(at: place.location.steps[...], by: value)
    else { return changes }
    setLocally(number, record)
    if case .field(let key)? = place.location.steps.first {
      changes.insert(number, key)
    } else {
      record.forEachField { field in
        if old.value(of: field.key).map({ !$0.isSame(as: field.value) }) ?? true { changes.insert(number, field.key) }
      }
    }
    return changes
  }
}

extension RecordValue {
  /// The edges of a connection that have records.
  fileprivate var recordsOfEdges: [Int32] {
    guard case .object(let connection) = self else { return [] }
    switch connection.value(of: .forName("edges")) {
    case .references(let numbers)?: return numbers.filter { $0 >= 0 }
    case .list(let values)?: return values.compactMap { if case .reference(let number) = $0 { number } else { nil } }
    default: return []
    }
  }

  fileprivate func replacingValue(at steps: ArraySlice<RecordLocation.Step>, by value: RecordValue) -> RecordValue {
    guard let step = steps.first else { return value }
    switch (step, self) {
    case (.field(let key), .object(let record)):
      // (Not merged: a connection may have lost a field.)
      let result = ObjectRecord.make(type: record.type, capacity: record.count)
      record.forEachField { field in
        let isNext = field.key == key
        let value = isNext ? field.value.replacingValue(at: steps.dropFirst(), by: value) : field.value
        result.append(ObjectRecord.Field(field.key, value))
      }
      return .object(result)
    case (.index(let index), .list(var values)) where values.indices.contains(index):
      values[index] = values[index].replacingValue(at: steps.dropFirst(), by: value)
      return .list(values)
    default: return self
    }
  }
}
