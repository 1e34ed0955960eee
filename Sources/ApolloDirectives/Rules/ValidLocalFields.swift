import GraphQLSchema
package import GraphQLSyntax
import GraphQLValidation

extension DirectiveRule {
  /// Local fields may be null, because the cache need not have a value, and belong to objects of the cache.
  static let validLocalFields = DirectiveRule { context in
    context.selectedFields.compactMap { selected in
      let name = selected.field.name.value
      guard let type = selected.definition?.type,
        let directive = selected.field.directives.first(named: LocalFields.directive)
      else { return nil }
      if selected.roots.contains(where: { $0 != .query }) {
        return Diagnostic(
          .invalidLocalField, "\"\(name)\" is what a mutation or a subscription asks its server for.",
          at: directive.span, help: "Put @client on fields of queries, or on fields of objects.")
      }
      guard type.isNonNull else { return nil }
      return Diagnostic(
        .invalidLocalField,
        "\"\(name)\" is of the type \(type.description), and the cache need not have a value for it.",
        at: directive.span, help: "Declare it without \"!\". It is nil until the app has written it.")
    }
  }
}

extension SchemaDirectives {
  /// Adds to the errors about unknown fields what to write for those with `@client`.
  package func explaining(_ diagnostics: [Diagnostic], in document: Document) -> [Diagnostic] {
    guard diagnostics.contains(where: { $0.code == .unknownField }) else { return diagnostics }
    var declarations: [SourceSpan: String] = [:]
    for selected in SelectedField.all(in: document, schema) where selected.definition == nil && selected.field.isLocal {
      let keyword = if case .interface = selected.type { "interface" } else { "type" }
      let field = selected.field, type = field.selectionSet == nil ? "Boolean" : "…"
      declarations[field.span] = "extend \(keyword) \(selected.type.name) { \(field.name.value): \(type) }"
    }
    return diagnostics.map { finding in
      guard finding.code == .unknownField, let declaration = declarations[finding.span] else { return finding }
      var finding = finding
      finding.help = "A local field is declared in a .graphqls file beside the schema: \(declaration)"
      return finding
    }
  }
}
