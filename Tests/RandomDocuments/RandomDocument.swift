public import GraphQLSchema
import GraphQLSyntax

/// An operation over a schema: aliases, arguments with variables, conditions, fragments with and without names, on objects,
/// interfaces and unions. Not all that come are valid: fields of the same name may have other types elsewhere.
public struct RandomDocument {
  public struct Options: Sendable {
    /// Where an object may be of several types that share no key, the keys of all of them are selected.
    public var selectsAllKeys = false
    /// Mutations and subscriptions come as well.
    public var hasEveryKind = false
    /// Aliases and fragments are called like something in Swift or in generated code.
    public var hasHostileNames = false
    /// Some fragments have variables of their own.
    public var hasFragmentVariables = false

    public init() {}
  }

  private let schema: Schema
  private let options: Options
  /// Objects, interfaces and unions.
  private let composites: [NamedType]
  private var random = Random(0)
  private var variables: [String: String] = [:]
  private var fragments: [RandomFragment] = []
  /// One alias for one field with its arguments: equal aliases have equal fields.
  private var aliases: [String: String] = [:]
  private var suffix = ""
  private var budget = 0

  public init(_ schema: Schema, _ options: Options = Options()) {
    self.schema = schema
    self.options = options
    let roots = [schema.queryType, schema.mutationType, schema.subscriptionType].compactMap { $0?.name }
    composites = schema.definedTypes
      .filter { $0.isComposite && !roots.contains($0.name) && !$0.name.hasPrefix("__") }.sorted { $0.name < $1.name }
  }

  /// - Parameter suffix: Ends the names of the operation and its fragments, so that many documents go into one module.
  public func text(seed: UInt64, suffix: String = "") -> String {
    var copy = self
    copy.random = Random(seed)
    copy.suffix = suffix
    copy.budget = 8 + copy.random.below(40)
    return copy.write()
  }

  private mutating func write() -> String {
    let kinds: [(String, ObjectType?)] = [
      ("query", schema.queryType), ("query", schema.queryType), ("query", schema.queryType),
      ("mutation", schema.mutationType), ("subscription", schema.subscriptionType),
    ]
    let choice = options.hasEveryKind ? random.element(of: kinds) : kinds[0]
    guard let root = choice.1 ?? schema.queryType else { return "" }
    let kind = choice.1 == nil ? "query" : choice.0
    let body =
      kind == "subscription"
      ? "{ \(field(on: .object(root), depth: 0, mayHaveCondition: false) ?? "__typename") }"
      : selections(on: .object(root), depth: 0)
    let variables = variables.sorted { $0.key < $1.key }.map { "$\($0.key): \($0.value)" }.joined(separator: ", ")
    let name = options.hasHostileNames ? random.element(of: HostileNames.operations) : "Random"
    return "\(kind) \(name)\(suffix)\(variables.isEmpty ? "" : "(\(variables))") \(body)\n"
      + fragments.map { "fragment \($0.name)\($0.declarations) on \($0.type) \($0.body)" }.joined(separator: "\n")
  }

  // MARK: Selections

  /// The keys of the possible types, where a type has none that all of them share: those are not added otherwise.
  private func keys(of type: NamedType) -> String {
    guard options.selectsAllKeys, type.isAbstract else { return "" }
    return schema.possibleTypes(of: type).map { object in
      let keys = ConsistentServer.keyFields(of: object, schema).joined(separator: " ")
      return keys.isEmpty ? "" : " ... on \(object.name) { \(keys) }"
    }.joined()
  }

  private mutating func selections(on type: NamedType, depth: Int, keys: String = "") -> String {
    var parts: [String] = []
    for _ in 0..<(1 + random.below(depth == 0 ? 4 : 3)) {
      switch random.below(12) {
      case 0: parts.append(typename())
      case 1, 2: parts.append(inlineFragment(on: type, depth: depth))
      case 3 where depth < 4, 4 where depth < 4: parts.append(spread(on: type, depth: depth))
      case 5: parts.append(overlap(on: type, depth: depth))
      default: parts.append(field(on: type, depth: depth) ?? typename())
      }
    }
    return "{ " + parts.joined(separator: " ") + keys + " }"
  }

  private mutating func typename() -> String {
    random.one(in: 3) ? "\(alias(of: "__typename")): __typename" : "__typename"
  }

  /// One field twice, under two conditions, in fragments or below a type condition: what is selected in both places counts.
  private mutating func overlap(on type: NamedType, depth: Int) -> String {
    guard depth < 4, let field = field(on: type, depth: depth) else { return typename() }
    let again = self.field(on: type, depth: depth, like: field) ?? field
    switch random.below(4) {
    case 0: return "\(field) ... { \(again) }"
    case 1: return "\(field) ... on \(type.name)\(condition()) { \(again) }"
    case 2: return "\(field) \(spread(on: type, body: "{ \(again) }"))"
    default: return "... on \(target(for: type).name) { __typename } \(spread(on: type, body: "{ \(field) }")) \(again)"
    }
  }

  private mutating func field(
    on type: NamedType, depth: Int, like other: String = "", mayHaveCondition: Bool = true
  ) -> String? {
    guard let fields = type.fields, !fields.isEmpty else { return nil }
    var candidates = Array(fields)
    budget -= 1
    let isLate = depth > 3 || budget < 0
    if isLate { candidates = candidates.filter { schema.type(of: $0.type)?.isLeaf == true } }
    if !other.isEmpty {
      let same = candidates.filter { schema.type(of: $0.type)?.isComposite == true && other.contains($0.name.value) }
      if !same.isEmpty { candidates = same }
    }
    guard !candidates.isEmpty else { return nil }
    let field = random.element(of: candidates)
    guard let inner = schema.type(of: field.type) else { return nil }
    let arguments = arguments(of: field)
    let name = field.name.value
    var alias = ""
    if !arguments.isEmpty || random.one(in: 5) { alias = self.alias(of: name + arguments) + ": " }
    let rest = inner.isComposite ? " " + selections(on: inner, depth: depth + 1, keys: keys(of: inner)) : ""
    return alias + name + arguments + (mayHaveCondition ? condition() : "") + rest
  }

  private mutating func alias(of field: String) -> String {
    if let known = aliases[field] { return known }
    var alias = "\(field.prefix { $0 != "(" }.drop { $0 == "_" })_\(aliases.count)"
    if options.hasHostileNames, random.one(in: 2) {
      let hostile = random.element(of: HostileNames.fields)
      if !aliases.values.contains(hostile), !hostile.hasPrefix("__") { alias = hostile }
    }
    aliases[field] = alias
    return alias
  }

  private mutating func condition() -> String {
    guard random.one(in: 6) else { return "" }
    func one() -> String {
      let name = "b\(random.below(3))"
      variables[name] = random.one(in: 4) ? "Boolean! = true" : variables[name] ?? "Boolean!"
      let value = random.one(in: 8) ? random.element(of: ["true", "false"]) : "$\(name)"
      return value
    }
    switch random.below(5) {
    case 0, 1: return " @include(if: \(one()))"
    case 2, 3: return " @skip(if: \(one()))"
    default: return " @skip(if: \(one())) @include(if: \(one()))"
    }
  }

  private mutating func inlineFragment(on type: NamedType, depth: Int) -> String {
    guard depth < 4 else { return "__typename" }
    let other = target(for: type)
    if random.one(in: 5) { return "..." + condition() + " " + selections(on: type, depth: depth + 1) }
    return "... on \(other.name)" + condition() + " " + selections(on: other, depth: depth + 1)
  }

  private mutating func spread(on type: NamedType, depth: Int) -> String {
    let other = target(for: type)
    if let known = fragments.first(where: { $0.type == other.name }), random.one(in: 2) {
      return "...\(known.name)\(known.arguments)" + condition()
    }
    let body = selections(on: other, depth: depth + 2)
    return spread(on: other, body: body)
  }

  private mutating func spread(on type: NamedType, body: String) -> String {
    var name = "Part\(fragments.count)\(suffix)"
    if options.hasHostileNames, random.one(in: 2) {
      let hostile = random.element(of: HostileNames.fragments) + suffix
      if !fragments.contains(where: { $0.name == hostile }) { name = hostile }
    }
    var fragment = RandomFragment(name: name, type: type.name, body: body)
    if options.hasFragmentVariables, !random.one(in: 4) { giveVariables(to: &fragment) }
    fragments.append(fragment)
    return "...\(name)\(fragment.arguments)" + condition()
  }

  /// Makes variables of the operation variables of the fragment, under new names or the same.
  private mutating func giveVariables(to fragment: inout RandomFragment) {
    for (name, text) in variables.sorted(by: { $0.key < $1.key }) where fragment.uses(name) && !random.one(in: 3) {
      let type = text.prefix { $0 != "=" && $0 != " " }
      let own = random.one(in: 2) ? name : "p_\(name)"
      fragment.rename(name, own)
      var argument = "$\(name)", declaration = "$\(own): \(type)"
      if type.hasPrefix("Boolean") {
        if random.one(in: 3) { argument = random.one(in: 2) ? "true" : "false" }
        if random.one(in: 3) {
          declaration += " = true"
          if random.one(in: 2) { argument = "" }
        }
      }
      fragment.add(own, declaration, argument)
    }
  }

  /// A type that an object of this type may have.
  private mutating func target(for type: NamedType) -> NamedType {
    let types = composites.filter { schema.haveCommonPossibleType($0, type) }
    return types.isEmpty ? type : random.element(of: types)
  }

  // MARK: Arguments

  private mutating func arguments(of field: FieldDefinition) -> String {
    var parts: [String] = []
    for argument in field.arguments {
      let isRequired = argument.type.isNonNull && argument.defaultValue == nil
      guard isRequired || random.one(in: 2) else { continue }
      parts.append("\(argument.name.value): \(value(argument.type, depth: 0))")
    }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  private mutating func value(_ type: TypeReference, depth: Int) -> String {
    if random.one(in: 3) {
      var name = "v\(variables.count)"
      if options.hasHostileNames, random.one(in: 2) {
        let hostile = random.element(of: HostileNames.arguments)
        if variables[hostile] == nil { name = hostile }
      }
      variables[name] = "\(type)" + (random.one(in: 3) && !type.isNonNull ? " = \(literal(type, depth: 3))" : "")
      return "$\(name)"
    }
    return literal(type, depth: depth)
  }

  private mutating func literal(_ type: TypeReference, depth: Int) -> String {
    if !type.isNonNull, random.one(in: 6) || depth > 5 { return "null" }
    switch type.kind {
    case .list(let element):
      if depth > 3 { return "[]" }
      return "[" + (0..<random.below(3)).map { _ in literal(element, depth: depth + 1) }.joined(separator: ", ") + "]"
    case .named(let name):
      switch schema.type(named: name.value) {
      case .enum(let type): return random.element(of: Array(type.values)).name.value
      case .inputObject(let object): return literal(object, depth: depth)
      default: return literal(ofScalar: name.value)
      }
    }
  }

  private mutating func literal(_ object: InputObjectType, depth: Int) -> String {
    if object.isOneOf, !object.fields.isEmpty {
      let field = random.element(of: Array(object.fields))
      var type = field.type
      type.isNonNull = true
      return "{ \(field.name.value): \(literal(type, depth: depth + 1)) }"
    }
    var parts: [String] = []
    for field in object.fields {
      let isRequired = field.type.isNonNull && field.defaultValue == nil
      guard isRequired || depth < 3 && random.one(in: 3) else { continue }
      // (A variable in a default would not be constant: those begin at depth 3.)
      let text = depth < 2 ? value(field.type, depth: depth + 1) : literal(field.type, depth: depth + 1)
      parts.append("\(field.name.value): \(text)")
    }
    return "{ " + parts.joined(separator: " ") + " }"
  }

  private mutating func literal(ofScalar name: String) -> String {
    switch name {
    case "Int": "\(random.below(5) - 1)"
    case "Float": random.element(of: ["0.5", "1", "-2.5e3"])
    case "Boolean": random.one(in: 2) ? "true" : "false"
    default: random.element(of: ["\"a\"", "\"b \\\"(,:)\\\" é\"", "\"\"", "\"1\""])
    }
  }
}
