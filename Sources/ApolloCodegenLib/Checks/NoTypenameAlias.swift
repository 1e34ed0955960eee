import GraphQLSyntax

extension ClientRule {
  /// No field but `__typename` has the response key `__typename`, because the client reads the type of an object there.
  static let noTypenameAlias = ClientRule { context in
    var diagnostics: [Diagnostic] = []
    func check(_ selectionSet: SelectionSet) {
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field):
          if let alias = field.alias, alias.value == "__typename", field.name.value != "__typename" {
            diagnostics.append(
              Diagnostic(
                .typenameAlias, "\"__typename\" cannot be an alias: the client needs the name of the object's type.",
                at: alias.span, help: "Choose another alias."))
          }
          field.selectionSet.map(check)
        case .inlineFragment(let fragment): check(fragment.selectionSet)
        case .fragmentSpread: break
        }
      }
    }
    for operation in context.document.operations { check(operation.selectionSet) }
    for fragment in context.document.fragments { check(fragment.selectionSet) }
    return diagnostics
  }
}
