import GraphQLSyntax

extension [Diagnostic] {
  /// Warns of each operation and fragment that gets another name in Swift because of another type, at its name.
  init(renamed definitions: [(name: String, isFragment: Bool, swift: String)], in document: Document) {
    self = definitions.map { definition in
      let name =
        definition.isFragment
        ? document.fragments.first { $0.name.value == definition.name }?.name
        : document.operations.first { $0.name?.value == definition.name }?.name
      let kind = definition.isFragment ? "fragment" : "operation"
      return Diagnostic(
        .renamedDefinition, severity: .warning,
        "The \(kind) \"\(definition.name)\" is \"\(definition.swift)\" in Swift, because another type has its name.",
        at: name?.span ?? .none,
        help:
          "Rename one of them. Names that differ in the first letter only are one name in Swift, and the module of a "
          + "scalar's type and \"schemaNamespace\" count as types.")
    }
  }
}
