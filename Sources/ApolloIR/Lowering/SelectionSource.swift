import GraphQLSchema
import GraphQLSyntax

/// Selections that contribute to a shape.
struct SelectionSource {
  var selections: [Selection]
  /// When they are there, given that the object is.
  var condition: Condition = .always
  /// What was known of the object's type where they stand. Set for what an enclosing shape selects.
  var enclosingTypes: [NamedType]?
  /// Inline fragments on this type stand for themselves: they are the shape that is being built, not a part of what
  /// encloses it.
  var skippedType: String?
  /// They stand in a named fragment on an object around this one.
  var isMerged = false
}

/// What is known of the type of an object: it satisfies all of these. The last is the narrowest that was asked for.
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
