import GraphQLSchema
import GraphQLSyntax

/// Finds the fields whose objects the cache keeps inside of the object that has the field, though they have keys:
/// `@embedded` on the field, or `@embeddedField(name:)` on its type.
struct EmbeddedFields {
  /// The names of `@embedded` in the schema.
  let names: Set<String>
  /// The names of `@embeddedField` in the schema.
  let fieldNames: Set<String>
  private let schema: Schema
  /// The names of the fields, by the name of their type.
  private var fields: [String: Set<String>] = [:]

  /// Reads the directives of a schema.
  init(schema: Schema) {
    self.schema = schema
    names = PolicyDirective.embedded.names(in: schema)
    fieldNames = PolicyDirective.embeddedField.names(in: schema)
    for type in schema.definedTypes where type.isComposite {
      let embedded = directives(of: type).map(\.field)
      if !embedded.isEmpty { fields[type.name] = Set(embedded) }
    }
  }

  /// The directives on the fields of a type, and those of the type that name a field of it.
  func directives(of type: NamedType) -> [(field: String, directive: Directive)] {
    type.directives(onFields: names, namingFields: fieldNames)
  }

  /// Whether the objects of a field are embedded: if one of the types says so, or one of their interfaces, or all object
  /// types that an abstract type stands for.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - types: The types that the object is known to satisfy.
  /// - Returns: False if the schema says nothing of it.
  func contain(_ field: String, on types: [NamedType]) -> Bool {
    guard !fields.isEmpty else { return false }
    func says(_ type: NamedType) -> Bool {
      ([type.name] + type.interfaces.map(\.value)).contains { fields[$0]?.contains(field) == true }
    }
    return types.contains { type in
      if says(type) { return true }
      let possible = type.isAbstract ? schema.possibleTypes(of: type).compactMap { schema.type(named: $0.name) } : []
      return !possible.isEmpty && possible.allSatisfy(says)
    }
  }
}
