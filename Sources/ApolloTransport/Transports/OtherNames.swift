public import ApolloAPI

/// The policies of Apollo iOS 1, under their name in Apollo iOS 2.
public typealias CachePolicy_v1 = CachePolicy

/// A JSON object whose values may be written as JSON, under its name in Apollo iOS 1: strings, numbers, lists, objects,
/// and `Variables`.
public typealias JSONEncodableDictionary = JSONObject

/// A cancellable for something that is over already, for code that was written for Apollo iOS 1.
public final class EmptyCancellable: Cancellable, Sendable {
  /// Makes a cancellable.
  public init() {}
  /// Does nothing.
  public func cancel() {}
}

/// Called with each result of an operation, or with the error that ended it, on the queue that the caller names. By
/// default that is the main queue.
///
/// It is a plain closure, as in every release of Apollo iOS: it may capture values that are not `Sendable`, and, if it
/// is made on the main actor, it may change what belongs to the main actor. On a queue other than `.main`, a closure
/// that was made on the main actor stops the process in Swift 6 mode, and races in Swift 5 mode. So name another queue
/// only for a closure that is made outside of any actor, or that is `@Sendable`.
public typealias GraphQLResultHandler<Data: SelectionSet> = (Result<GraphQLResult<Data>, any Error>) -> Void
