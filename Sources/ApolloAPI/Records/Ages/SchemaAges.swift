/// What schemas declare about ages. They are asked once for each type.
struct SchemaAges {
  private let schemas: [any SchemaMetadata.Type]
  private var objects: [TypeSymbol: Object?] = [:]

  init(_ schemas: [any SchemaMetadata.Type]) { self.schemas = schemas }

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
    let object = type.name.flatMap { Self.object(named: $0, in: schemas) }
    objects[type] = .some(object)
    return object
  }

  /// The type in the first schema that says something about its ages.
  private static func object(named typename: String, in schemas: [any SchemaMetadata.Type]) -> Object? {
    for schema in schemas {
      let object = schema.objectType(forTypename: typename)
      if let object, object.maxAge != nil || !object.fieldMaxAges.isEmpty { return object }
    }
    return nil
  }
}
