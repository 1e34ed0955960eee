import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// Makes of a whole response to an operation with `@defer` the parts that a server sends: first what is not deferred, and then
/// a part for each deferred fragment.
struct DeferredParts {
  private typealias Selections = GraphQLSyntax.SelectionSet

  private let document: Document
  private let operation: GraphQLSyntax.OperationDefinition
  private let variables: GraphQLValue.Object
  private let schema: Schema
  private var waiting: [(path: [GraphQLValue], label: String?, data: GraphQLValue)] = []

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
    var variables = request.variables
    for definition in operation.variableDefinitions where variables[definition.name.value] == nil {
      if let value = definition.defaultValue { variables[definition.name.value] = GraphQLValue(untyped: value) }
    }
    self.variables = variables
  }

  /// The document, in which each object is asked for its type.
  var query: String {
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
    let first = project([operation.selectionSet], data, [])
    guard !waiting.isEmpty else {
      return [ExecutionResult(data: first, errors: result.errors).json]
    }
    var parts: [GraphQLValue] = []
    var index = 0
    // (Fragments in deferred fragments are added while the list is read.)
    while index < waiting.count {
      let (path, label, data) = waiting[index]
      var entry: GraphQLValue = ["path": .list(path), "data": data]
      if let label { entry["label"] = .string(label) }
      let errors = result.errors.filter { isInside($0.path, path, data) }
      if !errors.isEmpty { entry["errors"] = .list(errors.map(\.value)) }
      parts.append(["incremental": [entry]])
      index += 1
    }
    let deferred = waiting
    let errors = result.errors.filter { error in !deferred.contains { isInside(error.path, $0.path, $0.data) } }
    var whole = ExecutionResult(data: first, errors: errors).value
    whole["hasNext"] = true
    for index in parts.indices { parts[index]["hasNext"] = .bool(index < parts.count - 1) }
    return [whole.json] + parts.map(\.json)
  }

  /// Whether an error is about a value of a deferred fragment.
  private func isInside(_ path: [ExecutionError.PathElement], _ outer: [GraphQLValue], _ data: GraphQLValue) -> Bool {
    let elements = path.map { element -> GraphQLValue in
      switch element {
      case .key(let key): .string(key)
      case .index(let index): .int(index)
      }
    }
    guard elements.count > outer.count, Array(elements.prefix(outer.count)) == outer else { return false }
    return elements[outer.count].string.map { data[$0] != nil } ?? false
  }

  /// What selections ask for of a value, without what is deferred.
  private mutating func project(_ sets: [Selections], _ value: GraphQLValue, _ path: [GraphQLValue]) -> GraphQLValue {
    if let elements = value.list {
      return .list(elements.enumerated().map { project(sets, $1, path + [.int($0)]) })
    }
    guard let object = value.object, let type = object[Self.typeKey]?.string else { return value }
    var keys: [String] = [], fields: [String: [Selections]] = [:], deferred: [(String?, Selections)] = []
    for set in sets { collect(set, type, &keys, &fields, &deferred) }
    var members = GraphQLValue.Object()
    for key in keys {
      guard let member = object[key] else { continue }
      members[key] = project(fields[key] ?? [], member, path + [.string(key)])
    }
    for (label, set) in deferred {
      let place = waiting.count
      waiting.append((path, label, .null))
      waiting[place].data = project([set], value, path)
    }
    return .object(members)
  }

  private func collect(
    _ set: Selections, _ type: String, _ keys: inout [String], _ fields: inout [String: [Selections]],
    _ deferred: inout [(String?, Selections)]
  ) {
    for selection in set.selections where isIncluded(selection.directives) {
      let (condition, inner): (String?, Selections)
      switch selection {
      case .field(let field):
        if fields[field.responseKey] == nil { keys.append(field.responseKey) }
        fields[field.responseKey, default: []] += field.selectionSet.map { [$0] } ?? []
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
        deferred.append((label, inner))
      } else {
        collect(inner, type, &keys, &fields, &deferred)
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
