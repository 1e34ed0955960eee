import GraphQLSyntax

extension DirectiveRule {
  /// No selection takes the name of a key field that the generator adds to a union or an interface.
  static let selectableKeyFields = DirectiveRule { context in
    PreparedDocument(context.document, directives: context.directives).conflicts.map { conflict in
      let types = Suggestions.list(conflict.field.types.map { "\"\($0)\"" }, "and")
      return Diagnostic(
        .unselectedKeyField, severity: .warning,
        "Another selection has the name \"\(conflict.field.name)\", which is a part of the key of \(types). So the cache "
          + "cannot tell these objects apart here.",
        at: conflict.other,
        labels: [
          Diagnostic.Label("\"\(conflict.field.name)\" would be selected here", at: conflict.field.selectionSet)
        ],
        help: "Choose an alias, or another one.")
    }
  }
}
