import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@embedded` and `@embeddedField` are on fields that lead to objects.
  static let validEmbeddedFields = DirectiveRule { context in
    let embedded = context.directives.embeddedFields
    return context.schema.definedTypes.filter(\.isComposite).flatMap { type -> [Diagnostic] in
      let fields = type.fields ?? NamedList()
      return embedded.directives(of: type).compactMap { name, directive in
        guard let field = fields[name] else {
          return Diagnostic(
            .invalidEmbeddedField, "The type \"\(type.name)\" has no field \"\(name)\" to be embedded.",
            at: directive.span,
            help: Suggestions.didYouMean(Suggestions.similar(to: name, among: fields.map(\.name.value))))
        }
        guard context.schema.type(of: field.type)?.isComposite != true else { return nil }
        return Diagnostic(
          .invalidEmbeddedField, "\"\(type.name).\(name)\" leads to no objects: its value is in the object anyway.",
          at: directive.span, help: "Remove @\(directive.name).")
      }
    }
  }
}
