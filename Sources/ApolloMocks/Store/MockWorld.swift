import ApolloAPI
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// The objects of a mock: what they have by the seed, and what was changed.
struct MockWorld: Sendable {
  let facts: SchemaFacts
  let rules: MockRules
  let state: StoreState

  /// What functions of the app are being asked for, because they may ask the store for the same.
  @TaskLocal private static var asked: Set<String> = []

  func root(_ type: String, members: GraphQLValue.Object = [:]) -> MockNode {
    MockNode(ObjectID(type: type, key: ObjectID.rootKey), name: "", members: members)
  }

  func context(_ coordinate: String, _ id: ObjectID, _ arguments: GraphQLValue.Object, place: String) -> MockContext {
    MockContext(
      coordinate: coordinate, typename: id.type, key: id.key, arguments: arguments, store: MockStore(world: self),
      place: place, seed: rules.seed)
  }

  // MARK: Fields

  /// The value of a field of an object, by what was set, by the functions of the app, and otherwise by the seed.
  ///
  /// - Throws: ``MockSchemaError``, or what a function of the app throws.
  func value(
    of field: FieldDefinition, on node: MockNode, _ arguments: GraphQLValue.Object, usesResolver: Bool = true
  ) throws -> GraphQLValue {
    let name = field.name.value, coordinate = "\(node.id.type).\(name)"
    let place = Place(self, node, field, arguments)
    if let value = state.value(of: name, place.storedArguments, on: node.id) {
      return try adopt(value, as: field.type, place)
    }
    if usesResolver, let resolver = rules.resolvers[coordinate],
      let value = try resolver(context(coordinate, node.id, arguments, place: place.text))
    {
      return try adopt(value, as: field.type, place)
    }
    if let value = node.members[name] { return try adopt(value, as: field.type, place) }
    if let value = try connectionValue(name, node) { return value }
    if let value = try typeValue(of: name, node) { return try adopt(value, as: field.type, place) }
    if let position = facts.keyFields(of: node.id.type).firstIndex(of: name) {
      return keyValue(of: node.id, position, field)
    }
    var draw = Draw(rules.seed, place.text)
    if let mock = facts.mock(ofField: coordinate) {
      if let error = mock.error { throw ExecutionError(error) }
      if let value = mock.value(&draw) { return try adopt(value, as: field.type, place) }
    }
    return try generate(field.type, place)
  }

  /// What the function of the object's type says, which is asked once for each object.
  private func typeValue(of name: String, _ node: MockNode) throws -> GraphQLValue? {
    guard let mock = rules.types[node.id.type] else { return nil }
    if let values = state.contents.withLock({ $0.typeValues[node.id] }) { return values[name] }
    // (A function that reads another field of its object is given what that has otherwise.)
    let place = "\(node.id)"
    guard !Self.asked.contains(place) else { return nil }
    let values = try Self.$asked.withValue(Self.asked.union([place])) {
      try mock(context(node.id.type, node.id, [:], place: place))
    }
    let type = try facts.object(named: node.id.type)
    for (key, value) in values where key != "__typename" {
      guard let field = type.fields[key] else {
        throw MockSchemaError(
          unknown: "\(type.name).\(key)", among: type.fields.map { "\(type.name).\($0.name)" }, "field")
      }
      try Fit.check(value, as: field.type, facts, at: "\(type.name).\(key)")
    }
    // Of several that ask at once the first one counts.
    return state.contents.withLock { contents in
      let first = contents.typeValues[node.id] ?? values
      contents.typeValues[node.id] = first
      return first[name]
    }
  }

  /// The value of a key field, which is a part of the key.
  func keyValue(of id: ObjectID, _ position: Int, _ field: FieldDefinition) -> GraphQLValue {
    let parts = KeyText.split(id.key, into: facts.keyFields(of: id.type).count)
    let text = parts.indices.contains(position) ? parts[position] : id.key
    switch field.type.namedType.value {
    case "Int": return Int(text).map { .int($0) } ?? .string(text)
    case "Float": return Double(text).map { .double($0) } ?? .string(text)
    case "Boolean": return .bool(text == "true")
    default: return .string(text)
    }
  }

  // MARK: Values by the seed

  private func generate(_ type: TypeReference, _ place: Place) throws -> GraphQLValue {
    var draw = Draw(rules.seed, place.text + "?")
    if !type.isNonNull, draw.happens(rules.nulls) { return .null }
    if let element = type.element { return try generateList(of: element, place) }
    switch facts.schema.type(of: type) {
    case .enum(let type):
      var draw = Draw(rules.seed, place.text)
      return .string(draw.element(of: type.values).name.value)
    case .scalar(let scalar): return try scalarValue(scalar.name, place)
    default: return try object(of: type.namedType.value, place)?.value ?? .null
    }
  }

  private func generateList(of element: TypeReference, _ place: Place) throws -> GraphQLValue {
    let count = size(of: place)
    let elements = try (0..<count).map { try generate(element, place.element($0)) }
    // An object that was removed is in no list any more.
    guard facts.schema.type(of: element)?.isComposite == true, element.element == nil else { return .list(elements) }
    return .list(elements.filter { value in MockNode(value).map { !state.isRemoved($0.id) } ?? true })
  }

  func size(of place: Place, otherwise size: ClosedRange<Int>? = nil) -> Int {
    let range =
      rules.lists[place.coordinate] ?? facts.mock(ofField: place.coordinate)?.size ?? size ?? rules.lists[""] ?? 2...2
    var draw = Draw(rules.seed, place.text + "#")
    return draw.number(in: range)
  }

  private func scalarValue(_ scalar: String, _ place: Place) throws -> GraphQLValue {
    if let function = rules.scalars[scalar] {
      guard !Self.asked.contains(place.text) else {
        throw MockSchemaError(
          "The function for the scalar \"\(scalar)\" asks for \(place.coordinate), which it is to tell.")
      }
      return try Self.$asked.withValue(Self.asked.union([place.text])) {
        try function(context(place.coordinate, place.node.id, place.arguments, place: place.text))
      }
    }
    var draw = Draw(rules.seed, place.text)
    if let mock = facts.mock(ofScalar: scalar) {
      if let error = mock.error { throw ExecutionError(error) }
      if let value = mock.value(&draw) { return value }
    }
    if rules.usesWords, scalar == "String" { return .string(Words.text(&draw)) }
    if let value = ScalarValues.value(of: scalar, &draw, text: { place.description }) { return value }
    throw MockSchemaError(
      "\(place.coordinate): the mock has no value for the scalar \"\(scalar)\". Give it one: "
        + ".scalar(\"\(scalar)\") { context in … }, or in the schema: "
        + "extend scalar \(scalar) @mock(examples: [\"…\"])")
  }

  // MARK: Objects

  /// The object that stands at a place by the seed; nil if no type can stand there.
  func object(of name: String, _ place: Place, type chosen: String? = nil) throws -> MockNode? {
    let possible = facts.objects(of: name)
    guard !possible.isEmpty else { return nil }
    var draw = Draw(rules.seed, place.listText + "@")
    var type = chosen ?? place.typeDraw(rules.seed, possible)
    // (Connections and their edges belong to one place each, also where they have keys.)
    let first = draw.below(facts.connection(type) == nil ? 10 : Self.manyKeys) + 1
    if chosen == nil, possible.count > 1, let named = possible.first(where: { isNamed($0.name, by: place) }) {
      type = named.name
    }
    let id = keyByArguments(of: type, place) ?? key(of: type, number: first + (place.index ?? 0))
    let node: MockNode
    if let id {
      node = self.node(id)
      note(id)
    } else {
      node = MockNode(ObjectID(type: type, key: place.text), name: place.description)
    }
    guard let shape = facts.connection(type) else { return node }
    return try connection(shape, node, place)
  }

  /// Whether the arguments of a place name an object of a type: by a key with the name of the type, or by that of an object
  /// which has been changed.
  private func isNamed(_ type: String, by place: Place) -> Bool {
    guard let id = keyByArguments(of: type, place) else { return false }
    if facts.hasGlobalKeys(type), id.key.hasPrefix(type + "-") { return true }
    return state.contents.withLock { $0.values[id] != nil }
  }

  func node(_ id: ObjectID) -> MockNode {
    MockNode(id, name: id.key.hasPrefix(id.type) ? id.key : "\(id.type) \(id.key)")
  }

  func note(_ id: ObjectID) { state.contents.withLock { _ = $0.known.insert(id) } }

  /// From how many keys those are taken that should not meet.
  static let manyKeys = 1_000_000_000

  /// The object with a number; nil if its type has no key.
  func key(of type: String, number: Int) -> ObjectID? {
    let fields = facts.keyFields(of: type)
    guard !fields.isEmpty else { return nil }
    let parts = fields.map { name -> String in
      let field = facts.field(name, of: type)?.type.namedType.value ?? "ID"
      switch facts.schema.type(named: field) {
      case .enum(let type): return type.values[number % type.values.count].name.value
      case .scalar where !["ID", "Int", "String", "Float", "Boolean"].contains(field):
        var draw = Draw(rules.seed, "\(type) \(number)")
        return ScalarValues.value(of: field, &draw, text: { "\(number)" })?.keyText ?? "\(number)"
      default: return field == "Boolean" ? "\(number % 2 == 0)" : "\(number)"
      }
    }
    let key = KeyText.join(parts)
    return ObjectID(type: type, key: facts.hasGlobalKeys(type) && fields.count == 1 ? "\(type)-\(key)" : key)
  }

  /// The object that the arguments of a field name: `user(id: 7)`, `user(userId: 7)`.
  private func keyByArguments(of type: String, _ place: Place) -> ObjectID? {
    place.index == nil ? id(of: type, in: place.arguments) : nil
  }

  /// The object whose key is in some values, under the name of the key field or one such as `userId`.
  func id(of type: String, in values: GraphQLValue.Object) -> ObjectID? {
    let fields = facts.keyFields(of: type)
    let parts = fields.compactMap { name in
      (values[name]
        ?? values[type.prefix(1).lowercased() + type.dropFirst() + name.prefix(1).uppercased() + name.dropFirst()])?
        .keyText
    }
    return parts.isEmpty || parts.count < fields.count ? nil : ObjectID(type: type, key: KeyText.join(parts))
  }
}

extension GraphQLValue {
  /// The value as a part of a key; nil for what cannot be one.
  var keyText: String? {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .double: canonicalText
    default: nil
    }
  }
}
