import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// An object that is a page of a field is a part of the field. Key fields of it mean nothing there, which the schema
  /// confirms where it says that the field is embedded.
  static let keyedPages = DirectiveRule { context in
    let schema = context.schema, directives = context.directives, paginated = directives.paginatedFields
    return schema.definedTypes.flatMap { type in
      paginated.statements(on: type).compactMap { statement -> Diagnostic? in
        guard statement.source == .pagination, let field = schema.field(named: statement.field, on: type),
          paginated.haveObjectsAsPages(field, on: [type]),
          !directives.embeddedFields.contain(statement.field, on: [type]),
          let page = schema.type(of: field.type),
          let keyed = schema.possibleTypes(of: page).first(where: {
            !directives.keyFields(of: .object($0)).isEmpty
          })
        else { return nil }
        let keyword = if case .interface = type { "interface" } else { "type" }
        return Diagnostic(
          .keyedPages, severity: .warning,
          "The pages of \"\(type.name).\(statement.field)\" are kept in this field, and not in the record that the key "
            + "fields of \"\(keyed.name)\" name.",
          at: statement.directive.span,
          help: "If they should be: extend \(keyword) \(type.name) @embeddedField(name: \"\(statement.field)\")")
      }
    }
  }
}
