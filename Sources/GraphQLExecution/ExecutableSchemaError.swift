import GraphQLSchema
import GraphQLSyntax

/// Resolvers and other parts of an ``ExecutableSchema`` for what the schema does not have.
public struct ExecutableSchemaError: Error, Sendable, CustomStringConvertible {
  /// A sentence for each part.
  public let messages: [String]

  public var description: String { messages.joined(separator: "\n") }
}

/// Looks up the names that resolvers are given under.
struct CoordinateCheck {
  private let schema: Schema
  private var messages: [String] = []

  init(_ schema: Schema) { self.schema = schema }

  /// - Parameter root: The only type whose fields are allowed. Any type's are when it is left out.
  mutating func checkField(_ name: String, in part: String, of root: ObjectType?? = .none) {
    let (type, field) = name.splitAtDot
    let fields = schema.object(named: type)?.fields
    if case .some(let root) = root, root?.name != type {
      report(
        name, in: part, "a field of the subscription type", among: (root?.fields).map(names(of: root?.name ?? "")) ?? []
      )
    } else if fields?.contains(field) != true {
      let candidates = schema.definedTypes.flatMap { type -> [String] in
        guard case .object(let object) = type else { return [] }
        return names(of: object.name)(object.fields)
      }
      report(name, in: part, "a field of an object type", among: candidates)
    }
  }

  mutating func checkType(_ name: String, in part: String, _ kind: String, _ isKind: (NamedType) -> Bool) {
    if let type = schema.type(named: name), isKind(type) { return }
    report(name, in: part, kind, among: schema.allTypes.filter(isKind).map(\.name))
  }

  func finish() throws(ExecutableSchemaError) {
    if !messages.isEmpty { throw ExecutableSchemaError(messages: messages.sorted()) }
  }

  private func names(of type: String) -> (NamedList<FieldDefinition>) -> [String] {
    { fields in fields.map { "\(type).\($0.name)" } }
  }

  private mutating func report(_ name: String, in part: String, _ kind: String, among candidates: [String]) {
    let similar = Suggestions.similar(to: name, among: candidates)
    let question = Suggestions.didYouMean(similar).map { " " + $0 } ?? ""
    messages.append("\(part): the schema has no \"\(name)\" that is \(kind).\(question)")
  }
}

extension String {
  /// The parts of `Type.field`; the second is empty where there is no dot.
  fileprivate var splitAtDot: (String, String) {
    guard let dot = firstIndex(of: ".") else { return (self, "") }
    return (String(self[..<dot]), String(self[index(after: dot)...]))
  }
}

extension [String: ExecutableSchema.Resolver] {
  var byTypeAndField: [String: [String: Value]] { grouped(self) }
}

extension [String: ExecutableSchema.Subscriber] {
  var byTypeAndField: [String: [String: Value]] { grouped(self) }
}

/// What stands under `Type.field`, under `Type` and then `field`.
private func grouped<Value>(_ values: [String: Value]) -> [String: [String: Value]] {
  var groups: [String: [String: Value]] = [:]
  for (name, value) in values {
    let (type, field) = name.splitAtDot
    groups[type, default: [:]][field] = value
  }
  return groups
}
