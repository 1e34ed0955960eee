import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// Resolvers that give each field the value that a recorded response has for it, and throw where it has an error.
///
/// Objects are made beforehand, with a member for each response key. What an error nearer to the root hides is made up.
struct ReplayedResolvers {
  private struct ReplayedError: Error, CustomStringConvertible {
    var description: String
  }

  private struct Selected {
    var definition: FieldDefinition
    var selectionSets: [SelectionSet]
  }

  private let schema: Schema
  private let variables: GraphQLValue.Object
  private let fragments: [String: FragmentDefinition]
  private let operation: OperationDefinition?
  /// The messages of errors by path.
  private let errors: [[String]: String]
  private let data: GraphQLValue?

  init(
    _ schema: Schema, _ request: ExecutionRequest, _ options: Parser.Options, response: GraphQLValue
  ) {
    self.schema = schema
    let parsed = Parser.parse(Source(request.query), options: options).value
    var variables = request.variables
    let isChosen = { (operation: OperationDefinition) in
      request.operationName == nil || operation.name?.value == request.operationName
    }
    for variable in parsed.operations.first(where: isChosen)?.variableDefinitions ?? []
    where variables[variable.name.value] == nil {
      variables[variable.name.value] = variable.defaultValue.flatMap { GraphQLValue(untyped: $0) }
    }
    self.variables = variables
    let document = parsed.inliningFragmentArguments { variables[$0] != nil } ?? parsed
    operation = document.operations.first(where: isChosen)
    fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
    var errors: [[String]: String] = [:]
    for error in response["errors"]?.list ?? [] {
      guard let path = error["path"]?.list else { continue }
      errors[path.map { $0.string ?? $0.description }] = error["message"]?.string ?? ""
    }
    self.errors = errors
    data = response["data"]
  }

  /// One for every field of every object type.
  var all: [String: ExecutableSchema.Resolver] {
    let root = operation.flatMap { schema.rootType(for: $0.operation) }
    let selections = operation.map { [$0.selectionSet] } ?? []
    let source = root.map { object(data ?? .null, of: .object($0), selecting: selections, at: []) } ?? .null
    let fields = schema.definedTypes.flatMap { type in
      schema.object(named: type.name)?.fields.map { "\(type.name).\($0.name)" } ?? []
    }
    let resolver: ExecutableSchema.Resolver = { context in
      guard case .key(let key)? = context.path.last else { return .null }
      let object = context.path.count == 1 ? source : context.source
      return object[key] ?? .null
    }
    return Dictionary(fields.map { ($0, resolver) }) { first, _ in first }
  }

  // MARK: - Values

  private func value(
    _ value: GraphQLValue, of type: TypeReference, selecting selectionSets: [SelectionSet], at path: [String]
  ) -> GraphQLValue {
    if let message = errors[path] { return failure(message) }
    if value.isNull, !hidesError(path), !type.isNonNull { return .null }
    switch type.kind {
    case .list(let element):
      let hidden = errors.keys.filter { $0.starts(with: path) && $0.count > path.count }.compactMap {
        Int($0[path.count])
      }
      let elements = value.list ?? Array(repeating: .null, count: (hidden.max() ?? -1) + 1)
      return .list(
        elements.enumerated().map { self.value($1, of: element, selecting: selectionSets, at: path + ["\($0)"]) })
    case .named:
      guard let named = schema.type(of: type) else { return value }
      if named.isComposite { return object(value, of: named, selecting: selectionSets, at: path) }
      return value.isNull ? placeholder(named) : value
    }
  }

  private func object(
    _ value: GraphQLValue, of type: NamedType, selecting selectionSets: [SelectionSet], at path: [String]
  ) -> GraphQLValue {
    // What was made up may hold itself.
    guard path.count < 20 else { return .object([:]) }
    let candidates = schema.possibleTypes(of: type).map { object in
      (object, fields(of: object, selectionSets))
    }
    let keys = value.object.map { Set($0.map(\.key)) }
    let hiddenKeys = Set(errors.keys.filter { $0.starts(with: path) && $0.count > path.count }.map { $0[path.count] })
    let chosen =
      candidates.first { object, fields in
        let selected = Set(fields.map(\.key))
        let names = fields.filter { $0.value.definition.name.value == "__typename" }.compactMap {
          value[$0.key]?.string
        }
        return names.allSatisfy { $0 == object.name }
          && (keys.map { $0 == selected } ?? hiddenKeys.isSubset(of: selected))
      } ?? candidates.first
    guard let (object, fields) = chosen else { return .object([:]) }
    var members: GraphQLValue.Object = ["__typename": .string(object.name)]
    for (key, field) in fields where !field.definition.name.value.hasPrefix("__") {
      members[key] = self.value(
        value[key] ?? .null, of: field.definition.type, selecting: field.selectionSets, at: path + [key])
    }
    return .object(members)
  }

  private func hidesError(_ path: [String]) -> Bool {
    errors.keys.contains { $0.count > path.count && $0.starts(with: path) }
  }

  /// What leads the executor to an error: the value that it complains about, or an error to be passed on.
  private func failure(_ message: String) -> GraphQLValue {
    if message.hasPrefix("Cannot return null for non-nullable") { return .null }
    if message.hasPrefix("Expected Iterable") { return "not a list" }
    if message.hasPrefix("Abstract type"), message.contains("must resolve to") { return .object([:]) }
    // The executor finds out before it asks for the value.
    if message.hasPrefix("Argument ") { return .null }
    return .opaque(ReplayedError(description: message))
  }

  private func placeholder(_ type: NamedType) -> GraphQLValue {
    if case .enum(let type) = type { return .string(type.values.first?.name.value ?? "") }
    switch type.name {
    case "Int", "Float": return 0
    case "Boolean": return false
    default: return ""
    }
  }

  // MARK: - Selections

  private func fields(of object: ObjectType, _ selectionSets: [SelectionSet]) -> [String: Selected] {
    var fields: [String: Selected] = [:]
    var visited: Set<String> = []
    for selectionSet in selectionSets { collect(selectionSet, of: object, into: &fields, visited: &visited) }
    return fields
  }

  private func collect(
    _ selectionSet: SelectionSet, of object: ObjectType, into fields: inout [String: Selected],
    visited: inout Set<String>
  ) {
    let matches = { (condition: Name?) in
      condition.flatMap { schema.type(named: $0.value) }.map { schema.isPossibleType(object.name, of: $0) } ?? true
    }
    for selection in selectionSet.selections where isIncluded(selection.directives) {
      switch selection {
      case .field(let field):
        guard let definition = schema.field(named: field.name.value, on: .object(object)) else { continue }
        let nested = field.selectionSet.map { [$0] } ?? []
        fields[field.responseKey, default: Selected(definition: definition, selectionSets: [])].selectionSets += nested
      case .inlineFragment(let fragment):
        if matches(fragment.typeCondition) {
          collect(fragment.selectionSet, of: object, into: &fields, visited: &visited)
        }
      case .fragmentSpread(let spread):
        guard let fragment = fragments[spread.name.value], visited.insert(spread.name.value).inserted,
          matches(fragment.typeCondition)
        else { continue }
        collect(fragment.selectionSet, of: object, into: &fields, visited: &visited)
      }
    }
  }

  private func isIncluded(_ directives: [Directive]) -> Bool {
    let condition = { (name: String) in
      directives.first(named: name)?.argument("if").flatMap { GraphQLValue(untyped: $0, variables: variables)?.bool }
    }
    return condition("include") != false && condition("skip") != true
  }
}
