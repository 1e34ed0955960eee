import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// No alias has the name of a key field, because the generator adds missing key fields under their own names.
  static let noKeyFieldAlias = DirectiveRule { context in
    context.selectedFields.compactMap { selected in
      guard let alias = selected.field.alias, selected.field.name.value != alias.value,
        context.directives.keyFields.of(selected.type).contains(alias.value)
      else { return nil }
      return Diagnostic(
        .keyFieldAlias,
        "\"\(alias.value)\" cannot be an alias here: it is a part of the key of \"\(selected.type.name)\".",
        at: alias.span, help: "Choose another alias.")
    }
  }
}
