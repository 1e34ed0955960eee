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

  /// Those that declare ages.
  var withAges: [any SchemaMetadata.Type] { all.withLock { $0.filter { $0.declaresMaxAges } } }
}
