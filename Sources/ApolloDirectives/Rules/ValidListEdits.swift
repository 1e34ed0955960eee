import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// Directives that change lists of the cache are on fields that have what they need.
  static let validListEdits = DirectiveRule { context in
    let check = ListEditCheck(schema: context.schema, keyFields: context.directives.keyFields)
    return context.selectedFields.flatMap(check.diagnostics)
  }
}

private struct ListEditCheck {
  let schema: Schema
  let keyFields: KeyFields

  func diagnostics(of selected: SelectedField) -> [Diagnostic] {
    guard let type = selected.fieldType else { return [] }
    return selected.field.directives.compactMap { directive in
      guard let kind = ListDirective.Kind(rawValue: directive.name.value) else { return nil }
      let isOfQueries = selected.operations == [.query]
      if let problem = problem(kind, selected.field, of: type, isQuery: isOfQueries && !selected.isOfFragment) {
        return Diagnostic(.invalidListEdit, problem, at: directive)
      }
      if isOfQueries {
        // What spreads the fragment elsewhere may be in documents that this run does not read.
        return Diagnostic(
          .invalidListEdit, severity: .warning,
          "\"\(selected.field.responseKey)\" is a field of a fragment that only queries spread, which change no lists.",
          at: directive.span, help: "Spread the fragment in a mutation or a subscription.")
      }
      return node(kind, of: type).flatMap(unkeyed).map { type in
        Diagnostic(
          .unkeyedNodes, severity: .warning,
          "Objects of \"\(type.name)\" have no key fields, so the cache cannot put them in a list.",
          at: directive.span,
          help: keyFields.isDeclared(on: type)
            ? "Give the type key fields." : "extend type \(type.name) @typePolicy(keyFields: \"id\")")
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
  ) -> DirectiveProblem? {
    let name = "\"\(field.responseKey)\""
    if isQuery {
      return DirectiveProblem(
        "\(name) is a field of a query, which changes no lists.", help: "Put it in a mutation or a subscription.")
    }
    switch kind {
    case .appendNode, .prependNode:
      return type.isLeaf
        ? DirectiveProblem("\(name) is not an object.", help: "Put it on the field that leads to the node.") : nil
    case .appendEdge, .prependEdge:
      guard let node = node(kind, of: type), !node.isLeaf else {
        return DirectiveProblem(
          "\(name) is not an edge: it has no field \"node\".", help: "Use @appendNode or @prependNode for a node.")
      }
      return nil
    case .deleteEdge, .deleteRecord:
      return type.isLeaf
        ? nil : DirectiveProblem("\(name) is not an ID.", help: "Put it on the field with the ID of the object.")
    }
  }

  /// The first object type without a key among those that a type stands for.
  private func unkeyed(_ type: NamedType) -> NamedType? {
    schema.possibleTypes(of: type).map { NamedType.object($0) }.first { keyFields.of($0).isEmpty }
  }
}
