import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

// What mutations do without a resolver: what was sent is seen in the objects that they return.

extension MockWorld {
  /// What a field of the mutation type without a resolver returns, after what was sent has changed the objects.
  ///
  /// - Throws: ``MockSchemaError``, or what a function of the app throws. Nothing has changed then.
  func mutate(_ field: FieldDefinition, on node: MockNode, _ arguments: GraphQLValue.Object) throws -> GraphQLValue {
    let place = Place(self, node, field, arguments)
    let result: GraphQLValue
    if let said = try saidValue(of: field, place, usesResolver: false) {
      // (What an app refuses changes nothing.)
      if said.isNull || said.bool == false { return said }
      result = said
    } else if let key = deletedKey(field, arguments) {
      try echo(field, arguments, in: .null)
      return key
    } else {
      result = try generate(field.type, place)
    }
    try echo(field, arguments, in: result)
    return result
  }

  /// Sets the fields of the returned objects that have the name and the type of something that was sent, and removes the
  /// object of a field such as `deleteUser`.
  private func echo(_ field: FieldDefinition, _ arguments: GraphQLValue.Object, in result: GraphQLValue) throws {
    let sent = sentValues(field.arguments, arguments)
    guard isRemoval(field) else { return try echo(sent, in: result) }
    let removed = self.removed(by: field, sent, result)
    if let (node, type) = object(in: result), facts.keyFields(of: type.name).isEmpty {
      // A payload: what was sent, such as `clientMutationId`, and the key.
      var members = echoed(sent, on: type)
      if let removed { for (name, key) in keys(of: removed, on: type) { members[name] = key } }
      try set(members, on: node.id)
    }
    if let removed { state.remove(removed) }
  }

  private typealias Sent = [String: (value: GraphQLValue, type: TypeReference)]

  /// An object that may be changed. (The root objects belong to all operations.)
  private func object(in value: GraphQLValue) -> (MockNode, ObjectType)? {
    guard let node = MockNode(value), !facts.roots.contains(node.id.type) else { return nil }
    return facts.schema.object(named: node.id.type).map { (node, $0) }
  }

  // (`depth` is how many payloads are around the object. Only few are looked into, because they may contain each other.)
  private func echo(_ sent: Sent, in value: GraphQLValue, depth: Int = 0) throws {
    guard let (node, type) = object(in: value) else { return }
    let members = echoed(sent, on: type)
    if !members.isEmpty { try set(members, on: node.id) }
    guard facts.keyFields(of: type.name).isEmpty, depth < 2 else { return }
    // A payload: the objects in it. What is sent as `id` is the key of the first one.
    var isFirst = true
    for field in type.fields where field.type.element == nil && !field.arguments.contains(where: \.isRequired) {
      let name = field.type.namedType.value
      let objects = facts.objects(of: name)
      guard !objects.isEmpty, facts.connection(name) == nil, !facts.roots.contains(name) else { continue }
      let keyed = objects.filter { !facts.keyFields(of: $0.name).isEmpty }
      let values = sent.filter { name, _ in isFirst || !keyed.contains { facts.keyFields(of: $0.name).contains(name) } }
      if let id = self.id(of: keyed, sent: sentMembers(values)) {
        state.set(field.name.value, of: node.id, to: self.node(id).value)
      }
      if !keyed.isEmpty { isFirst = false }
      try echo(sent, in: self.value(of: field, on: node, [:], usesResolver: false), depth: depth + 1)
    }
  }

  private func echoed(_ sent: Sent, on type: ObjectType) -> GraphQLValue.Object {
    let keys = facts.keyFields(of: type.name)
    var members = GraphQLValue.Object()
    for field in type.fields where !keys.contains(field.name.value) {
      guard let (value, sentType) = sent[field.name.value], field.type.namedType.value == sentType.namedType.value,
        (field.type.element == nil) == (sentType.element == nil),
        (try? Fit.check(value, as: field.type, facts, at: field.name.value)) != nil
      else { continue }
      members[field.name.value] = value
    }
    return members
  }

  /// What a mutation was sent, by name: its arguments, and the fields of input objects.
  private func sentValues(_ definitions: [InputValueDefinition], _ values: GraphQLValue.Object) -> Sent {
    var sent: Sent = [:]
    for definition in definitions {
      guard let value = values[definition.name.value] else { continue }
      if case .inputObject(let type)? = facts.schema.type(of: definition.type), let members = value.object {
        sent.merge(sentValues(Array(type.fields), members)) { outer, _ in outer }
      } else {
        sent[definition.name.value] = (value, definition.type)
      }
    }
    return sent
  }

  private func sentMembers(_ sent: Sent) -> GraphQLValue.Object {
    GraphQLValue.Object(sent.map { ($0.key, $0.value.value) })
  }

  // MARK: Removing

  private func isRemoval(_ field: FieldDefinition) -> Bool {
    ["delete", "remove"].contains { field.name.value.hasPrefix($0) }
  }

  /// The object that a field removes: one of the type in its name. Its key was sent, or it is what the field returns.
  private func removed(by field: FieldDefinition, _ sent: Sent, _ result: GraphQLValue) -> ObjectID? {
    let types = removedTypes(field)
    if let id = self.id(of: types, sent: sentMembers(sent)) { return id }
    guard let (node, type) = object(in: result), types.contains(where: { $0.name == type.name }) else { return nil }
    return node.id
  }

  /// The types with keys that the name of a field says: `deleteUser`, `removeUserById`; or `delete`, which removes what
  /// it returns.
  private func removedTypes(_ field: FieldDefinition) -> [ObjectType] {
    // (Both verbs have six letters.)
    let said = String(field.name.value.dropFirst(6))
    var name = said.isEmpty ? field.type.namedType.value : said
    if facts.objects(of: name).isEmpty {
      let names = facts.schema.allTypes.map(\.name).filter { said.hasPrefix($0 + "By") }
      name = names.max { $0.count < $1.count } ?? ""
    }
    return facts.objects(of: name).filter { !facts.keyFields(of: $0.name).isEmpty }
  }

  /// The fields of a payload that have the key of a removed object.
  private func keys(of removed: ObjectID, on type: ObjectType) -> GraphQLValue.Object {
    let name = removed.type
    var keys = GraphQLValue.Object()
    for key in ["deleted\(name)Id", "deletedId", name.lowerCamelCase + "Id", "id"] {
      guard let field = type.fields[key] else { continue }
      keys[key] = self.key(of: removed, as: field.type)
    }
    return keys
  }

  /// What a mutation such as `deleteUser` returns if that is a leaf of which nothing is said: the key that was sent, or
  /// true.
  private func deletedKey(_ field: FieldDefinition, _ arguments: GraphQLValue.Object) -> GraphQLValue? {
    guard isRemoval(field), field.type.element == nil else { return nil }
    if field.type.namedType.value == "Boolean" { return true }
    return removed(by: field, sentValues(field.arguments, arguments), .null).flatMap { key(of: $0, as: field.type) }
  }
}
