import ApolloAPI

/// The schemas of the operations that a store has read or written, and those that the app has named.
final class KnownSchemas: Sendable {
  private let all = Locked<[any SchemaMetadata.Type]>([])

  func insert(_ schema: (any SchemaMetadata.Type)?) {
    guard let schema else { return }
    all.withLock { if !$0.contains(where: { $0 == schema }) { $0.append(schema) } }
  }

  /// The fields whose objects are deleted with objects of a type.
  func cascadingFields(of typename: String) -> Set<String> {
    all.withLock { Set($0.flatMap { $0.objectType(forTypename: typename)?.cascadingFields ?? [] }) }
  }

  /// Whether one of them declares ages.
  var declareMaxAges: Bool { all.withLock { $0.contains { $0.declaresMaxAges } } }

  /// A type in the first schema that declares ages for it.
  func object(withAges typename: String) -> Object? {
    for schema in all.withLock({ $0 }) where schema.declaresMaxAges {
      let object = schema.objectType(forTypename: typename)
      if let object, object.maxAge != nil || !object.fieldMaxAges.isEmpty { return object }
    }
    return nil
  }
}
