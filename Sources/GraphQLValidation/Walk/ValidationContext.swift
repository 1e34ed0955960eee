import GraphQLSchema
import GraphQLSyntax

/// What the rules of one walk share: the schema, the document, where the walk is, and what was found.
final class ValidationContext {
  let schema: Schema
  let document: Document
  /// The schema that type system definitions are added to, if any.
  let extendedSchema: Schema?
  /// The first fragment of each name.
  let fragments: [String: FragmentDefinition]
  private(set) var diagnostics: [Diagnostic] = []

  /// The type that the current selection set is made on; `nil` when it is unknown.
  var parentType: NamedType?
  /// The definition of the current field; `nil` when it is unknown.
  var field: FieldDefinition?
  /// The operation that the walk is in; `nil` inside fragments.
  var operation: OperationDefinition?

  /// What each operation and fragment uses. Complete when the walk leaves the document.
  var usage = UsageTable()

  init(schema: Schema, document: Document, extending extendedSchema: Schema? = nil) {
    self.schema = schema
    self.document = document
    self.extendedSchema = extendedSchema
    fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
  }

  func report(
    _ code: Diagnostic.Code, _ message: String, at span: SourceSpan, labels: [Diagnostic.Label] = [],
    help: String? = nil
  ) {
    diagnostics.append(Diagnostic(code, message, at: span, labels: labels, help: help))
  }
}
