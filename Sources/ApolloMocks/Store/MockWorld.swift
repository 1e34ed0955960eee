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

  func root(_ type: String) -> MockNode { MockNode(ObjectID(type: type, key: ObjectID.rootKey), name: "") }

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
    let place = Place(self, node, field, arguments)
    return try saidValue(of: field, place, usesResolver: usesResolver) ?? generate(field.type, place)
  }

  /// The value of a field that something else than the seed says: the store, a function of the app, the object itself,
  /// or `@mock`. nil if nothing says it.
  ///
  /// - Throws: ``MockSchemaError``, or what a function of the app throws.
  func saidValue(of field: FieldDefinition, _ place: Place, usesResolver: Bool) throws -> GraphQLValue? {
    let name = field.name.value, coordinate = place.coordinate, node = place.node
    // (An event has what was set on the object of the subscription type.)
    let owner = facts.roots.contains(node.id.type) ? root(node.id.type).id : node.id
    if let value = state.value(of: name, place.storedArguments, on: owner) {
      return try adopt(value, as: field.type, place)
    }
    if usesResolver, let resolver = rules.resolvers[coordinate],
      let value = try resolver(context(coordinate, node.id, place.allArguments, place: place.text))
    {
      try checkKey(name, of: node.id, against: value)
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
    return nil
  }

  /// What the function of the object's type says, which is asked once for each object.
  private func typeValue(of name: String, _ node: MockNode) throws -> GraphQLValue? {
    guard let mock = rules.types[node.id.type] else { return nil }
    if let values = state.contents.withLock({ $0.typeValues[node.id]?[mock.number] }) { return values[name] }
    // (A function that reads another field of its object is given what that has otherwise.)
    let place = "\(node.id)"
    guard !Self.asked.contains(place) else { return nil }
    let values = try Self.$asked.withValue(Self.asked.union([place])) {
      try mock.members(context(node.id.type, node.id, [:], place: place))
    }
    let type = try facts.object(named: node.id.type)
    for (key, value) in values where key != "__typename" {
      guard let field = type.fields[key] else {
        throw MockSchemaError(
          unknown: "\(type.name).\(key)", among: type.fields.map { "\(type.name).\($0.name)" }, "field")
      }
      try Fit.check(value, as: field.type, facts, at: "\(type.name).\(key)")
      try checkKey(key, of: node.id, against: value)
    }
    // Of several that ask at once the first one counts.
    return state.contents.withLock { contents in
      let first = contents.typeValues[node.id]?[mock.number] ?? values
      contents.typeValues[node.id, default: [:]][mock.number] = first
      return first[name]
    }
  }

  // MARK: Values by the seed

  func generate(_ type: TypeReference, _ place: Place) throws -> GraphQLValue {
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
    let value = try scalarValue(scalar, at: place.coordinate, place.node.id, place.arguments, place: place.text) {
      place.description
    }
    if let value { return value }
    throw MockSchemaError(
      "\(place.coordinate): the mock has no value for the scalar \"\(scalar)\". Give it one: "
        + ".scalar(\"\(scalar)\") { context in … }, or in the schema: "
        + "extend scalar \(scalar) @mock(examples: [\"…\"])")
  }

  /// The value of a scalar by the function of the app, by `@mock` or by its name; nil if nothing is known of it.
  func scalarValue(
    _ scalar: String, at coordinate: String, _ id: ObjectID, _ arguments: GraphQLValue.Object, place: String,
    text: () -> String
  ) throws -> GraphQLValue? {
    if let function = rules.scalars[scalar] {
      guard !Self.asked.contains(place) else {
        throw MockSchemaError("The function for the scalar \"\(scalar)\" asks for \(coordinate), which it is to tell.")
      }
      return try Self.$asked.withValue(Self.asked.union([place])) {
        try function(context(coordinate, id, arguments, place: place))
      }
    }
    var draw = Draw(rules.seed, place)
    if let mock = facts.mock(ofScalar: scalar) {
      if let error = mock.error { throw ExecutionError(error) }
      if let value = mock.value(&draw) { return value }
    }
    if rules.usesWords, scalar == "String" { return .string(Words.text(&draw)) }
    return ScalarValues.value(of: scalar, &draw, text: text)
  }

  // MARK: Objects

  /// The object that stands at a place by the seed; nil if no type can stand there.
  func object(of name: String, _ place: Place, type chosen: String? = nil) throws -> MockNode? {
    let possible = facts.objects(of: name).filter { chosen == nil || chosen == $0.name }
    guard !possible.isEmpty else { return nil }
    let named = self.named(possible, by: place)
    let type = named?.type ?? place.typeDraw(rules.seed, possible)
    if facts.roots.contains(type) { return root(type) }
    var draw = Draw(rules.seed, place.listText + "@")
    // (Connections and their edges belong to one place each, also where they have keys.)
    let numbers = facts.connection(type) != nil ? 1...Self.manyKeys : place.numbers
    let number = draw.number(in: numbers) + (place.index ?? 0)
    if let id = try named ?? key(of: type, number: number) {
      note(id)
      return connected(self.node(id), place)
    }
    var node = MockNode(ObjectID(type: type, key: place.text), name: place.description)
    node.isBelowMutation = place.isBelowMutation
    return connected(node, place)
  }

  func node(_ id: ObjectID) -> MockNode {
    MockNode(id, name: id.key.hasPrefix(id.type) ? id.key : "\(id.type) \(id.key)")
  }

  func note(_ id: ObjectID) { state.contents.withLock { _ = $0.known.insert(id) } }
}
