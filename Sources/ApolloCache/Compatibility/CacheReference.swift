public import ApolloAPI

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Makes a reference from one record to another, in the form of Apollo iOS 0.x and 1:
///
///     let records: RecordSet = ["QUERY_ROOT": ["hero": CacheReference("Droid:2001")]]
///
/// There it is a type. In this package the value of a field is a ``Record/Value``, and this makes one of its cases,
/// `Record.Value.reference(_:)`. Code with `value as? CacheReference` uses `Record.Value.referencedKey` instead.
public let CacheReference = CacheReferences()

/// Makes references; see ``CacheReference``.
public struct CacheReferences: Sendable {
  /// A reference to the record with a key.
  public func callAsFunction(_ key: CacheKey) -> Record.Value { .reference(key) }

  /// A reference to the record with a key, with the argument label of Apollo iOS 0.x.
  public func callAsFunction(key: CacheKey) -> Record.Value { .reference(key) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// A reference to the root record of queries, `QUERY_ROOT`.
  public var RootQuery: Record.Value { rootCacheReference(for: .query) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// A reference to the root record of mutations, `MUTATION_ROOT`.
  public var RootMutation: Record.Value { rootCacheReference(for: .mutation) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// A reference to the root record of subscriptions, `SUBSCRIPTION_ROOT`.
  public var RootSubscription: Record.Value { rootCacheReference(for: .subscription) }

  /// A reference to the root record of operations of a type.
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
