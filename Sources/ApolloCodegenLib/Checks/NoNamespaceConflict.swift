import ApolloSwiftRenderer
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// No generated type has the name of the enum or module around the schema's types, because Swift would confuse the two.
  /// For the same reason no type has it that generated code mentions.
  static let noNamespaceConflict = ClientRule { context in
    let configuration = context.configuration, name = configuration.schemaNamespace
    let help = "Choose another namespace, such as \"\(name)API\"."
    if CodePlacement(configuration).hasHidingOwner {
      let places = configuration.file?.places
      return [
        Diagnostic(
          .namespaceConflict, "The schema cannot be called \"\(name)\": generated code mentions a type of this name.",
          at: places?["schemaNamespace"] ?? places?["schemaName"] ?? .none, help: help)
      ]
    }
    if case .sameModule = configuration.output.moduleType { return [] }
    let customNames = configuration.completed(by: context.schema).rendering.customTypeNames
    let types = context.schema.definedTypes.filter { isSame(customNames[$0.name]?.name ?? $0.name, name) }.map { type in
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
