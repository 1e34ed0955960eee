package import ApolloAPI

extension ApolloStore.ReadWriteTransaction {
  /// Does to lists what the directives of an operation say, unless it is a query. Its data is in the cache already.
  ///
  /// - Parameters:
  ///   - data: The data of the operation.
  ///   - operation: The operation.
  /// - Returns: The error of the first list that is not there; nil if all are. All others have been changed.
  /// - Throws: What a backend throws.
  package func applyListEdits<Operation: GraphQLOperation>(
    of data: Operation.Data, for operation: Operation
  ) throws -> ApolloStore.Error? {
    let edits = operation.__listEdits
    // (Generated code of earlier releases has edits of queries, too.)
    guard !edits.isEmpty, Operation.operationType != .query else { return nil }
    let model = try ModelObject(data, variables: operation.variables, keys: table.records.keys)
    var failure: ApolloStore.Error?
    for edit in edits.map(\.directive) {
      let root = RecordValue.reference(Operation.operationType.rootNumber)
      let values = values(at: edit.path[...], in: [.object(model)], root)
      if values.isEmpty { continue }
      if edit.kind == .deleteRecord {
        for id in values.flatMap(\.identifiers) { try removeObject(for: key(of: id, edit.typename)) }
      }
      for connection in edit.connections {
        do {
          try apply(edit, values, to: self.connection(at: connection))
        } catch let error as ApolloStore.Error {
          failure = failure ?? error
        }
      }
    }
    return failure
  }

  /// Does to a list what a directive says of values. It is one change: a list may be long, and so may the values be.
  private func apply(_ edit: __ListEdit.Directive, _ values: [RecordValue], to list: ListEditor) throws {
    let nodes = values.compactMap { value -> Int32? in if case .reference(let number) = value { number } else { nil } }
    switch edit.kind {
    case .appendNode where !nodes.isEmpty: try list.edit(edit.edgeType) { _ in .insert(nodes, .last) }
    case .prependNode where !nodes.isEmpty: try list.edit(edit.edgeType) { _ in .insert(nodes, .first) }
    case .appendEdge: try list.edit(nil) { _ in .insertEdges(values, .last) }
    case .prependEdge: try list.edit(nil) { _ in .insertEdges(values, .first) }
    case .deleteEdge:
      let keys = KeysOfIDs(values.flatMap(\.identifiers), edit.typename)
      try list.remove(where: keys.contains)
    default: break
    }
  }

  /// The key of the record that an ID is of. Without a type, the ID is the key.
  private func key(of id: String, _ typename: String?) throws -> CacheKey {
    guard let typename else { return id }
    let keys = ObjectIdentity.forms(ofID: id).map { "\(typename):\($0)" }
    return try keys.count == 1 ? keys[0] : complete { attemptFinding(keys) }
  }

  /// The first of some keys under which there is a record; the first of all if there is none.
  private func attemptFinding(_ keys: [CacheKey]) -> Attempt<CacheKey> {
    let numbers = keys.map { table.number(for: resolved($0)) }
    let missing = Set(backend == nil ? [] : numbers.filter { !table.isLoaded($0) })
    guard missing.isEmpty else { return .missing(missing) }
    return .done(zip(keys, numbers).first { table[$1] != nil }?.0 ?? keys[0])
  }

  /// The values at a path, without lists around them.
  ///
  /// - Parameters:
  ///   - path: The names in the response that lead to the values, with the types of the objects whose fields they are.
  ///   - copies: The value where the path begins, as the model has it. Fragments may have a copy each, with other fields.
  ///   - value: The same value, as the cache has it.
  /// - Returns: The values, as the cache has them.
  private func values(
    at path: ArraySlice<(name: String, types: [String])>, in copies: [ModelValue], _ value: RecordValue
  ) -> [RecordValue] {
    // What the answer lacks may be in the cache, of an earlier answer.
    let copies = copies.filter { !$0.isNull }
    if copies.isEmpty { return [] }
    let lists = copies.compactMap(\.elements)
    func elements(at index: Int) -> [ModelValue] { lists.compactMap { $0.indices.contains(index) ? $0[index] : nil } }
    let record: ObjectRecord?
    switch value {
    case .null: return []
    case .list(let values) where !lists.isEmpty:
      return values.indices.flatMap { self.values(at: path, in: elements(at: $0), values[$0]) }
    case .references(let numbers) where !lists.isEmpty:
      return numbers.indices.flatMap { index in
        let number = numbers[index]
        return number < 0 ? [] : self.values(at: path, in: elements(at: index), .reference(number))
      }
    case .reference(let number): record = table[number]
    case .object(let object): record = object
    default: record = nil
    }
    guard let step = path.first else { return [value] }
    guard let record else { return [] }
    let type = record.type.name
    guard step.types.isEmpty || step.types.contains(where: { $0 == type }) else { return [] }
    let members = copies.flatMap { $0.fields(named: step.name) }
    guard let key = members.first?.key, let next = record.value(of: key) else { return [] }
    return values(at: path.dropFirst(), in: members.map { $0.value }, next)
  }
}

/// The keys that objects may have which some IDs are of.
private struct KeysOfIDs {
  private let keys: Set<CacheKey>
  /// What may be behind the type in a key; empty if the type is known.
  private let ids: Set<String>

  /// - Parameters:
  ///   - ids: The IDs.
  ///   - typename: The type of the objects; nil: any.
  init(_ ids: [String], _ typename: String?) {
    let forms = ids.flatMap { ObjectIdentity.forms(ofID: $0) }
    keys = typename.map { name in Set(forms.map { "\(name):\($0)" }) } ?? Set(ids)
    self.ids = typename == nil ? Set(forms) : []
  }

  func contains(_ key: CacheKey) -> Bool {
    if keys.contains(key) { return true }
    // What is before the first colon is a type. There may be more of them in the ID.
    guard !ids.isEmpty, let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return ids.contains(String(key[key.utf8.index(after: colon)...]))
  }
}

extension ModelValue {
  fileprivate var isNull: Bool {
    if case .leaf(.null) = self { true } else { false }
  }

  /// The elements of a list; nil if it is none.
  fileprivate var elements: [ModelValue]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  /// The copies of a field that an object has; empty if it is not an object.
  fileprivate func fields(named name: String) -> [(key: FieldKey, value: ModelValue)] {
    guard case .object(let object) = self else { return [] }
    return object.fields.filter { $0.names.last == name }.map { (key: $0.key, value: $0.value) }
  }
}

extension RecordValue {
  /// The IDs that a value is: one, or a list of them.
  fileprivate var identifiers: [String] {
    switch self {
    case .string(let id): [id]
    case .int(let id): [String(id)]
    case .list(let values): values.flatMap(\.identifiers)
    default: []
    }
  }
}
