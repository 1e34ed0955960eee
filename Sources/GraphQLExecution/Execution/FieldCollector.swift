import GraphQLSchema
import GraphQLSyntax

/// The fields of an object that share a response key and so make one entry of the response.
struct FieldGroup: Sendable {
  let responseKey: String
  /// At least one. Validation sees to it that all have the same name and arguments.
  var fields: [Field]

  var first: Field { fields[0] }

  /// The places of all fields, for errors.
  var spans: [SourceSpan] { fields.map(\.span) }
}

/// Finds the fields that selections ask for on objects of one type, fragments resolved
/// — [spec](https://spec.graphql.org/September2025/#CollectFields())
struct FieldCollector {
  private let operation: PreparedOperation
  private let coercion: Coercion
  private let type: ObjectType
  private(set) var groups: [FieldGroup] = []
  private var positions: [String: Int] = [:]
  private var visitedFragments: Set<String> = []

  init(_ operation: PreparedOperation, coercion: Coercion, on type: ObjectType) {
    self.operation = operation
    self.coercion = coercion
    self.type = type
  }

  /// Collects the fields of selections. (How deep fragments nest was found to be within a limit.)
  mutating func collect(_ selectionSet: SelectionSet) throws(ExecutionError) {
    for selection in selectionSet.selections where try isIncluded(selection) {
      switch selection {
      case .field(let field):
        append(field)
      case .inlineFragment(let fragment):
        guard applies(fragment.typeCondition) else { continue }
        try collect(fragment.selectionSet)
      case .fragmentSpread(let spread):
        guard visitedFragments.insert(spread.name.value).inserted,
          let fragment = operation.fragments[spread.name.value], applies(fragment.typeCondition)
        else { continue }
        try collect(fragment.selectionSet)
      }
    }
  }

  private mutating func append(_ field: Field) {
    if let position = positions[field.responseKey] {
      groups[position].fields.append(field)
    } else {
      positions[field.responseKey] = groups.count
      groups.append(FieldGroup(responseKey: field.responseKey, fields: [field]))
    }
  }

  /// [Spec](https://spec.graphql.org/September2025/#DoesFragmentTypeApply())
  private func applies(_ condition: Name?) -> Bool {
    guard let condition else { return true }
    guard let type = coercion.schema.type(named: condition.value) else { return false }
    return coercion.schema.isPossibleType(self.type.name, of: type)
  }

  /// What [`@skip`](https://spec.graphql.org/September2025/#sec--skip) and
  /// [`@include`](https://spec.graphql.org/September2025/#sec--include) say.
  private func isIncluded(_ selection: Selection) throws(ExecutionError) -> Bool {
    let directives = selection.directives
    if directives.isEmpty { return true }
    if try condition("skip", directives) == true { return false }
    return try condition("include", directives) ?? true
  }

  /// The value of the argument `if`, or `nil` when the directive is not there.
  private func condition(_ name: String, _ directives: [Directive]) throws(ExecutionError) -> Bool? {
    guard let directive = directives.first(named: name), let definition = coercion.schema.directive(named: name)
    else { return nil }
    let arguments = try coercion.arguments(
      directive.arguments, for: definition.arguments, variables: operation.variables, at: directive.span)
    return arguments["if"]?.bool
  }
}
