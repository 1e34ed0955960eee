import ApolloIR
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// The objects that operations ask for have key fields if they have an `id`. One note names all types without them.
  static let keyedObjects = ClientRule { context in
    guard context.configuration.notesMissingKeyFields else { return [] }
    var check = KeyedObjectCheck(schema: context.schema)
    for operation in context.document.operations {
      check.visit(operation.selectionSet, on: context.schema.rootType(for: operation.operation).map { .object($0) })
    }
    for fragment in context.document.fragments {
      check.visit(fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.value))
    }
    return check.diagnostics
  }
}

private struct KeyedObjectCheck {
  private let schema: Schema
  private let keyFields: KeyFields
  private let embedded: EmbeddedFields
  /// The nodes of connections without key fields are reported one by one.
  private var visited: Set<String>
  private var unkeyed: [(type: String, field: SourceSpan)] = []

  init(schema: Schema) {
    self.schema = schema
    keyFields = KeyFields(schema: schema)
    embedded = EmbeddedFields(schema: schema)
    visited = Set(ClientRule.unkeyedNodes(of: schema).map(\.node.name))
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

  mutating func visit(_ selectionSet: SelectionSet, on type: NamedType?) {
    guard let type else { return }
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        guard let selectionSet = field.selectionSet,
          let definition = schema.field(named: field.name.value, on: type)
        else { continue }
        let fieldType = schema.type(of: definition.type)
        if let fieldType, !embedded.contain(field.name.value, on: [type]) { note(fieldType, at: field.name.span) }
        visit(selectionSet, on: fieldType)
      case .inlineFragment(let fragment):
        visit(fragment.selectionSet, on: fragment.typeCondition.map { schema.type(named: $0.value) } ?? type)
      case .fragmentSpread: break
      }
    }
  }

  private mutating func note(_ type: NamedType, at field: SourceSpan) {
    for object in schema.possibleTypes(of: type) where visited.insert(object.name).inserted {
      guard let id = object.fields["id"], id.type.isNonNull, schema.type(of: id.type)?.isLeaf == true,
        !id.arguments.contains(where: \.isRequired), !keyFields.isDeclared(on: .object(object))
      else { continue }
      unkeyed.append((object.name, field))
    }
  }
}
