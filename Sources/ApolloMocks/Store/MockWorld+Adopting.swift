import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

// Values that an app gives: objects in them stand for the objects of the mock.

extension MockWorld {
  /// Makes of a value that an app has given what execution goes on with. Objects become nodes: those with a key are the
  /// objects with that key, others those that stand at the place. Their members take precedence.
  func adopt(_ value: GraphQLValue, as type: TypeReference, _ place: Place) throws -> GraphQLValue {
    if let node = MockNode(value) { return connected(node, place).value }
    if case .opaque = value { return value }
    guard let named = facts.schema.type(of: type), named.isComposite else {
      try Fit.check(value, as: type, facts, at: place.coordinate)
      return value
    }
    if value.isNull { return value }
    if let element = type.element {
      guard let elements = value.list else {
        throw MockSchemaError("\(place.coordinate) cannot be \(value): its type is \(type).")
      }
      let adopted = try elements.enumerated().map { try adopt($1, as: element, place.element($0)) }
      return .list(adopted.filter { value in MockNode(value).map { !state.isRemoved($0.id) } ?? true })
    }
    if let shape = facts.connection(named.name), let nodes = value.list {
      return try connection(shape, of: nodes, named.name, place).value
    }
    guard let members = value.object else {
      throw MockSchemaError("\(place.coordinate) cannot be \(value): its type is \(type).")
    }
    return try connected(node(with: members, of: named, place), place).value
  }

  /// The object that some members stand for.
  func node(with members: GraphQLValue.Object, of named: NamedType, _ place: Place) throws -> MockNode {
    let type = try self.type(of: members, named, place)
    var node: MockNode
    if let id = self.id(of: type, members: members) {
      node = self.node(id)
      note(id)
    } else if let generated = try object(of: named.name, place, type: type) {
      node = generated
    } else {
      throw MockSchemaError("\(place.coordinate): no object type can be a \(named.name).")
    }
    let fields = facts.schema.object(named: type)?.fields
    for (name, value) in members where name != "__typename" {
      guard let field = fields?[name] else {
        throw MockSchemaError(
          unknown: "\(type).\(name)", among: fields?.map { "\(type).\($0.name)" } ?? [], "field")
      }
      if facts.schema.type(of: field.type)?.isComposite != true {
        try Fit.check(value, as: field.type, facts, at: "\(type).\(name)")
      }
      node.members[name] = value
    }
    return node
  }

  private func type(of members: GraphQLValue.Object, _ named: NamedType, _ place: Place) throws -> String {
    let possible = facts.objects(of: named.name)
    if let name = members["__typename"] {
      if let type = possible.first(where: { $0.name == name.string }) { return type.name }
      throw MockSchemaError("\(place.coordinate): \(name) is not an object type that a \(named.name) can be.")
    }
    if possible.count == 1 { return possible[0].name }
    let fitting = types(of: members, named)
    guard !fitting.isEmpty else {
      throw MockSchemaError(
        "\(place.coordinate): no type of \(named.name) has the fields \(members.keys.joined(separator: ", ")).")
    }
    if let id = meant(fitting.compactMap({ self.id(of: $0.name, members: members) })) { return id.type }
    // The one that stands here anyway, if it has the fields.
    let chosen = self.named(fitting, by: place)?.type ?? place.typeDraw(rules.seed, possible)
    return fitting.contains { $0.name == chosen } ? chosen : fitting[0].name
  }

  /// The types that have all of the fields.
  private func types(of members: GraphQLValue.Object, _ named: NamedType) -> [ObjectType] {
    facts.objects(of: named.name).filter { type in members.allSatisfy { type.fields.contains($0.key) } }
  }

  // MARK: Setting

  /// Puts members of an object into the store. Objects in them are put there as well, and stay as references.
  ///
  /// - Throws: ``MockSchemaError`` that names the field which a value does not fit.
  func set(_ members: GraphQLValue.Object, on id: ObjectID, arguments: GraphQLValue.Object = [:]) throws {
    let type = try facts.object(named: id.type)
    var node = node(id)
    if facts.roots.contains(id.type) { node.name = "" }
    var changes: [(String, GraphQLValue)] = []
    for (name, value) in members where name != "__typename" {
      guard let field = type.fields[name] else {
        throw MockSchemaError(
          unknown: "\(type.name).\(name)", among: type.fields.map { "\(type.name).\($0.name)" }, "field")
      }
      try Fit.check(value, as: field.type, facts, at: "\(type.name).\(name)")
      if try checkKey(name, of: id, against: value) { continue }
      // (Without arguments a value holds for all of them, and not for the defaults alone.)
      let given = try arguments.isEmpty ? [:] : self.arguments(arguments, of: field, on: type.name)
      let place = Place(self, node, field, given)
      changes.append((name + place.storedArguments, try stored(value, as: field.type, place)))
    }
    for (field, value) in changes { state.set(field, of: id, to: value) }
    state.restore(id)
  }

  /// A value for the store: objects with fields are put there themselves, and what is left tells which they are.
  private func stored(_ value: GraphQLValue, as type: TypeReference, _ place: Place) throws -> GraphQLValue {
    guard let named = facts.schema.type(of: type), named.isComposite else { return value }
    if let elements = value.list {
      let element = type.element ?? facts.connection(named.name)?.node ?? type
      return .list(try elements.enumerated().map { try stored($1, as: element, place.element($0)) })
    }
    guard let members = value.object else { return value }
    let node = try node(with: members, of: named, place)
    let keys = facts.keyFields(of: node.id.type)
    try set(GraphQLValue.Object(members.filter { !keys.contains($0.key) }.map { ($0.key, $0.value) }), on: node.id)
    var reference = node
    reference.members = [:]
    // Which nodes a connection has depends on the place where it is asked for.
    reference.connection = nil
    return reference.value
  }

  /// Sets the fields of the objects with keys in an event, also of those inside of objects without one.
  func remember(_ value: GraphQLValue, as type: TypeReference) throws {
    if let elements = value.list {
      let element = type.element ?? facts.connection(type.namedType.value)?.node ?? type
      for value in elements { try remember(value, as: element) }
      return
    }
    guard var members = value.object, let named = facts.schema.type(of: type), named.isComposite else { return }
    let typename = members["__typename"]?.string
    members["__typename"] = nil
    let possible = types(of: members, named).filter { typename == nil || typename == $0.name }
    if let id = meant(possible.compactMap({ self.id(of: $0.name, members: members) })) {
      return try set(members, on: id)
    }
    for (name, value) in members {
      guard let field = possible.first?.fields[name] else { continue }
      try remember(value, as: field.type)
    }
  }
}
