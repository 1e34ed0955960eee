import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@onDelete` and `@onDeleteField` are on fields that lead to objects, and say one thing of each.
  static let validOnDelete = DirectiveRule { context in
    let deleted = context.directives.deletedFields
    return context.schema.definedTypes.filter(\.isComposite).flatMap { type -> [Diagnostic] in
      let directives = deleted.directives(of: type)
      let problems = directives.compactMap { name, directive in
        problem(
          of: directive, onField: name, of: type, in: context.schema, .invalidOnDelete,
          unknown: "whose objects could be deleted", leaf: " that could be deleted")
      }
      let byField = Dictionary(grouping: directives, by: \.field)
      return problems
        + (type.fields ?? NamedList()).map(\.name.value).compactMap { field in
          repetition(
            of: byField[field, default: []].map(\.directive), .invalidOnDelete,
            "\"\(type.name).\(field)\" says more than once what is deleted.")
            ?? contradiction(
              about: type, in: context.schema, .invalidOnDelete,
              advice: ("Let it say so itself", "@onDeleteField(name: \"\(field)\", cascade: …)"),
              { deleted.of(field, on: $0) },
              message: { first, other in
                let (deletes, keeps) = first.value ? (first, other) : (other, first)
                return
                  "The objects of \"\(type.name).\(field)\" are deleted with it as a \"\(deletes.type)\", and stay as a "
                  + "\"\(keeps.type)\"."
              })
        }
    }
  }
}
