import GraphQLSchema
import GraphQLSyntax

/// The error for resolvers, or other parts of an ``ExecutableSchema``, whose names are not in the schema.
public struct ExecutableSchemaError: Error, Sendable, CustomStringConvertible {
  /// The sentences that say what is wrong, one for each part.
  public let messages: [String]

  /// The sentences, one on each line.
  public var description: String { messages.joined(separator: "\n") }
}

/// Checks the names under which resolvers are given.
struct CoordinateCheck {
  private let schema: Schema
  private var messages: [String] = []

  init(_ schema: Schema) { self.schema = schema }

  // Names that are there are found at once: a schema may have thousands of fields, each with a resolver.

  mutating func checkField(_ name: String, in part: String) {
    let (type, field) = name.splitAtDot
    if !Schema.isBuiltIn(typeNamed: type), schema.object(named: type)?.fields.contains(field) == true { return }
    let objects = schema.definedTypes.compactMap { schema.object(named: $0.name) }
    checkField(name, of: objects, in: part, "a field of an object type")
  }

  mutating func checkSubscription(_ name: String, in part: String) {
    let root = schema.subscriptionType.map { [$0] } ?? []
    checkField(name, of: root, in: part, "a field of the subscription type")
  }

  mutating func checkAbstractType(_ name: String, in part: String) {
    if schema.type(named: name)?.isAbstract == true { return }
    checkName(name, among: schema.allTypes.filter(\.isAbstract).map(\.name), in: part, "an abstract type")
  }

  mutating func checkScalar(_ name: String, in part: String) {
    let scalars = schema.allTypes.filter { if case .scalar = $0 { true } else { false } }
    checkName(name, among: scalars.map(\.name), in: part, "a scalar type")
  }

  func finish() throws(ExecutableSchemaError) {
    if !messages.isEmpty { throw ExecutableSchemaError(messages: messages.sorted()) }
  }

  private mutating func checkField(_ name: String, of types: [ObjectType], in part: String, _ kind: String) {
    let (typeName, field) = name.splitAtDot
    if types.contains(where: { $0.name == typeName && $0.fields.contains(field) }) { return }
    let fields = types.flatMap { type in type.fields.map { "\(type.name).\($0.name)" } }
    checkName(name, among: fields, in: part, kind)
  }

  private mutating func checkName(_ name: String, among names: [String], in part: String, _ kind: String) {
    if names.contains(name) { return }
    let question = Suggestions.didYouMean(Suggestions.similar(to: name, among: names)).map { " " + $0 } ?? ""
    messages.append("\(part): the schema has no \"\(name)\" that is \(kind).\(question)")
  }
}

extension String {
  /// The two parts of `Type.field`; the second is empty if there is no dot.
  fileprivate var splitAtDot: (String, String) {
    guard let dot = firstIndex(of: ".") else { return (self, "") }
    return (String(self[..<dot]), String(self[index(after: dot)...]))
  }
}

extension Dictionary<String, ExecutableSchema.Resolver> {
  /// What stands under `Type.field`, under `Type` and then `field`.
  var byTypeAndField: [String: [String: Value]] {
    var groups: [String: [String: Value]] = [:]
    for (name, resolver) in self {
      let (type, field) = name.splitAtDot
      groups[type, default: [:]][field] = resolver
    }
    return groups
  }
}
