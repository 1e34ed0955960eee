import GraphQLSyntax

extension DirectiveRule {
  /// No selection takes the name of a key field that the generator adds. On a union or an interface, the field is left
  /// out then; elsewhere, the operation could not be sent.
  static let selectableKeyFields = DirectiveRule { context in
    let prepared = PreparedDocument(context.document, directives: context.directives)
    let warnings = prepared.conflicts.map { conflict -> Diagnostic in
      let name = conflict.field.place.name
      return Diagnostic(
        .unselectedKeyField, severity: .warning,
        description(of: conflict) + " So the cache cannot tell these objects apart here.", at: conflict.other,
        labels: [.init("\"\(name)\" would be selected here", at: conflict.field.place.selectionSet)],
        help: "Choose an alias, or another one.")
    }
    let errors = prepared.refusedFields.map { conflict -> Diagnostic in
      let name = conflict.field.place.name
      return Diagnostic(
        .keyFieldAlias, description(of: conflict) + " Both cannot be sent together.", at: conflict.other,
        labels: [
          .init("\"\(name)\" is selected here, because the cache needs it", at: conflict.field.place.selectionSet)
        ],
        help: conflict.isBetweenKeys ? "Give one of the types other key fields." : "Choose an alias, or another one.")
    }
    return warnings + errors
  }

  private static func description(of conflict: PreparedDocument.KeyConflict) -> String {
    let types = Suggestions.list(conflict.field.types.map { "\"\($0)\"" }, "and")
    return "Another selection has the name \"\(conflict.field.place.name)\", which is a part of the key of \(types)."
  }
}
