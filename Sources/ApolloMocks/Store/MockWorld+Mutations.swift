import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

// What mutations do without a resolver: what was sent is seen in the objects that they return.

extension MockWorld {
  /// Sets the fields of the returned objects that have the name and the type of something that was sent, and removes the
  /// object of a field such as `deleteUser`.
  func echo(_ field: FieldDefinition, _ arguments: GraphQLValue.Object, in result: GraphQLValue) throws {
    let sent = sentValues(field.arguments, arguments)
    let name = field.name.value
    if let verb = ["delete", "remove"].first(where: { name.hasPrefix($0) }) {
      try delete(String(name.dropFirst(verb.count)), sent, result)
      return
    }
    try echo(sent, in: result)
  }

  private typealias Sent = [String: (value: GraphQLValue, type: TypeReference)]

  // (`depth` is how many payloads are around the object. Only few are looked into, because they may contain each other.)
  private func echo(_ sent: Sent, in value: GraphQLValue, depth: Int = 0) throws {
    guard let node = MockNode(value), let type = facts.schema.object(named: node.id.type) else { return }
    guard facts.keyFields(of: type.name).isEmpty else { return try set(echoed(sent, on: type), on: node.id) }
    guard depth < 2 else { return }
    // A payload: the objects in it. What is sent as `id` is the key of the first one.
    var isFirst = true
    for field in type.fields where field.type.element == nil && !field.arguments.contains(where: \.isRequired) {
      let name = field.type.namedType.value
      let objects = facts.objects(of: name)
      guard !objects.isEmpty, facts.connection(name) == nil else { continue }
      let keyed = objects.filter { !facts.keyFields(of: $0.name).isEmpty }
      let values = sent.filter { name, _ in isFirst || !keyed.contains { facts.keyFields(of: $0.name).contains(name) } }
      let members = GraphQLValue.Object(values.map { ($0.key, $0.value.value) })
      if let id = keyed.lazy.compactMap({ self.id(of: $0.name, in: members) }).first {
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

  private func delete(_ name: String, _ sent: Sent, _ result: GraphQLValue) throws {
    let values = GraphQLValue.Object(sent.map { ($0.key, $0.value.value) })
    let returned = MockNode(result).flatMap { facts.keyFields(of: $0.id.type).isEmpty ? nil : $0.id }
    let named = facts.schema.object(named: name).flatMap { id(of: $0.name, in: values) }
    if let id = returned ?? named { try MockStore(world: self).remove(id.type, id.key) }
  }

  /// What a mutation such as `deleteUser` returns if that is an identifier: the one that was sent.
  func deletedKey(_ field: FieldDefinition, _ arguments: GraphQLValue.Object) -> GraphQLValue? {
    let name = field.name.value
    guard name.hasPrefix("delete") || name.hasPrefix("remove"), field.type.element == nil,
      facts.schema.type(of: field.type)?.isLeaf == true
    else { return nil }
    let values = GraphQLValue.Object(sentValues(field.arguments, arguments).map { ($0.key, $0.value.value) })
    switch field.type.namedType.value {
    case "Boolean": return true
    case "ID":
      return facts.schema.object(named: String(name.dropFirst(6))).flatMap { id(of: $0.name, in: values) }.map {
        .string($0.key)
      }
    default: return nil
    }
  }

  /// Sets the fields of the objects with keys in an event.
  func remember(_ value: GraphQLValue, as type: TypeReference, at coordinate: String) throws {
    if let elements = value.list {
      for element in elements { try remember(element, as: type.element ?? type, at: coordinate) }
      return
    }
    guard let members = value.object, let named = facts.schema.type(of: type), named.isComposite else { return }
    let possible = facts.objects(of: named.name)
    let type = members["__typename"]?.string ?? (possible.count == 1 ? possible[0].name : nil)
    guard let type, let id = id(of: type, in: members) else { return }
    try set(members, on: id)
  }
}
