import GraphQLSchema
import GraphQLSyntax

/// Finds the arguments that tell which object a field leads to: `@fieldPolicy(forField: "book", keyArgs: "isbn
/// edition")` on the type that has the field, or on an interface that the type implements.
struct FieldPolicies {
  let schema: Schema
  private let directiveNames: Set<String>

  init(schema: Schema) {
    self.schema = schema
    directiveNames = PolicyDirective.fieldPolicy.names(in: schema)
  }

  /// The policy of a field.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  /// - Returns: The policy; nil if the schema declares none.
  func of(_ field: FieldDefinition, on types: [NamedType]) -> FieldPolicy? {
    guard let type = schema.type(of: field.type), type.isComposite else { return nil }
    for owner in types.reversed() {
      let owners = [owner] + owner.interfaces.compactMap { schema.type(named: $0.value) }
      for owner in owners {
        if let arguments = keyArguments(of: field.name.value, on: owner) {
          return FieldPolicy(keyArguments: arguments, types: schema.possibleTypes(of: type).map(\.name))
        }
      }
    }
    return nil
  }

  private func keyArguments(of field: String, on type: NamedType) -> [String]? {
    for directive in type.directives where directiveNames.contains(directive.name.value) {
      guard case .string(let name)? = directive.argument("forField")?.kind, name.value == field,
        case .string(let text)? = directive.argument("keyArgs")?.kind
      else { continue }
      if text.value.names.isEmpty { continue }
      return text.value.names
    }
    return nil
  }
}
