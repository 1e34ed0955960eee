import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@embedded` and `@embeddedField` are on fields that lead to objects.
  static let validEmbeddedFields = DirectiveRule { context in
    context.schema.definedTypes.filter(\.isComposite).flatMap { type in
      context.directives.embeddedFields.statements.directives(of: type).compactMap { name, directive in
        problem(
          of: directive, onField: name, of: type, in: context.schema, .invalidEmbeddedField,
          unknown: "to be embedded", leaf: ": its value is in the object anyway")
      }
    }
  }
}
