import ApolloAPI

/// What the schemas that a store knows declare about ages. They are asked once for each type.
struct SchemaAges {
  private let schemas: KnownSchemas
  private var objects: [TypeSymbol: Object?] = [:]

  init(_ schemas: KnownSchemas) { self.schemas = schemas }

  /// How old the objects of a type may be; nil if no schema says it.
  mutating func maxAge(of type: TypeSymbol) -> Object.MaxAge? { object(type)?.maxAge }

  /// How old a field may be; nil if no schema says it.
  mutating func maxAge(of key: FieldKey, on type: TypeSymbol, in records: RecordSnapshot) -> Object.MaxAge? {
    guard let ages = object(type)?.fieldMaxAges, !ages.isEmpty else { return nil }
    return ages[String(records.text(of: key).prefix { $0 != "(" })]
  }

  /// The description of a type in the schema that says something about its ages.
  private mutating func object(_ type: TypeSymbol) -> Object? {
    if let known = objects[type] { return known }
    let object = type.name.flatMap { schemas.object(withAges: $0) }
    objects[type] = .some(object)
    return object
  }
}
