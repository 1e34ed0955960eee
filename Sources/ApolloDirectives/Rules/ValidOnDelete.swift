import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@onDelete` and `@onDeleteField` are on fields that lead to objects, and say one thing of each.
  static let validOnDelete = DirectiveRule { context in
    let deleted = context.directives.deletedFields
    return context.schema.definedTypes.filter(\.isComposite).flatMap { type -> [Diagnostic] in
      let directives = deleted.directives(of: type)
      return directives.compactMap { problem(of: $1, onField: $0, of: type, in: context.schema) }
        + (type.fields ?? NamedList()).compactMap { field in
          let here = directives.filter { $0.field == field.name.value }.map(\.directive)
          return repetition(of: here, about: "\(type.name).\(field.name)")
            ?? contradiction(about: type, in: context.schema, by: \.cascades) {
              deleted.statements(aboutField: field.name.value, of: $0)
            }.map { Diagnostic(contradiction: $0, field: field.name.value, of: type) }
        }
    }
  }

  private static func problem(
    of directive: Directive, onField name: String, of type: NamedType, in schema: Schema
  ) -> Diagnostic? {
    let fields = type.fields ?? NamedList()
    guard let field = fields[name] else {
      return Diagnostic(
        .invalidOnDelete, "The type \"\(type.name)\" has no field \"\(name)\" whose objects could be deleted.",
        at: directive.span, help: Suggestions.didYouMean(Suggestions.similar(to: name, among: fields.map(\.name.value)))
      )
    }
    guard schema.type(of: field.type)?.isComposite != true else { return nil }
    return Diagnostic(
      .invalidOnDelete, "\"\(type.name).\(name)\" leads to no objects that could be deleted.", at: directive.span,
      help: "Remove @\(directive.name).")
  }

  private static func repetition(of directives: [Directive], about what: String) -> Diagnostic? {
    guard directives.count > 1 else { return nil }
    return Diagnostic(
      .invalidOnDelete, "\"\(what)\" says more than once what is deleted.", at: directives[1].span,
      labels: [.init("the first is here", at: directives[0].span)], help: "Remove one of them.")
  }
}

extension Diagnostic {
  fileprivate init(
    contradiction statements: (DeletedFields.Statement, DeletedFields.Statement), field: String, of type: NamedType
  ) {
    let (first, other) = statements
    let (deletes, keeps) = first.cascades ? (first, other) : (other, first)
    self.init(
      .invalidOnDelete,
      "The objects of \"\(type.name).\(field)\" are deleted with it as a \"\(deletes.type)\", and stay as a "
        + "\"\(keeps.type)\".",
      at: type.definition.name.span,
      labels: [first, other].map { .init("as a \"\($0.type)\"", at: $0.directive.span) },
      help: "Let it say so itself: extend \(type.definition.body.kindName == "interface" ? "interface" : "type") "
        + "\(type.name) @onDeleteField(name: \"\(field)\", cascade: …)")
  }
}
