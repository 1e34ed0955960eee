import GraphQLSyntax

extension DirectiveRule {
  /// No selection takes the name of a key field that the generator adds. On a union or an interface, and beside a field
  /// that has no alias, the field is left out then; elsewhere, the operation could not be sent.
  static let selectableKeyFields = DirectiveRule { context in
    let prepared = PreparedDocument(context.document, directives: context.directives)
    let warnings = withoutRepetition(prepared.conflicts).map { conflict -> Diagnostic in
      let name = conflict.field.place.name
      return Diagnostic(
        .unselectedKeyField, severity: .warning,
        description(of: conflict) + " So the cache cannot tell these objects apart here.", at: conflict.other,
        labels: conflict.other == conflict.field.place.selectionSet
          ? [] : [.init("\"\(name)\" would be selected here", at: conflict.field.place.selectionSet)],
        help: help(for: conflict))
    }
    let errors = prepared.refusedFields.map { conflict -> Diagnostic in
      let name = conflict.field.place.name
      return Diagnostic(
        .keyFieldAlias, description(of: conflict) + " Both cannot be sent together.", at: conflict.other,
        labels: [
          .init("\"\(name)\" is selected here, because the cache needs it", at: conflict.field.place.selectionSet)
        ],
        help: help(for: conflict))
    }
    return warnings + errors
  }

  /// The conflicts, without those that are the other side of one of them.
  private static func withoutRepetition(
    _ conflicts: [PreparedDocument.KeyConflict]
  ) -> [PreparedDocument.KeyConflict] {
    var known: Set<Set<KeyFieldPlace>> = []
    return conflicts.filter { conflict in
      let place = conflict.field.place, other = KeyFieldPlace(name: place.name, selectionSet: conflict.other)
      return !conflict.isBetweenKeys || known.insert([place, other]).inserted
    }
  }

  private static func help(for conflict: PreparedDocument.KeyConflict) -> String {
    conflict.isBetweenKeys ? "Give one of the types other key fields." : "Choose an alias, or another one."
  }

  private static func description(of conflict: PreparedDocument.KeyConflict) -> String {
    let types = Suggestions.list(conflict.field.types.map { "\"\($0)\"" }, "and")
    return "Another selection has the name \"\(conflict.field.place.name)\", which is a part of the key of \(types)."
  }
}
