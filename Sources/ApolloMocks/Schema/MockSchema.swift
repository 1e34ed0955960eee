import ApolloAPI
import ApolloCache
public import Foundation
public import GraphQLExecution
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax

/// A server made of a schema: it answers every operation with values that fit their types.
///
///     let schema = try MockSchema("type Query { hero: Hero } type Hero { id: ID!, name: String! }")
///       .resolving("Hero.name") { _ in "R2-D2" }
///     let client = ApolloClient.preview(schema)
///
/// A value depends on the seed, and on the object, the field and the arguments that it belongs to. It does not depend on
/// what else was asked for, or in which order. Equal seeds give equal bytes on every platform.
///
/// Objects have a key by `@typePolicy(keyFields:)`, otherwise by a field `id` or `_id`. Two fields that lead to
/// `User` 3 lead to the same object, with what was changed in the ``store``. Lists have two elements, connections 30
/// nodes, and nothing is null, until the functions below say otherwise. Each of them gives a changed copy; copies share
/// one store.
///
/// What an app says takes precedence in this order: ``failing(_:message:every:)``, an event that was published, the
/// store, ``resolving(_:_:)``, members of an object that such a function has returned, ``mocking(_:_:)``, `@mock` in
/// the schema, and at last the seed.
public struct MockSchema: Sendable {
  let facts: SchemaFacts
  private(set) var rules: MockRules
  private let state: StoreState
  private let made = Made()

  /// Made when it is first needed, for all operations.
  private final class Made: Sendable {
    let engine = Locked<MockEngine?>(nil)
  }

  private init(_ facts: SchemaFacts, _ rules: MockRules, _ state: StoreState) {
    self.facts = facts
    self.rules = rules
    self.state = state
  }

  private init(_ sources: [Source], _ seed: UInt64) throws(MockSchemaError) {
    facts = try SchemaFacts(sources)
    rules = MockRules()
    rules.seed = seed
    state = StoreState()
  }

  /// Makes a server of the text of a schema.
  ///
  /// - Parameters:
  ///   - definitions: The texts, which are read as one: the schema, and extensions of it, which may repeat a field to add
  ///     directives to it, such as `@mock` and `@typePolicy`. The directives of the client need no definition.
  ///   - seed: Chooses the values. The default is 1.
  /// - Throws: ``MockSchemaError`` with everything that is wrong in the texts, and where.
  public init(_ definitions: String..., seed: UInt64 = 1) throws(MockSchemaError) {
    let sources = definitions.enumerated().map { index, text in
      Source(text, name: definitions.count == 1 ? "schema" : "schema \(index + 1)")
    }
    try self.init(sources, seed)
  }

  /// Makes a server of files with a schema.
  ///
  /// - Parameters:
  ///   - files: The files, which are read as one: the schema as SDL or as the JSON of an introspection, and extensions of it.
  ///   - seed: Chooses the values. The default is 1.
  /// - Throws: ``MockSchemaError`` with everything that is wrong in the files, and where; or why a file cannot be read.
  public init(contentsOf files: URL..., seed: UInt64 = 1) throws { try self.init(contentsOf: files, seed: seed) }

  /// Makes a server of a list of files with a schema.
  ///
  /// - Parameters:
  ///   - files: The files, which are read as one: the schema as SDL or as the JSON of an introspection, and extensions of it.
  ///   - seed: Chooses the values. The default is 1.
  /// - Throws: ``MockSchemaError`` with everything that is wrong in the files, and where; or why a file cannot be read.
  public init(contentsOf files: [URL], seed: UInt64 = 1) throws {
    try self.init(
      files.map { file in
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard file.pathExtension == "json" else { return Source(text, name: file.path) }
        do {
          let schema = try Schema.build(fromIntrospection: JSONNode(parsing: text.utf8)).get()
          guard let schema else { throw MockSchemaError("It has no schema.") }
          return Source(Printer.print(schema.document), name: file.path)
        } catch {
          throw MockSchemaError("\(file.path) is not the introspection of a schema: \(error)")
        }
      }, seed)
  }

  /// The objects of the server, to be read and changed.
  public var store: MockStore { MockStore(world: world) }

  private var world: MockWorld { MockWorld(facts: facts, rules: rules, state: state) }

  func engine() throws -> MockEngine {
    if let engine = made.engine.withLock({ $0 }) { return engine }
    let engine = try MockEngine(world)
    made.engine.withLock { $0 = engine }
    return engine
  }

  private func changed(_ change: (inout MockRules) throws(MockSchemaError) -> Void) throws(MockSchemaError) -> Self {
    var rules = rules
    try change(&rules)
    return MockSchema(facts, rules, state)
  }
}

// MARK: What an app says

extension MockSchema {
  /// Gives a field its value.
  ///
  /// - Parameters:
  ///   - coordinate: The field with its type, such as `Query.hero`. A field of an interface stands for that of all types that
  ///     implement it.
  ///   - value: Returns the value; nil for what the field would have otherwise. An object may have some of its fields, such as
  ///     `["id": "7"]` or `["__typename": "Droid"]`. What it throws is an error of the field. A key field can only have the
  ///     key of its object; another value is an error.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the schema has no such field.
  public func resolving(
    _ coordinate: String, _ value: @escaping @Sendable (MockContext) throws -> GraphQLValue?
  ) throws(MockSchemaError) -> Self {
    let coordinates = try facts.coordinates(coordinate)
    return try changed { rules in for coordinate in coordinates { rules.resolvers[coordinate] = value } }
  }

  /// Gives several fields of each object of a type their values.
  ///
  /// - Parameters:
  ///   - type: The object type, or an interface or a union for all of its types.
  ///   - members: Returns the values by field. What it first returns for an object counts, until ``MockStore/reset()``. A key
  ///     field can only have the key of the object, ``MockContext/key``; another value is an error.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the schema has no such type.
  public func mocking(
    _ type: String, _ members: @escaping @Sendable (MockContext) throws -> GraphQLValue.Object
  ) throws(MockSchemaError) -> Self {
    let objects = facts.objects(of: type)
    if objects.isEmpty { _ = try facts.object(named: type) }
    let mock = MockRules.TypeMock(number: state.nextNumber(), members: members)
    return try changed { rules in for object in objects { rules.types[object.name] = mock } }
  }

  /// Gives all fields of a scalar their values.
  ///
  /// These are known without it: `DateTime`, `Date`, `Time`, `URL`, `URI`, `UUID`, `Email`, `JSON`, `Long`, `BigInt`,
  /// `Decimal`, and the scalars of GraphQL. A field of another scalar is an error that says so.
  ///
  /// - Parameters:
  ///   - name: The scalar.
  ///   - value: Returns the value, as JSON has it.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the schema has no such scalar.
  public func scalar(
    _ name: String, _ value: @escaping @Sendable (MockContext) throws -> GraphQLValue
  ) throws(MockSchemaError) -> Self {
    guard case .scalar? = facts.schema.type(named: name) else {
      let names = facts.schema.allTypes.compactMap { if case .scalar(let scalar) = $0 { scalar.name } else { nil } }
      throw MockSchemaError(unknown: name, among: names, "scalar")
    }
    return try changed { $0.scalars[name] = value }
  }

  /// Says how many elements lists have, or how many nodes are behind a connection.
  ///
  /// - Parameters:
  ///   - size: How many there are, 0 or more. The default of lists is two, that of connections 30.
  ///   - coordinate: The field, such as `User.friends`. nil, the default: all lists, but not connections.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the schema has no such field, or the size is below 0.
  public func lists(_ size: ClosedRange<Int>, at coordinate: String? = nil) throws(MockSchemaError) -> Self {
    guard size.lowerBound >= 0 else { throw MockSchemaError("A list cannot have \(size.lowerBound) elements.") }
    let coordinates = try coordinate.map { coordinate throws(MockSchemaError) in try facts.coordinates(coordinate) }
    return try changed { rules in for coordinate in coordinates ?? [""] { rules.lists[coordinate] = size } }
  }

  /// Makes strings of words, such as "Amber river stone". By default they say what they are: "name of User 3".
  ///
  /// - Returns: A schema with it.
  public func words() -> Self {
    var rules = rules
    rules.usesWords = true
    return MockSchema(facts, rules, state)
  }

  /// Lets a field fail.
  ///
  /// - Parameters:
  ///   - coordinate: The field, such as `User.avatar`.
  ///   - message: The message of the error.
  ///   - count: It fails when it is asked for this often, and again after as many times. The default is 1: always.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the schema has no such field, or the count is below 1.
  public func failing(
    _ coordinate: String, message: String = "The mock fails here.", every count: Int = 1
  ) throws(MockSchemaError) -> Self {
    guard count > 0 else { throw MockSchemaError("\(coordinate) cannot fail every \(count) times.") }
    let coordinates = try facts.coordinates(coordinate)
    return try changed { rules in
      for coordinate in coordinates { rules.failures[coordinate] = MockRules.Failure(message: message, every: count) }
    }
  }

  /// Says how many of the nullable values are null.
  ///
  /// - Parameter share: From 0, the default, to 1 for all.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the share is not from 0 to 1.
  public func nulls(_ share: Double) throws(MockSchemaError) -> Self {
    guard 0...1 ~= share else { throw MockSchemaError("A share of nulls is from 0 to 1, and not \(share).") }
    return try changed { $0.nulls = share }
  }

  /// Says how long values take. It passes by the clock of the client.
  ///
  /// - Parameters:
  ///   - duration: How long.
  ///   - coordinate: The field that takes so long. nil, the default: each field of an operation's root.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the schema has no such field, or the duration is below zero.
  public func latency(_ duration: Duration, at coordinate: String? = nil) throws(MockSchemaError) -> Self {
    guard duration >= .zero else { throw MockSchemaError("A latency is zero or more, and not \(duration).") }
    let coordinates = try coordinate.map { coordinate throws(MockSchemaError) in try facts.coordinates(coordinate) }
    return try changed { rules in for coordinate in coordinates ?? [""] { rules.latencies[coordinate] = duration } }
  }

  /// Says whether mutations without a function of their own change the objects that they return. The default is true.
  ///
  /// What is sent sets the fields of the returned objects that have its name and type: after `renameUser(id: 7, name: "Bea")`
  /// every operation finds that name. A field such as `deleteUser`, `removeUserById`, or `delete` that returns a `User`,
  /// removes the user whose key is sent. Other fields that begin with `delete` or `remove` change no object with a key.
  /// A mutation changes nothing if it fails, or if the store, ``mocking(_:_:)`` or `@mock` says null or false of its
  /// field.
  ///
  /// - Parameter isOn: Whether they do.
  /// - Returns: A schema with it.
  public func echo(_ isOn: Bool) -> Self {
    var rules = rules
    rules.echoes = isOn
    return MockSchema(facts, rules, state)
  }

  /// Lets a subscription emit by itself, besides what ``MockStore/publish(_:_:arguments:)`` sends it.
  ///
  /// - Parameters:
  ///   - coordinate: The field, such as `Subscription.reviewAdded`. nil, the default: all of them.
  ///   - interval: The time between two events, by the clock of the client.
  /// - Returns: A schema with it.
  /// - Throws: ``MockSchemaError`` if the schema has no such field of its subscription type, or the interval is not above
  ///   zero.
  public func emitting(_ coordinate: String? = nil, every interval: Duration) throws(MockSchemaError) -> Self {
    guard interval > .zero else {
      throw MockSchemaError("The time between two events is more than zero, and not \(interval).")
    }
    guard let coordinate else {
      let type = facts.schema.subscriptionType
      return try changed { rules in
        for field in type.map({ Array($0.fields) }) ?? [] {
          rules.rhythms["\(type?.name ?? "").\(field.name)"] = interval
        }
      }
    }
    _ = try facts.coordinates(coordinate)
    guard let type = facts.schema.subscriptionType, coordinate.hasPrefix(type.name + ".") else {
      throw MockSchemaError("\(coordinate) is not a field of the subscription type.")
    }
    return try changed { $0.rhythms[coordinate] = interval }
  }
}
