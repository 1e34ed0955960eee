import GraphQLSchema
import GraphQLSyntax

/// Finds the fields whose objects the cache deletes together with the object that has the field:
/// `@onDelete(cascade: true)` on the field, or `@onDeleteField(name:cascade:)` on its type.
struct DeletedFields {
  /// What a type says of one of its fields.
  struct Statement {
    /// The name of the type.
    let type: String
    /// Whether the objects of the field are deleted.
    let cascades: Bool
    let directive: Directive
  }

  /// The names of `@onDeleteField` in the schema.
  let fieldNames: Set<String>
  private let names: Set<String>
  private let schema: Schema
  /// What types say of their fields, by the names of both.
  private var fields: [String: [String: Statement]] = [:]

  /// Reads the directives of a schema.
  init(schema: Schema) {
    self.schema = schema
    names = PolicyDirective.onDelete.names(in: schema)
    fieldNames = PolicyDirective.onDeleteField.names(in: schema)
    for type in schema.definedTypes where type.isComposite {
      for (field, directive) in directives(of: type) where fields[type.name]?[field] == nil {
        guard case .boolean(let cascades)? = directive.argument("cascade")?.kind else { continue }
        fields[type.name, default: [:]][field] = Statement(
          type: type.name, cascades: cascades, directive: directive)
      }
    }
  }

  /// The directives on the fields of a type, with the names of the fields; then those of the type that name a field.
  func directives(of type: NamedType) -> [(field: String, directive: Directive)] {
    type.directives(onFields: names, namingFields: fieldNames)
  }

  /// What counts for a field of a type: what the type itself says, or else its interfaces. If interfaces contradict
  /// each other, there are several.
  func statements(aboutField field: String, of type: NamedType) -> [Statement] {
    fields.isEmpty ? [] : schema.statements(about: type) { fields[$0]?[field] }
  }

  /// The fields of a type whose objects are deleted with its objects, in the order of the schema.
  func of(_ type: NamedType) -> [String] {
    guard !fields.isEmpty else { return [] }
    return (type.fields ?? NamedList()).map(\.name.value).filter {
      statements(aboutField: $0, of: type).first?.cascades == true
    }
  }
}

extension NamedType {
  /// The directives about the fields of this type, with the names of the fields.
  ///
  /// - Parameters:
  ///   - names: The names of directives on fields.
  ///   - fieldNames: The names of directives on types that name a field.
  /// - Returns: The directives on fields, then those of the type.
  func directives(
    onFields names: Set<String>, namingFields fieldNames: Set<String>
  ) -> [(field: String, directive: Directive)] {
    var found: [(field: String, directive: Directive)] = []
    for field in fields ?? NamedList() where !field.directives.isEmpty {
      for directive in field.directives where names.contains(directive.name.value) {
        found.append((field.name.value, directive))
      }
    }
    for directive in directives where fieldNames.contains(directive.name.value) {
      if case .string(let name)? = directive.argument("name")?.kind { found.append((name.value, directive)) }
    }
    return found
  }
}
