import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// Input objects that require each other, so that no finite value of them exists.
  public static let inputObjectCycle = Self("input-object-cycle")
}

extension TypeSystemRule {
  /// No input object requires another of its kind, directly or through others.
  static let inputObjectCycles = TypeSystemRule(
    "InputObjectCycles", section: "sec-Input-Objects.Circular-References", reports: .inputObjectCycle
  ) { schema in
    var finder = CycleFinder<InputCoordinate> { name in
      guard case .inputObject(let type)? = schema.type(named: name) else { return [] }
      return type.fields.compactMap { field in
        // A list may be empty, and so ends the cycle.
        guard field.type.isNonNull, !field.type.isList,
          case .inputObject? = schema.type(named: field.type.namedType.value)
        else { return nil }
        return (InputCoordinate(owner: .inputObject(name), definition: field), field.type.namedType.value)
      }
    }
    return schema.definedInputObjects.flatMap { type in finder.cycles(from: type.name) }.map(report)
  }

  private static func report(_ cycle: [InputCoordinate]) -> Diagnostic {
    let name = cycle[0].text.prefix { $0 != "." }
    let path =
      cycle.count == 1
      ? "in the non-null field \(cycle[0].text)"
      : "via the non-null fields: \(cycle.map(\.text).joined(separator: ", "))"
    return Diagnostic(
      .inputObjectCycle, "Invalid circular reference. The Input Object \(name) references itself \(path).",
      at: cycle[0].definition.span,
      labels: cycle.dropFirst().map { .init("which requires this", at: $0.definition.span) })
  }
}
