import GraphQLSchema
package import GraphQLSyntax

/// A rule for what the directives of the client say in a schema and in a document.
struct DirectiveRule: Sendable {
  struct Context {
    let document: Document
    let schema: Schema
    let directives: SchemaDirectives
    let selectedFields: [SelectedField]

    init(_ document: Document, _ directives: SchemaDirectives) {
      self.document = document
      schema = directives.schema
      self.directives = directives
      selectedFields = SelectedField.all(in: document, schema)
    }
  }

  let check: @Sendable (Context) -> [Diagnostic]

  init(_ check: @escaping @Sendable (Context) -> [Diagnostic]) { self.check = check }

  static let all: [DirectiveRule] = [
    .noKeyFieldAlias, .validTypePolicies, .validFieldPolicies, .validEmbeddedFields, .validPagination, .keyedNodes,
    .keyedPages, .validOnDelete, .validLocalFields, .validCacheControl, .agreeingInterfaceAges,
    .validCacheControlInOperations, .validListEdits, .validSemanticNonNull, .validCatches, .validAliases,
    .constantArguments,
  ]

  /// The rules for documents that are valid otherwise.
  static let afterValidation: [DirectiveRule] = [.consistentAges, .consistentCatches, .selectableKeyFields]
}

extension SchemaDirectives {
  /// What is wrong with the directives of the schema, and with those of a document. The document need not be valid.
  package func diagnostics(of document: Document) -> [Diagnostic] {
    diagnostics(of: document, by: DirectiveRule.all)
  }

  /// What is wrong with the directives of a document that is valid otherwise.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - notesMissingKeyFields: Whether a note names the types of objects that have an `id` and no key fields.
  /// - Returns: What is wrong.
  package func diagnostics(ofValid document: Document, notesMissingKeyFields: Bool) -> [Diagnostic] {
    diagnostics(
      of: document, by: DirectiveRule.afterValidation + (notesMissingKeyFields ? [DirectiveRule.keyedObjects] : []))
  }

  private func diagnostics(of document: Document, by rules: [DirectiveRule]) -> [Diagnostic] {
    let context = DirectiveRule.Context(document, self)
    return rules.flatMap { $0.check(context) }
  }
}
