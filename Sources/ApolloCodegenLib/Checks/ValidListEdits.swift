import ApolloIR
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// Directives that change lists of the cache are on fields that have what they need.
  static let validListEdits = ClientRule { context in
    var check = ListEditCheck(schema: context.schema)
    for operation in context.document.operations {
      let isQuery = operation.operation == .query
      check.visit(
        operation.selectionSet, on: context.schema.rootType(for: operation.operation).map { .object($0) },
        isQuery: isQuery)
    }
    for fragment in context.document.fragments {
      check.visit(
        fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.value), isQuery: false)
    }
    return check.diagnostics
  }
}

private struct ListEditCheck {
  let schema: Schema
  private let keyFields: KeyFields
  private(set) var diagnostics: [Diagnostic] = []

  init(schema: Schema) {
    self.schema = schema
    keyFields = KeyFields(schema: schema)
  }

  /// Visits selections. Those on types that there are not, or that have no fields, are reported by other rules.
  mutating func visit(_ selectionSet: SelectionSet, on type: NamedType?, isQuery: Bool) {
    guard let type else { return }
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        let definition = schema.field(named: field.name.value, on: type)
        let fieldType = definition.flatMap { schema.type(of: $0.type) }
        if let fieldType { check(field, of: fieldType, isQuery: isQuery) }
        if let inner = field.selectionSet { visit(inner, on: fieldType, isQuery: isQuery) }
      case .inlineFragment(let fragment):
        visit(
          fragment.selectionSet, on: fragment.typeCondition.map { schema.type(named: $0.value) } ?? type,
          isQuery: isQuery)
      case .fragmentSpread: break
      }
    }
  }

  private mutating func check(_ field: Field, of type: NamedType, isQuery: Bool) {
    for directive in field.directives {
      guard let kind = ListDirective.Kind(rawValue: directive.name.value) else { continue }
      if let problem = problem(kind, field, of: type, isQuery: isQuery) {
        diagnostics.append(Diagnostic(.invalidListEdit, problem.message, at: directive.span, help: problem.help))
      } else if let type = node(kind, of: type).flatMap(unkeyed) {
        diagnostics.append(
          Diagnostic(
            .unkeyedNodes, severity: .warning,
            "Objects of \"\(type)\" have no key fields, so the cache cannot put them in a list.", at: directive.span,
            help: "extend type \(type) @typePolicy(keyFields: \"id\")"))
      }
    }
  }

  /// The type of the objects that come into a list.
  private func node(_ kind: ListDirective.Kind, of type: NamedType) -> NamedType? {
    switch kind {
    case .appendNode, .prependNode: type
    case .appendEdge, .prependEdge: schema.field(named: "node", on: type).flatMap { schema.type(of: $0.type) }
    case .deleteEdge, .deleteRecord: nil
    }
  }

  private func problem(
    _ kind: ListDirective.Kind, _ field: Field, of type: NamedType, isQuery: Bool
  ) -> (message: String, help: String)? {
    let name = "\"\(field.responseKey)\""
    if isQuery {
      return ("\(name) is a field of a query, which changes no lists.", "Put it in a mutation or a subscription.")
    }
    switch kind {
    case .appendNode, .prependNode:
      guard !type.isLeaf else { return ("\(name) is not an object.", "Put it on the field that leads to the node.") }
      return nil
    case .appendEdge, .prependEdge:
      guard let node = node(kind, of: type), !node.isLeaf else {
        return ("\(name) is not an edge: it has no field \"node\".", "Use @appendNode or @prependNode for a node.")
      }
      return nil
    case .deleteEdge, .deleteRecord:
      return type.isLeaf ? nil : ("\(name) is not an ID.", "Put it on the field with the ID of the object.")
    }
  }

  /// The first object type without a key among those that a type stands for.
  private func unkeyed(_ type: NamedType) -> String? {
    schema.possibleTypes(of: type).first { keyFields.of(.object($0)).isEmpty }?.name
  }
}
