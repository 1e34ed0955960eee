// The types by which Apollo iOS 2 tells how an operation is answered. Generic functions of apps name them in their
// clauses.

/// How the server answers an operation, as in Apollo iOS 2. No function of this package depends on it.
public protocol OperationResponseFormat: Sendable {}

/// The answer is one response: that of every operation that does not say otherwise.
///
///     func load<Query: GraphQLQuery>(_ query: Query) async throws -> Query.Data?
///     where Query.ResponseFormat == SingleResponseFormat { … }
public struct SingleResponseFormat: OperationResponseFormat {
  /// Makes a value.
  public init() {}
}

/// The answer is a response in parts, as to an operation with `@defer`.
public struct IncrementalDeferredResponseFormat: OperationResponseFormat {
  /// Makes a value.
  public init() {}
}

/// The answer is a response for each event of a subscription.
public struct SubscriptionResponseFormat: OperationResponseFormat {
  /// Makes a value.
  public init() {}
}
