import GraphQLSchema
import GraphQLSyntax

/// Finds the fields whose objects the cache keeps inside of the object that has the field, though they have keys:
/// `@embedded` on the field, or `@embeddedField(name:)` on its type.
struct EmbeddedFields {
  let statements: FieldStatements<Bool>
  private let schema: Schema

  /// Reads the directives of a schema.
  init(schema: Schema) {
    self.schema = schema
    statements = FieldStatements(.embedded, .embeddedField, in: schema) { _, _ in true }
  }

  /// Whether the objects of a field are embedded: if one of the types says so, or one of their interfaces, or all object
  /// types that an abstract type stands for.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - types: The types that the object is known to satisfy.
  /// - Returns: False if the schema says nothing of it.
  func contain(_ field: String, on types: [NamedType]) -> Bool {
    guard !statements.isEmpty else { return false }
    func says(_ type: NamedType) -> Bool {
      ([type.name] + type.interfaces.map(\.value)).contains { statements.isStated(field, on: $0) }
    }
    return types.contains { type in
      if says(type) { return true }
      let possible = type.isAbstract ? schema.possibleTypes(of: type).compactMap { schema.type(named: $0.name) } : []
      return !possible.isEmpty && possible.allSatisfy(says)
    }
  }
}
