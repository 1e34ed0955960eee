import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// Answers every field of a schema with a value that fits its type, always the same one at the same place for the same
/// seed.
struct RandomServer {
  let schema: Schema
  let api: ExecutableSchema

  init(_ schema: Schema, seed: UInt64) throws {
    self.schema = schema
    var resolvers: [String: ExecutableSchema.Resolver] = [:]
    for case .object(let object) in schema.allTypes where !object.name.hasPrefix("__") {
      for field in object.fields {
        let type = field.type
        resolvers["\(object.name).\(field.name.value)"] = { context in
          var random = Random(seed: seed, place: "\(context.path)")
          return Self.output(type, schema, &random)
        }
      }
    }
    api = try ExecutableSchema(schema, resolvers: resolvers)
  }

  private static func output(_ type: TypeReference, _ schema: Schema, _ random: inout Random) -> GraphQLValue {
    if !type.isNonNull, random.one(in: 6) { return .null }
    switch type.kind {
    case .list(let element):
      return .list((0..<random.below(4)).map { _ in output(element, schema, &random) })
    case .named(let name):
      switch schema.type(named: name.value) {
      case .object(let object): return ["__typename": .string(object.name)]
      case .interface, .union:
        let possible = schema.type(named: name.value).map { schema.possibleTypes(of: $0) } ?? []
        return possible.isEmpty ? .null : ["__typename": .string(random.element(of: possible).name)]
      case .enum(let type): return .string(random.element(of: Array(type.values)).name.value)
      default: return scalar(name.value, schema, &random)
      }
    }
  }

  private static func scalar(_ name: String, _ schema: Schema, _ random: inout Random) -> GraphQLValue {
    switch name {
    case "Int": .int(random.element(of: [0, 1, -1, 42, Int(Int32.max), Int(Int32.min)]))
    // Also for fields that are read as Swift's Float, which keeps six digits.
    case "Float": .double(random.element(of: [0, 0.5, -1.25e-7, 3, 6.022e23]))
    case "Boolean": .bool(random.one(in: 2))
    case "ID": .string("id \(random.below(5))")
    // What the fixtures map to types of Swift.
    case "Timestamp" where isOfFixture(schema.type(named: name)): .int(random.below(2_000_000_000))
    case "BigInt": .string("\(random.below(1_000_000) * 1_000_000_007)")
    case "Date": .string("2026-11-21T12:00:0\(random.below(10))Z")
    case "URL": .string("https://example.com/\(random.below(5))?a=b#c")
    case "UUID": .string("00000000-0000-4000-8000-00000000000\(random.below(10))")
    default:
      .string(random.element(of: ["", "plain", "\"quoted\" \\ / \n\t\u{1}", "Zoë 👩‍🚀 \u{2028}", "2026-11-21T12:00:00Z"]))
    }
  }

  /// A scalar that real projects have as well, as a string.
  private static func isOfFixture(_ type: NamedType?) -> Bool {
    guard case .scalar(let scalar) = type else { return false }
    return scalar.specifiedByURL == "https://example.com/timestamp"
  }

  // MARK: - Variables

  /// Values for the variables of an operation. Those that are nullable are left out at times.
  func variables(for operation: OperationDefinition, seed: UInt64) -> GraphQLValue.Object {
    var variables = GraphQLValue.Object()
    for definition in operation.variableDefinitions {
      var random = Random(seed: seed, place: definition.name.value)
      let isOptional = !definition.type.isNonNull && definition.defaultValue == nil
      if isOptional, random.one(in: 2) { continue }
      // With a default, a nullable variable may stand where null may not.
      var type = definition.type
      if definition.defaultValue != nil { type.isNonNull = true }
      variables[definition.name.value] = input(type, depth: 0, &random)
    }
    return variables
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
      default: return Self.scalar(name.value, schema, &random)
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

/// Numbers that depend on nothing but a seed and a place.
struct Random {
  private var state: UInt64

  init(seed: UInt64, place: String) {
    // FNV-1a
    state = place.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// SplitMix64
  private mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  mutating func one(in count: Int) -> Bool { below(count) == 0 }
  mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
