import ApolloAPI
public import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// The objects of a ``MockSchema``, which tests read and change.
///
/// An object is known by its type and its key. The root objects, such as that of `Query`, have no key. What is set is seen
/// by every operation that reaches the object, whatever way it takes:
///
///     try schema.store.set("User", "7", ["name": "Bea", "friends": [["id": "8"]]])
///     try schema.store.set("Query", ["me": ["id": "7"]])
///
/// All copies of a schema share one store.
public struct MockStore: Sendable {
  let world: MockWorld

  /// Sets fields of an object, and makes it if it was removed.
  ///
  /// An object in place of a value stands for the object with its key, or else for the one that stands there by the seed; its
  /// other members are set on that one. A list in place of a connection has the nodes of the connection.
  ///
  /// - Parameters:
  ///   - type: The object type.
  ///   - key: The key: the value of its key field as text, several joined by `+`.
  ///   - members: The values by field.
  ///   - arguments: The arguments of the fields for which the values hold. By default they hold for all arguments.
  /// - Throws: ``MockSchemaError`` that names what the schema does not have, or the field that a value does not fit. Nothing
  ///   of the object has changed then.
  public func set(
    _ type: String, _ key: String, _ members: GraphQLValue.Object, arguments: GraphQLValue.Object = [:]
  ) throws {
    try world.set(members, on: id(type, key), arguments: arguments)
  }

  /// Sets fields of a root object.
  ///
  /// - Parameters:
  ///   - rootType: The type of the root object, such as `Query`.
  ///   - members: The values by field.
  ///   - arguments: The arguments of the fields for which the values hold. By default they hold for all arguments.
  /// - Throws: ``MockSchemaError`` that names what the schema does not have, or the field that a value does not fit. Nothing
  ///   of the object has changed then.
  public func set(_ rootType: String, _ members: GraphQLValue.Object, arguments: GraphQLValue.Object = [:]) throws {
    try world.set(members, on: id(rootType, nil), arguments: arguments)
  }

  /// Reads a field of an object: what was set, or what it has by the seed. The functions that an app gave for single fields
  /// are not called.
  ///
  /// - Parameters:
  ///   - type: The object type.
  ///   - key: The key.
  ///   - field: The field.
  ///   - arguments: The arguments of the field. The default is none.
  /// - Returns: The value. An object has its `__typename` and its key fields.
  /// - Throws: ``MockSchemaError`` that names what the schema does not have.
  public func get(
    _ type: String, _ key: String, _ field: String, arguments: GraphQLValue.Object = [:]
  ) throws -> GraphQLValue {
    try value(of: field, on: world.node(id(type, key)), arguments)
  }

  /// Reads a field of a root object.
  ///
  /// - Parameters:
  ///   - rootType: The type of the root object, such as `Query`.
  ///   - field: The field.
  ///   - arguments: The arguments of the field. The default is none.
  /// - Returns: The value. An object has its `__typename` and its key fields.
  /// - Throws: ``MockSchemaError`` that names what the schema does not have.
  public func get(
    _ rootType: String, _ field: String, arguments: GraphQLValue.Object = [:]
  ) throws -> GraphQLValue {
    _ = try id(rootType, nil)
    return try value(of: field, on: world.root(rootType), arguments)
  }

  private func value(
    of field: String, on node: MockNode, _ arguments: GraphQLValue.Object
  ) throws -> GraphQLValue {
    let type = node.id.type, object = try world.facts.object(named: type)
    guard let definition = object.fields[field] else {
      throw MockSchemaError(
        unknown: "\(type).\(field)", among: object.fields.map { "\(type).\($0.name)" }, "field")
    }
    let given = try world.arguments(arguments, of: definition, on: type)
    return shown(try world.value(of: definition, on: node, given, usesResolver: false))
  }

  /// The keys of the objects of a type that were set, or that an operation has reached.
  ///
  /// - Parameter type: The object type.
  /// - Returns: The keys, shorter ones first. None if objects of the type have no key.
  /// - Throws: ``MockSchemaError`` if the schema has no such object type.
  public func all(_ type: String) throws -> [String] {
    _ = try world.facts.object(named: type)
    // (What objects without a key have in place of it is not one.)
    guard !world.facts.keyFields(of: type).isEmpty else { return [] }
    let keys = world.state.contents.withLock { contents in
      contents.known.subtracting(contents.removed).filter { $0.type == type }.map(\.key)
    }
    return keys.sorted { ($0.count, $0) < ($1.count, $1) }
  }

  /// Removes an object: lists and connections no longer have it, and fields that led to it are null.
  ///
  /// - Parameters:
  ///   - type: The object type.
  ///   - key: The key.
  /// - Throws: ``MockSchemaError`` if the schema has no such object type, or its objects have no key.
  public func remove(_ type: String, _ key: String) throws {
    world.state.remove(try id(type, key))
  }

  /// Forgets everything that was set and removed. Subscriptions go on.
  public func reset() { world.state.contents.replace(\.self, with: StoreState.Contents()) }

  // MARK: Subscriptions

  /// Sends an event to the subscriptions of a field that are under way. It goes before what the store and the functions
  /// of the app say of the field. A field that is to fail (``MockSchema/failing(_:message:every:)``) fails all the same.
  ///
  /// - Parameters:
  ///   - field: The field of the subscription type, such as `reviewAdded`.
  ///   - value: The value of the field. Objects may have some of their fields; the others have what they have by the seed.
  ///     Fields of objects with keys are set in the store.
  ///   - arguments: Only subscriptions that have these arguments are sent the event. By default all are.
  /// - Returns: How many subscriptions were sent it.
  /// - Throws: ``MockSchemaError`` if there is no such field, or the value does not fit it.
  @discardableResult
  public func publish(
    _ field: String, _ value: GraphQLValue, arguments: GraphQLValue.Object = [:]
  ) throws -> Int {
    let (type, definition) = try subscriptionField(field)
    try Fit.check(value, as: definition.type, world.facts, at: "\(type).\(field)")
    let wanted = try world.arguments(arguments, of: definition, on: type, fillsDefaults: false)
    try world.remember(value, as: definition.type)
    return world.state.events.publish(field, value) { given in wanted.allSatisfy { given[$0.key] == $0.value } }
  }

  /// Waits until a field is subscribed to, or the task is cancelled, as by the time limit of a test.
  ///
  /// - Parameters:
  ///   - field: The field of the subscription type.
  ///   - count: How many subscriptions there are to be. The default is one.
  /// - Throws: ``MockSchemaError`` if there is no such field.
  public func untilSubscribed(_ field: String, count: Int = 1) async throws {
    _ = try subscriptionField(field)
    await world.state.events.untilSubscribed(field, count)
  }

  private func subscriptionField(_ name: String) throws(MockSchemaError) -> (String, FieldDefinition) {
    guard let type = world.facts.schema.subscriptionType else {
      throw MockSchemaError("The schema has no subscription type.")
    }
    guard let field = type.fields[name] else {
      throw MockSchemaError(unknown: name, among: type.fields.map(\.name.value), "field of \(type.name)")
    }
    return (type.name, field)
  }

  // MARK: -

  private func id(_ type: String, _ key: String?) throws(MockSchemaError) -> ObjectID {
    _ = try world.facts.object(named: type)
    let isRoot = world.facts.roots.contains(type)
    guard let key else {
      guard isRoot else { throw MockSchemaError("An object of \(type) has a key: .set(\"\(type)\", \"1\", …).") }
      return ObjectID(type: type, key: ObjectID.rootKey)
    }
    guard !isRoot else { throw MockSchemaError("\(type) is a root type: its object has no key.") }
    guard !world.facts.keyFields(of: type).isEmpty else {
      throw MockSchemaError(
        "Objects of \(type) have no key: it has no field \"id\". Say which fields are the key: "
          + "extend type \(type) @typePolicy(keyFields: \"…\")")
    }
    return ObjectID(type: type, key: key)
  }

  /// A value for tests: objects with their types and keys.
  private func shown(_ value: GraphQLValue) -> GraphQLValue {
    if let elements = value.list { return .list(elements.map(shown)) }
    guard let node = MockNode(value) else { return value }
    var members: GraphQLValue.Object = ["__typename": .string(node.id.type)]
    for (position, name) in world.facts.keyFields(of: node.id.type).enumerated() {
      guard let field = world.facts.field(name, of: node.id.type) else { continue }
      members[name] = world.keyValue(of: node.id, position, field)
    }
    for (name, value) in node.members where members[name] == nil { members[name] = shown(value) }
    return .object(members)
  }
}
