import ApolloIR
import GraphQLSchema
import GraphQLSyntax

extension ClientRule {
  /// No alias has the name of a key field, because the generator adds missing key fields under their own names.
  static let noKeyFieldAlias = ClientRule { context in
    let schema = context.schema
    let keyFields = KeyFields(schema: schema)
    var diagnostics: [Diagnostic] = []
    func check(_ selectionSet: SelectionSet, on type: NamedType?) {
      guard let type else { return }
      let keys = keyFields.of(type)
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field):
          if let alias = field.alias, keys.contains(alias.value), field.name.value != alias.value {
            diagnostics.append(
              Diagnostic(
                .keyFieldAlias,
                "\"\(alias.value)\" cannot be an alias here: it is a part of the key of \"\(type.name)\".",
                at: alias.span,
                help: "Choose another alias."))
          }
          let fieldType = schema.field(named: field.name.value, on: type).flatMap { schema.type(of: $0.type) }
          if let selectionSet = field.selectionSet { check(selectionSet, on: fieldType) }
        case .inlineFragment(let fragment):
          check(
            fragment.selectionSet, on: fragment.typeCondition.map { schema.type(named: $0.value) } ?? type)
        case .fragmentSpread: break
        }
      }
    }
    for operation in context.document.operations {
      check(operation.selectionSet, on: schema.rootType(for: operation.operation).map { .object($0) })
    }
    for fragment in context.document.fragments {
      check(fragment.selectionSet, on: schema.type(named: fragment.typeCondition.value))
    }
    return diagnostics
  }
}
