public import ApolloAPI

/// A reference from one record to another, as releases 0.x and 1.x of Apollo iOS write it:
///
///     let records: RecordSet = ["QUERY_ROOT": ["hero": CacheReference("Droid:2001")]]
///
/// There it is a type of its own; here a field's value is a ``Record/Value``, and this makes one of its cases,
/// ``Record/Value/reference(_:)``. Code that asks `value as? CacheReference` asks for ``Record/Value/referencedKey`` in its
/// place.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CacheReference = CacheReferences()

/// Makes references: see ``CacheReference``.
public struct CacheReferences: Sendable {
  /// A reference to the record with a key.
  public func callAsFunction(_ key: CacheKey) -> Record.Value { .reference(key) }

  /// A reference to the record with a key, under the label of releases 0.x of Apollo iOS.
  public func callAsFunction(key: CacheKey) -> Record.Value { .reference(key) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Where the fields of queries begin.
  public var RootQuery: Record.Value { rootCacheReference(for: .query) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Where the fields of mutations begin.
  public var RootMutation: Record.Value { rootCacheReference(for: .mutation) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Where the fields of subscriptions begin.
  public var RootSubscription: Record.Value { rootCacheReference(for: .subscription) }

  /// Where the fields of operations of a type begin.
  public func rootCacheReference(for operationType: GraphQLOperationType) -> Record.Value {
    .reference(operationType.rootKey)
  }
}

extension Record.Value {
  /// The key that a reference leads to; nil for any other value.
  public var referencedKey: CacheKey? {
    if case .reference(let key) = self { key } else { nil }
  }
}
