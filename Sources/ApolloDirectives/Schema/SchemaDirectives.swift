package import GraphQLSchema
package import GraphQLSyntax

/// What the directives of the client say about the types and the fields of a schema.
///
/// Fields are asked for with the types that their object is known to satisfy, the narrowest last.
package struct SchemaDirectives: Sendable {
  let schema: Schema
  let keyFields: KeyFields
  let fieldPolicies: FieldPolicies
  let embeddedFields: EmbeddedFields
  let paginatedFields: PaginatedFields
  /// Whether the objects of fields are deleted together with the object that has the field.
  let deletedFields: FieldStatements<Bool>
  let cacheControl: CacheControl
  let nullability: Nullability

  /// Reads the directives of a schema.
  package init(_ schema: Schema) {
    self.schema = schema
    keyFields = KeyFields(schema: schema)
    fieldPolicies = FieldPolicies(schema: schema)
    embeddedFields = EmbeddedFields(schema: schema)
    paginatedFields = PaginatedFields(schema: schema)
    deletedFields = FieldStatements(.onDelete, .onDeleteField, in: schema) { _, directive in
      if case .boolean(let cascades)? = directive.argument("cascade")?.kind { cascades } else { nil }
    }
    cacheControl = CacheControl(schema: schema)
    nullability = Nullability(schema: schema)
  }

  /// What stands for the value of a field in a model, and for the elements of its lists, from the outside in.
  ///
  /// - Parameters:
  ///   - field: The field of a prepared document.
  ///   - definition: The definition of the field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  /// - Returns: One form for each level; nil if the field has the nulls of the schema.
  package func nullForms(
    of field: Field, _ definition: FieldDefinition, on types: [NamedType]
  ) -> [NullForm]? {
    nullability.forms(of: field, definition, on: types)
  }

  /// What happens if a field is null; nil if it may be.
  package func requiredAction(of field: Field) -> RequiredAction? { nullability.requiredAction(of: field) }

  /// The levels at which a field of a type is null only if there is an error.
  package func semanticLevels(of field: String, on type: NamedType) -> Set<Int> {
    nullability.semanticLevels(of: field, on: type)
  }

  /// The fields that identify the objects of a type; empty if they have no key, or if it depends on their types.
  package func keyFields(of type: NamedType) -> [String] { keyFields.of(type) }

  /// The key fields that the policy on the type itself names; nil if it has none.
  package func ownKeyFields(of type: NamedType) -> [String]? { keyFields.policy(of: type) }

  /// Whether the schema says which key fields an object type has, or that it has none.
  package func declareKeyFields(of type: NamedType) -> Bool { keyFields.isDeclared(on: type) }

  /// The fields of a type whose objects are deleted with its objects, in the order of the schema.
  package func cascadingFields(of type: NamedType) -> [String] {
    guard !deletedFields.isEmpty else { return [] }
    return (type.fields ?? NamedList()).map(\.name.value).filter { deletedFields.of($0, on: type).first?.value == true }
  }

  /// How old the objects of a type may be, as the type or its interfaces say; nil if they do not say it.
  package func maxAge(of type: NamedType) -> DeclaredAge? { cacheControl.statements(aboutType: type).first?.value }

  /// How old the fields of a type may be, as the type or its interfaces say, in the order of the schema.
  package func fieldMaxAges(of type: NamedType) -> [(field: String, age: DeclaredAge)] {
    cacheControl.fieldAges(of: type)
  }

  /// Whether objects that are selected on a type may be for one user.
  package func isPrivate(_ type: NamedType) -> Bool { cacheControl.isPrivate(type) }

  /// The arguments that tell which object a field leads to, or paths such as `input.id`; nil if the schema does not tell.
  package func keyArguments(of field: FieldDefinition, on types: [NamedType]) -> [String]? {
    fieldPolicies.keyArguments(of: field, on: types)
  }

  /// How the cache makes one list of the pages of a field; nil if the schema does not tell.
  package func pagination(of field: FieldDefinition, on types: [NamedType]) -> Pagination? {
    paginatedFields.of(field, on: types)
  }

  /// Whether the cache keeps the objects of a field inside of the object that has the field, though they have keys.
  package func isEmbedded(_ field: FieldDefinition, on types: [NamedType]) -> Bool {
    embeddedFields.contain(field.name.value, on: types) || paginatedFields.haveObjectsAsPages(field, on: types)
      || paginatedFields.haveEdges(field, on: types)
  }

  /// How old the value of a field may be, and whether it is for one user.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - types: The types that the object is known to satisfy, the narrowest last.
  ///   - operationAge: What the operation says.
  ///   - parentAge: The age that types say of the object, in seconds.
  /// - Returns: The age.
  package func age(
    of field: FieldDefinition, on types: [NamedType], operationAge: DeclaredAge?, parentAge: Int?
  ) -> FieldAge {
    guard let type = schema.type(of: field.type) else { return FieldAge() }
    return cacheControl.age(
      ofField: field.name.value, type: type, on: types, operationAge: operationAge, parentAge: parentAge)
  }

  /// What an operation says about the age of a field; nil if it says nothing.
  package func age(of field: Field) -> DeclaredAge? { cacheControl.age(of: field) }

  /// Whether operations or fragments say how old fields may be.
  package func haveAges(in document: Document) -> Bool { cacheControl.isUsed(in: document) }
}
