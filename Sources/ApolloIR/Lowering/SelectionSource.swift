import GraphQLSchema
import GraphQLSyntax

/// Selections that belong to a shape.
struct SelectionSource {
  var selections: [Selection]
  /// The condition under which they apply, given that the object exists.
  var condition: Condition = .always
  /// The known types of the object at the selections. Set for selections of an enclosing shape.
  var enclosingTypes: [NamedType]?
  /// Inline fragments on this type are read as their contents, because they are the shape that is being built.
  var skippedType: String?
  /// Whether they are in a named fragment on an enclosing object.
  var isMerged = false
}

/// The known types of an object: it satisfies all of these conditions. The last one is the narrowest.
struct KnownTypes {
  var types: [NamedType]
  let schema: Schema

  init(_ types: [NamedType], schema: Schema) {
    self.types = types
    self.schema = schema
  }

  func satisfies(_ condition: NamedType) -> Bool {
    types.contains { schema.isSubtype($0.name, of: condition.name) }
  }

  func canSatisfy(_ condition: NamedType) -> Bool {
    types.allSatisfy { schema.haveCommonPossibleType($0, condition) }
  }

  /// The definition of a field on the narrowest type that has it.
  func field(named name: String) -> FieldDefinition? {
    for type in types.reversed() {
      if let field = schema.field(named: name, on: type) { return field }
    }
    return nil
  }
}
