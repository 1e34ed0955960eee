import GraphQLSchema
public import GraphQLSyntax

extension Diagnostic.Code {
  /// A directive whose definition uses the directive itself.
  public static let directiveCycle = Self("directive-cycle")
}

extension TypeSystemRule {
  /// No directive is used in its own definition, directly or through other directives and the types of arguments
  /// — [draft](https://spec.graphql.org/draft/#sec-Type-System.Directives.Type-Validation)
  static let directiveCycles = TypeSystemRule(
    "DirectiveCycles", section: "sec-Type-System.Directives", reports: .directiveCycle
  ) { schema in
    let names = schema.definedDirectives.map { "@\($0.name)" }
    let components = ComponentFinder.components(from: names) { references(from: $0, in: schema) }
    let cyclic = components.filter { $0.count > 1 || references(from: $0[0], in: schema).contains($0[0]) }
    let members = Dictionary(cyclic.flatMap { component in component.map { ($0, Set(component)) } }) { first, _ in first
    }
    return schema.definedDirectives.compactMap { directive in
      guard let component = members["@\(directive.name)"] else { return nil }
      let others = component.subtracting(["@\(directive.name)"]).sorted()
      let path = others.isEmpty ? "" : ", through \(others.joined(separator: ", "))"
      return Diagnostic(
        .directiveCycle, "Directive \"@\(directive.name)\" must not reference itself\(path).", at: directive.name.span)
    }
  }

  /// What a directive or a type of input values refers to: directives with `@`, and types.
  private static func references(from name: String, in schema: Schema) -> [String] {
    if name.hasPrefix("@") {
      guard let directive = schema.directive(named: String(name.dropFirst())) else { return [] }
      return names(of: directive.directives) + references(from: directive.arguments)
    }
    switch schema.type(named: name) {
    case .scalar(let type)?: return names(of: type.definition.directives)
    case .enum(let type)?:
      return names(of: type.definition.directives) + type.values.flatMap { names(of: $0.directives) }
    case .inputObject(let type)?:
      return names(of: type.definition.directives) + references(from: Array(type.fields))
    case .object?, .interface?, .union?, nil: return []
    }
  }

  private static func references(from inputs: [InputValueDefinition]) -> [String] {
    inputs.flatMap { names(of: $0.directives) + [$0.type.namedType.value] }
  }

  private static func names(of directives: [Directive]) -> [String] { directives.map { "@\($0.name)" } }
}
