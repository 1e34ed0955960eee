public import GraphQLExecution
public import GraphQLSchema
public import GraphQLSyntax

/// Answers every field of a schema with a value that fits its type. What it answers depends on the object, the field
/// and the arguments only: an object that is reached on two ways has the same fields on both.
public struct ConsistentServer: Sendable {
  public let schema: Schema
  public let api: ExecutableSchema

  /// - Parameter failsSometimes: Some nullable fields answer with an error.
  public init(_ schema: Schema, seed: UInt64, failsSometimes: Bool) throws {
    self.schema = schema
    var resolvers: [String: ExecutableSchema.Resolver] = [:]
    for case .object(let object) in schema.allTypes where !object.name.hasPrefix("__") {
      let keys = Self.keyFields(of: object, schema)
      for field in object.fields {
        let name = field.name.value, type = field.type
        resolvers["\(object.name).\(name)"] = { context in
          let identity = context.source["#"]?.string ?? "root"
          let arguments = context.arguments.isEmpty ? "" : "(\(Self.sorted(.object(context.arguments))))"
          let place = "\(identity).\(name)\(arguments)"
          if let part = keys.firstIndex(of: name) {
            return Self.key(of: identity, part, of: keys.count, type, schema)
          }
          var random = Random(seed, at: place)
          if failsSometimes, !type.isNonNull, random.one(in: 12) { throw ExecutionError("failed \(place)") }
          return Self.output(type, place, schema, &random)
        }
      }
    }
    api = try ExecutableSchema(schema, resolvers: resolvers)
  }

  private static func output(
    _ type: TypeReference, _ place: String, _ schema: Schema, _ random: inout Random
  ) -> GraphQLValue {
    if !type.isNonNull, random.one(in: 8) { return .null }
    switch type.kind {
    case .list(let element):
      return .list((0..<random.below(4)).map { output(element, "\(place).\($0)", schema, &random) })
    case .named(let name):
      guard let named = schema.type(named: name.value) else { return scalar(name.value, &random) }
      switch named {
      case .object, .interface, .union:
        let possible = schema.possibleTypes(of: named)
        guard !possible.isEmpty else { return .null }
        let object = random.element(of: possible)
        let identity = keyFields(of: object, schema).isEmpty ? place : "\(object.name):\(random.below(6))"
        return ["__typename": .string(object.name), "#": .string(identity)]
      case .enum(let type): return .string(random.element(of: Array(type.values)).name.value)
      default: return scalar(name.value, &random)
      }
    }
  }

  /// The value of a key field: objects that differ have keys that differ, but not in each of their fields.
  private static func key(
    of identity: String, _ part: Int, of parts: Int, _ type: TypeReference, _ schema: Schema
  ) -> GraphQLValue {
    let object = Int(identity.split(separator: ":").last ?? "") ?? 0
    // 0, 1 or 2 in the first field and 0 or 1 in the second tell six objects apart.
    let number = parts == 1 ? object : part == 0 ? object % 3 : object / 3
    if case .enum(let type)? = schema.type(named: type.namedType.value) {
      return .string(type.values[number % type.values.count].name.value)
    }
    return switch type.namedType.value {
    case "Int": .int(number)
    case "Float": .double(Double(number) + 0.5)
    case "Boolean": .bool(number % 2 == 0)
    default: .string(["a+b", "a\\", "+", "", "Zoë 👩‍🚀 \u{0}", "plain"][number % 6])
    }
  }

  public static func keyFields(of object: ObjectType, _ schema: Schema) -> [String] {
    let types = [NamedType.object(object)] + object.interfaces.compactMap { schema.type(named: $0.value) }
    for type in types {
      if case .string(let text)? = type.directives.first(where: { $0.name.value == "typePolicy" })?.arguments.first?
        .value.kind
      {
        return text.value.split(separator: " ").map(String.init)
      }
    }
    return []
  }

  /// Gives every type with an `id` a key, where the schema says nothing of keys.
  public static func keys(for schema: Schema) -> String {
    var text = ""
    for case .object(let object) in schema.allTypes {
      guard let id = object.fields["id"], id.type.isNonNull, schema.type(of: id.type)?.isLeaf == true,
        id.arguments.isEmpty, !"\(id.type)".hasPrefix("["), keyFields(of: object, schema).isEmpty
      else { continue }
      text += "extend type \(object.name) @typePolicy(keyFields: \"id\")\n"
    }
    return text
  }

  private static func scalar(_ name: String, _ random: inout Random) -> GraphQLValue {
    switch name {
    case "Int": .int(random.element(of: [0, 1, -1, 42, Int(Int32.max), Int(Int32.min)]))
    case "Float": .double(random.element(of: [0, 0.5, -1.25e-7, 3, 6.02214076e23]))
    case "Boolean": .bool(random.one(in: 2))
    default:
      .string(
        random.element(of: ["", "plain", "\"quoted\" \\ / \n\t\u{1}", "Zoë 👩‍🚀 \u{2028}", "\(random.below(1000))"]))
    }
  }

  private static func sorted(_ value: GraphQLValue) -> String {
    switch value {
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\($0.key):\(sorted($0.value))" }.joined(separator: ",") + "}"
    case .list(let values): "[" + values.map(sorted).joined(separator: ",") + "]"
    default: "\(value)"
    }
  }

  // MARK: - Variables

  /// Values for the variables of an operation. Those that are nullable are left out at times, and then their defaults count.
  public func variables(of operation: OperationDefinition, seed: UInt64) -> (
    sent: GraphQLValue.Object, read: GraphQLValue.Object
  ) {
    var sent = GraphQLValue.Object(), read = GraphQLValue.Object()
    for definition in operation.variableDefinitions {
      let name = definition.name.value
      var random = Random(seed, at: name)
      if !definition.type.isNonNull || definition.defaultValue != nil, random.one(in: 2) {
        if let value = definition.defaultValue { read[name] = constant(value) }
        continue
      }
      // With a default, a nullable variable may stand where null may not.
      var type = definition.type
      if definition.defaultValue != nil { type.isNonNull = true }
      let value = input(type, depth: 0, &random)
      sent[name] = value
      read[name] = value
    }
    return (sent, read)
  }

  private func constant(_ value: Value) -> GraphQLValue {
    switch value.kind {
    case .int(let digits): .int(Int(digits) ?? 0)
    case .float(let digits): .double(Double(digits) ?? 0)
    case .boolean(let value): .bool(value)
    case .string(let text): .string(text.value)
    case .enum(let name): .string(name)
    case .list(let values): .list(values.map(constant))
    case .object(let fields): .object(GraphQLValue.Object(fields.map { ($0.name.value, constant($0.value)) }))
    case .null, .variable: .null
    }
  }

  private func input(_ type: TypeReference, depth: Int, _ random: inout Random) -> GraphQLValue {
    if !type.isNonNull, depth > 3 || random.one(in: 6) { return .null }
    switch type.kind {
    case .list(let element):
      return .list((0..<(depth > 3 ? 0 : random.below(3))).map { _ in input(element, depth: depth + 1, &random) })
    case .named(let name):
      switch schema.type(named: name.value) {
      case .enum(let type): return .string(random.element(of: Array(type.values)).name.value)
      case .inputObject(let object): return .object(members(of: object, depth: depth, &random))
      default: return Self.scalar(name.value, &random)
      }
    }
  }

  private func members(of object: InputObjectType, depth: Int, _ random: inout Random) -> GraphQLValue.Object {
    var members = GraphQLValue.Object()
    if object.isOneOf, !object.fields.isEmpty {
      let field = random.element(of: Array(object.fields))
      var type = field.type
      type.isNonNull = true
      members[field.name.value] = input(type, depth: depth + 1, &random)
      return members
    }
    for field in object.fields where field.type.isNonNull || (depth < 3 && random.one(in: 3)) {
      members[field.name.value] = input(field.type, depth: depth + 1, &random)
    }
    return members
  }
}
