import ApolloSwiftRenderer
import GraphQLSyntax

extension ClientRule {
  /// What `@import` names can be imported.
  static let importedModules = ClientRule { context in
    let directives =
      context.document.operations.flatMap(\.directives) + context.document.fragments.flatMap(\.directives)
    return directives.filter { $0.name.value == "import" }.compactMap { directive in
      guard let argument = directive.argument("module"), case .string(let module) = argument.kind,
        !Identifier.isPath(module.value)
      else { return nil }
      return Diagnostic(
        .invalidImport, "\"\(module.value)\" is not the name of a module.", at: argument.span,
        help: "Write the name as in Swift's \"import\", such as \"Foundation\".")
    }
  }
}
