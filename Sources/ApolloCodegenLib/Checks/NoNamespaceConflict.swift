import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// No generated type has the name of the enum or module around it, because Swift would confuse the two.
  static let noNamespaceConflict = ClientRule { context in
    let name = context.configuration.schemaNamespace
    if case .sameModule = context.configuration.output.moduleType { return [] }
    let help = "Choose another \"schemaNamespace\", such as \"\(name)API\"."
    let types = context.schema.definedTypes.filter { isSame($0.name, name) }.map { type in
      Diagnostic(
        .namespaceConflict, "The schema cannot be called \"\(name)\": it has a type of this name.",
        at: type.definition.name.span, help: help)
    }
    let fragments = context.document.fragments.filter { isSame($0.name.value, name) }.map { fragment in
      Diagnostic(
        .namespaceConflict, "The schema cannot be called \"\(name)\": there is a fragment of this name.",
        at: fragment.name.span, help: help)
    }
    return types + fragments
  }

  private static func isSame(_ name: String, _ namespace: String) -> Bool {
    name.prefix(1).uppercased() + name.dropFirst() == namespace
  }
}
