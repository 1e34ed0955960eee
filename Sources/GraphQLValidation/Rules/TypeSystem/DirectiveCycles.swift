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
    let cycles = components.filter { $0.count > 1 || references(from: $0[0], in: schema).contains($0[0]) }
      .map { $0.sorted() }
    var places: [String: Int] = [:]
    for (place, cycle) in cycles.enumerated() { for name in cycle { places[name] = place } }
    return schema.definedDirectives.compactMap { directive in
      let name = "@\(directive.name)"
      guard let place = places[name] else { return nil }
      let others = path(of: cycles[place], without: name)
      return Diagnostic(
        .directiveCycle, "Directive \"\(name)\" must not reference itself\(others).", at: directive.name.span)
    }
  }

  /// The other members of a cycle. Of a long one, the first five are named.
  private static func path(of cycle: [String], without name: String) -> String {
    let others = cycle.lazy.filter { $0 != name }.prefix(5), rest = cycle.count - 1 - others.count
    guard !others.isEmpty else { return "" }
    return ", through \(others.joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
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
