import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// Default values that need each other, so that none of them can be computed.
  public static let defaultValueCycle = Self("default-value-cycle")
}

extension TypeSystemRule {
  /// No default value of an input field needs itself for the fields it leaves out
  /// — [spec](https://spec.graphql.org/September2025/#InputObjectDefaultValueHasCycle())
  static let defaultValueCycles = TypeSystemRule(
    "DefaultValueCycles", section: "sec-Input-Objects.Type-Validation", reports: .defaultValueCycle
  ) { schema in
    let fields = schema.definedInputFields
    let byCoordinate = Dictionary(fields.map { ($0.text, $0) }) { first, _ in first }
    var finder = CycleFinder<InputCoordinate> { coordinate in
      guard let field = byCoordinate[coordinate]?.definition, let value = field.defaultValue else { return [] }
      var needed: [InputCoordinate] = []
      collectNeededDefaults(of: value, as: field.type.namedType.value, schema, &needed)
      return needed.map { ($0, $0.text) }
    }
    return fields.flatMap { finder.cycles(from: $0.text) }.map(report)
  }

  /// The input fields whose default values complete a value: those that its objects leave out.
  private static func collectNeededDefaults(
    of value: Value, as typeName: String, _ schema: Schema, _ needed: inout [InputCoordinate]
  ) {
    switch value.kind {
    case .list(let values):
      for value in values { collectNeededDefaults(of: value, as: typeName, schema, &needed) }
    case .object(let given):
      guard case .inputObject(let type)? = schema.type(named: typeName) else { return }
      for field in type.fields {
        if let value = given.first(where: { $0.name.value == field.name.value })?.value {
          collectNeededDefaults(of: value, as: field.type.namedType.value, schema, &needed)
        } else if field.defaultValue != nil {
          needed.append(InputCoordinate(owner: .inputObject(type.name), definition: field))
        }
      }
    case .variable, .int, .float, .string, .boolean, .null, .enum: break
    }
  }

  private static func report(_ cycle: [InputCoordinate]) -> Diagnostic {
    // An edge leads to the field that is needed, so the last one names the field that the cycle begins with.
    let path = [cycle[cycle.count - 1]] + cycle.dropLast()
    let via = path.dropFirst().map(\.text).joined(separator: ", ")
    let spans = path.map { $0.definition.defaultValue?.span ?? $0.definition.span }
    return Diagnostic(
      .defaultValueCycle,
      "Invalid circular reference. The default value of Input Object field \(path[0].text) references itself\(via.isEmpty ? "" : " via the default values of: \(via)").",
      at: spans[0], labels: spans.dropFirst().map { .init("which needs this", at: $0) })
  }
}
