import GraphQLSchema
import GraphQLSyntax

/// Finds the arguments that tell which object a field leads to: `@fieldPolicy(forField: "book", keyArgs: "isbn
/// edition")` on the type that has the field, or on an interface that the type implements.
struct FieldPolicies {
  private let schema: Schema
  private let directiveNames: Set<String>

  init(schema: Schema) {
    self.schema = schema
    directiveNames = PolicyDirective.fieldPolicy.names(in: schema)
  }

  /// The arguments that tell which object a field leads to.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  /// - Returns: Names of arguments, or paths such as `input.id`; nil if the schema declares none.
  func keyArguments(of field: FieldDefinition, on types: [NamedType]) -> [String]? {
    guard let type = schema.type(of: field.type), type.isComposite else { return nil }
    for owner in types.reversed() {
      let owners = [owner] + owner.interfaces.compactMap { schema.type(named: $0.value) }
      for owner in owners {
        if let arguments = keyArguments(of: field.name.value, on: owner) { return arguments }
      }
    }
    return nil
  }

  private func keyArguments(of field: String, on type: NamedType) -> [String]? {
    directives(on: type).lazy.filter { $0.text("forField") == field }.compactMap { $0.text("keyArgs")?.names }
      .first { !$0.isEmpty }
  }

  /// The policies on a type.
  func directives(on type: NamedType) -> [Directive] {
    type.directives.filter { directiveNames.contains($0.name.value) }
  }
}
