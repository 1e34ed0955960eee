import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// The objects that operations ask for have key fields if they have an `id`. One note names all types without them.
  static let keyedObjects = DirectiveRule { context in
    var check = KeyedObjectCheck(schema: context.schema, directives: context.directives)
    for selected in context.selectedFields where selected.field.selectionSet != nil { check.note(selected) }
    return check.diagnostics
  }
}

private struct KeyedObjectCheck {
  private let schema: Schema
  private let directives: SchemaDirectives
  /// The nodes of connections without key fields are reported one by one.
  private var visited: Set<String>
  private var unkeyed: [(type: String, field: SourceSpan)] = []

  init(schema: Schema, directives: SchemaDirectives) {
    self.schema = schema
    self.directives = directives
    visited = Set(DirectiveRule.unkeyedNodes(of: schema, directives).map(\.type))
  }

  var diagnostics: [Diagnostic] {
    guard let first = unkeyed.first else { return [] }
    let shown = unkeyed.prefix(3).map { "\"\($0.type)\"" }
    let more = unkeyed.count > 3 ? ["\(unkeyed.count - 3) more \(unkeyed.count == 4 ? "type" : "types")"] : []
    let isOne = unkeyed.count == 1
    return [
      Diagnostic(
        .unkeyedObjects, severity: .note,
        "\(Suggestions.list(shown + more, "and")) \(isOne ? "has" : "have") a field \"id\" and no key fields: the cache cannot "
          + "tell that two queries show the same object, and keeps a copy for each.",
        at: first.field,
        help: "In a .graphqls file beside the schema: extend type \(first.type) @typePolicy(keyFields: \"id\"). "
          + "The key fields \"\" say that \(isOne ? "it has" : "a type has") no key.")
    ]
  }

  mutating func note(_ selected: SelectedField) {
    guard let type = selected.fieldType, let field = selected.definition,
      !directives.isEmbedded(field, on: [selected.type])
    else { return }
    for object in schema.possibleTypes(of: type) where visited.insert(object.name).inserted {
      guard let id = object.fields["id"], id.type.isNonNull, schema.type(of: id.type)?.isLeaf == true,
        !id.arguments.contains(where: \.isRequired), !directives.declareKeyFields(of: .object(object))
      else { continue }
      unkeyed.append((object.name, selected.field.name.span))
    }
  }
}
