import GraphQLSchema
import GraphQLSyntax

/// A query over a schema: aliases, arguments with variables, conditions, fragments with and without names. Not all that
/// come are valid: fields of the same name may have other types elsewhere.
struct RandomDocument {
  private let schema: Schema
  /// Objects, interfaces and unions.
  private let composites: [NamedType]
  private var random: Random
  private var variables: [String: String] = [:]
  private var fragments: [(name: String, text: String)] = []

  init(_ schema: Schema) {
    self.schema = schema
    composites = schema.definedTypes.filter { $0.isComposite && $0.name != "Query" }.sorted { $0.name < $1.name }
    random = Random(0)
  }

  func text(seed: UInt64) -> String {
    var copy = self
    copy.random = Random(seed)
    return copy.write()
  }

  private mutating func write() -> String {
    guard let root = schema.queryType else { return "" }
    let selections = selections(on: .object(root), depth: 0)
    let variables = variables.sorted { $0.key < $1.key }.map { "$\($0.key): \($0.value)" }.joined(separator: ", ")
    return "query Random\(variables.isEmpty ? "" : "(\(variables))") \(selections)\n"
      + fragments.map(\.text).joined(separator: "\n")
  }

  /// The keys of the possible types, where a type has none that all of them share: those are not added otherwise.
  private func keys(of type: NamedType) -> String {
    guard type.name == "Any" || type.name == "Shape" else { return "" }
    return schema.possibleTypes(of: type).map { object in
      let keys = ConsistentServer.keyFields(of: object, schema).joined(separator: " ")
      return keys.isEmpty ? "" : " ... on \(object.name) { \(keys) }"
    }.joined()
  }

  private mutating func selections(on type: NamedType, depth: Int, keys: String = "") -> String {
    var parts: [String] = []
    for _ in 0..<(1 + random.below(depth == 0 ? 4 : 3)) {
      switch random.below(10) {
      case 0 where depth > 0: parts.append("__typename")
      case 1, 2: parts.append(inlineFragment(on: type, depth: depth))
      case 3 where depth > 0 && depth < 4: parts.append(spread(on: type, depth: depth))
      default: parts.append(field(on: type, depth: depth) ?? "__typename")
      }
    }
    return "{ " + parts.joined(separator: " ") + keys + " }"
  }

  private mutating func field(on type: NamedType, depth: Int) -> String? {
    guard let fields = type.fields, !fields.isEmpty else { return nil }
    let field = random.element(of: Array(fields))
    guard let inner = schema.type(of: field.type) else { return nil }
    if inner.isComposite, depth > 3 { return nil }
    let arguments = arguments(of: field)
    let name = field.name.value
    // An alias that tells the arguments, so that equal ones have equal fields.
    let mark = arguments.unicodeScalars.reduce(UInt32(7)) { $0 &* 31 &+ $1.value } % 1000
    let alias = arguments.isEmpty ? (random.one(in: 5) ? "other_\(name): " : "") : "\(name)_\(mark): "
    let rest = inner.isComposite ? " " + selections(on: inner, depth: depth + 1, keys: keys(of: inner)) : ""
    return alias + name + arguments + condition() + rest
  }

  private mutating func condition() -> String {
    guard random.one(in: 6) else { return "" }
    let name = "b\(random.below(3))"
    variables[name] = "Boolean!"
    return random.one(in: 2) ? " @include(if: $\(name))" : " @skip(if: $\(name))"
  }

  private mutating func inlineFragment(on type: NamedType, depth: Int) -> String {
    let other = target(for: type)
    guard depth < 4 else { return "__typename" }
    if random.one(in: 5) { return "..." + condition() + " " + selections(on: type, depth: depth + 1) }
    return "... on \(other.name)" + condition() + " " + selections(on: other, depth: depth + 1)
  }

  private mutating func spread(on type: NamedType, depth: Int) -> String {
    let other = target(for: type)
    if let known = fragments.first(where: { $0.text.contains(" on \(other.name) ") }), random.one(in: 2) {
      return "...\(known.name)" + condition()
    }
    let body = selections(on: other, depth: depth + 2)
    let name = "Part\(fragments.count)"
    fragments.append((name, "fragment \(name) on \(other.name) \(body)"))
    return "...\(name)" + condition()
  }

  /// A type that an object of this type may have.
  private mutating func target(for type: NamedType) -> NamedType {
    guard schema.queryType?.name != type.name else { return type }
    let types = composites.filter { schema.haveCommonPossibleType($0, type) }
    return types.isEmpty ? type : random.element(of: types)
  }

  // MARK: - Arguments

  private mutating func arguments(of field: FieldDefinition) -> String {
    var parts: [String] = []
    for argument in field.arguments where random.one(in: 2) {
      parts.append("\(argument.name.value): \(value(argument.type, depth: 0))")
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  private mutating func value(_ type: TypeReference, depth: Int) -> String {
    if random.one(in: 3) {
      let name = "v\(variables.count)"
      variables[name] = "\(type)" + (random.one(in: 3) && !type.isNonNull ? " = \(literal(type, depth: 3))" : "")
      return "$\(name)"
    }
    return literal(type, depth: depth)
  }

  private mutating func literal(_ type: TypeReference, depth: Int) -> String {
    if !type.isNonNull, random.one(in: 6) { return "null" }
    switch type.kind {
    case .list(let element):
      return "[" + (0..<random.below(3)).map { _ in literal(element, depth: depth + 1) }.joined(separator: ", ") + "]"
    case .named(let name):
      switch name.value {
      case "Int": return "\(random.below(5))"
      case "Float": return random.element(of: ["0.5", "1", "-2.5e3"])
      case "Boolean": return random.one(in: 2) ? "true" : "false"
      case "Color": return random.element(of: ["RED", "GREEN", "BLUE"])
      case "Range":
        let nested = depth > 1 ? "" : " inner: { to: \(value(TypeReference(.named("Int")), depth: 3)) }"
        return "{ to: \(random.below(3))\(random.one(in: 2) ? " from: 2" : "")\(nested) }"
      default: return random.element(of: ["\"a\"", "\"b \\\"(,:)\\\" é\"", "\"\""])
      }
    }
  }
}
