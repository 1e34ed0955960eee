import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// Makes of a whole response to an operation with `@defer` the parts that a server sends: first what is not deferred, and then
/// a part for each deferred fragment.
///
/// The whole response is made without the propagation of errors. A null of a type that is not nullable makes null what is
/// around it in its part only: an error in a deferred fragment leaves the parts before as they are.
struct DeferredParts {
  private typealias Selections = GraphQLSyntax.SelectionSet

  private let document: Document
  private let operation: GraphQLSyntax.OperationDefinition
  private let variables: GraphQLValue.Object
  private let schema: Schema
  private let propagates: Bool
  private var waiting: [Part] = []

  /// A deferred fragment on one object.
  private struct Part {
    let path: [GraphQLValue]
    let label: String?
    var data = GraphQLValue.null
    var keys: Set<String> = []
  }

  /// What selections ask for on an object of one type.
  private struct Collected {
    var keys: [String] = []
    var types: [String: TypeReference] = [:]
    var selections: [String: [Selections]] = [:]
    var deferred: [(label: String?, set: Selections)] = []
  }

  /// The name under which each object tells its type, besides what was asked for.
  private static let typeKey = "mockTypename"

  init?(_ request: ExecutionRequest, _ schema: Schema) {
    guard request.query.contains("@defer") else { return nil }
    document = Parser.parse(request.query).value
    let operations = document.operations.filter {
      request.operationName == nil || $0.name?.value == request.operationName
    }
    guard let operation = operations.first, operation.operation != .subscription else { return nil }
    self.operation = operation
    self.schema = schema
    propagates = request.onError == nil || request.onError == .propagate
    var variables = request.variables
    for definition in operation.variableDefinitions where variables[definition.name.value] == nil {
      if let value = definition.defaultValue { variables[definition.name.value] = GraphQLValue(untyped: value) }
    }
    self.variables = variables
  }

  /// The request to execute.
  func whole(_ request: ExecutionRequest) -> ExecutionRequest {
    var whole = request
    whole.query = query
    if propagates { whole.onError = .null }
    return whole
  }

  /// The document, in which each object is asked for its type.
  private var query: String {
    Printer.print(
      Document(
        definitions: document.definitions.map { definition in
          switch definition {
          case .operation(var operation):
            operation.selectionSet = Self.asking(operation.selectionSet)
            return .operation(operation)
          case .fragment(var fragment):
            fragment.selectionSet = Self.asking(fragment.selectionSet)
            return .fragment(fragment)
          default: return definition
          }
        }))
  }

  private static func asking(_ selectionSet: Selections) -> Selections {
    let selections = selectionSet.selections.map { selection -> Selection in
      switch selection {
      case .field(var field):
        field.selectionSet = field.selectionSet.map(asking)
        return .field(field)
      case .inlineFragment(var fragment):
        fragment.selectionSet = asking(fragment.selectionSet)
        return .inlineFragment(fragment)
      case .fragmentSpread: return selection
      }
    }
    return Selections([.field(Field(alias: Name(typeKey), name: "__typename"))] + selections)
  }

  /// The parts of a result, as JSON.
  mutating func parts(of result: ExecutionResult) -> [[UInt8]] {
    guard let data = result.data else { return [result.json] }
    let first = project([operation.selectionSet], data, as: nil, []) ?? .null
    guard !waiting.isEmpty else {
      return [ExecutionResult(data: first, errors: result.errors).json]
    }
    // The errors of each part, and under -1 those of the first one.
    let errors = Dictionary(grouping: result.errors) { index(ofPartWith: $0) ?? -1 }
    var whole = ExecutionResult(data: first, errors: errors[-1] ?? []).value
    whole["hasNext"] = true
    var parts = [whole.json]
    for (index, part) in waiting.enumerated() {
      var entry: GraphQLValue = ["path": .list(part.path), "data": part.data]
      if let label = part.label { entry["label"] = .string(label) }
      if let errors = errors[index] { entry["errors"] = .list(errors.map(\.value)) }
      let next: GraphQLValue = ["incremental": [entry], "hasNext": .bool(index < waiting.count - 1)]
      parts.append(next.json)
    }
    return parts
  }

  /// The deferred fragment that selects the field with an error: the innermost one. nil: the first part does.
  private func index(ofPartWith error: ExecutionError) -> Int? {
    let path = error.path.map { element -> GraphQLValue in
      switch element {
      case .key(let key): .string(key)
      case .index(let index): .int(index)
      }
    }
    var found: Int?
    for (index, part) in waiting.enumerated() where path.count > part.path.count && path.starts(with: part.path) {
      guard let key = path[part.path.count].string, part.keys.contains(key) else { continue }
      if found.map({ part.path.count > waiting[$0].path.count }) ?? true { found = index }
    }
    return found
  }

  /// What selections ask for of a value, without what is deferred.
  ///
  /// - Parameters:
  ///   - sets: The selections; empty for a leaf.
  ///   - value: The value.
  ///   - type: Its type; nil for the operation's root.
  ///   - path: Its path.
  /// - Returns: The value in this part; nil if null stands where it may not.
  private mutating func project(
    _ sets: [Selections], _ value: GraphQLValue, as type: TypeReference?, _ path: [GraphQLValue]
  ) -> GraphQLValue? {
    let place = waiting.count
    if let projected = projectNonNull(sets, value, as: type, path), !projected.isNull { return projected }
    // Nothing comes later of an object that is not there.
    waiting.removeSubrange(place...)
    return propagates && type?.isNonNull == true ? nil : .null
  }

  private mutating func projectNonNull(
    _ sets: [Selections], _ value: GraphQLValue, as type: TypeReference?, _ path: [GraphQLValue]
  ) -> GraphQLValue? {
    if let elements = value.list {
      guard case .list(let element)? = type?.kind else { return value }
      var list: [GraphQLValue] = []
      for (index, value) in elements.enumerated() {
        guard let value = project(sets, value, as: element, path + [.int(index)]) else { return nil }
        list.append(value)
      }
      return .list(list)
    }
    guard let object = value.object, let name = object[Self.typeKey]?.string else { return value }
    var collected = Collected()
    for set in sets { collect(set, name, &collected) }
    var members = GraphQLValue.Object()
    for key in collected.keys {
      guard let member = object[key] else { continue }
      let type = collected.types[key], sets = collected.selections[key] ?? []
      guard let value = project(sets, member, as: type, path + [.string(key)]) else { return nil }
      members[key] = value
    }
    for (label, set) in collected.deferred {
      let place = waiting.count
      var inner = Collected()
      collect(set, name, &inner)
      waiting.append(Part(path: path, label: label, keys: Set(inner.keys)))
      waiting[place].data = project([set], value, as: nil, path) ?? .null
    }
    return .object(members)
  }

  private func collect(_ set: Selections, _ type: String, _ collected: inout Collected) {
    for selection in set.selections where isIncluded(selection.directives) {
      let (condition, inner): (String?, Selections)
      switch selection {
      case .field(let field):
        let key = field.responseKey
        if collected.selections[key] == nil { collected.keys.append(key) }
        collected.selections[key, default: []] += field.selectionSet.map { [$0] } ?? []
        if let named = schema.type(named: type), let found = schema.field(named: field.name.value, on: named) {
          collected.types[key] = found.type
        }
        continue
      case .inlineFragment(let fragment): (condition, inner) = (fragment.typeCondition?.value, fragment.selectionSet)
      case .fragmentSpread(let spread):
        guard let fragment = document.fragments.first(where: { $0.name == spread.name }) else { continue }
        (condition, inner) = (fragment.typeCondition.value, fragment.selectionSet)
      }
      if let condition, let named = schema.type(named: condition), !schema.isPossibleType(type, of: named) { continue }
      if let directive = selection.directives.first(named: "defer"), flag("if", of: directive) ?? true {
        var label: String?
        if case .string(let text)? = directive.argument("label")?.kind { label = text.value }
        collected.deferred.append((label, inner))
      } else {
        collect(inner, type, &collected)
      }
    }
  }

  private func isIncluded(_ directives: [Directive]) -> Bool {
    if let skip = directives.first(named: "skip"), flag("if", of: skip) == true { return false }
    return directives.first(named: "include").flatMap { flag("if", of: $0) } ?? true
  }

  private func flag(_ name: String, of directive: Directive) -> Bool? {
    directive.argument(name).flatMap { GraphQLValue(untyped: $0, variables: variables) }?.bool
  }
}
