public import Foundation

extension ApolloStore {
  /// How a store was used in a way that cannot work.
  public enum Error: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// A transaction was used after its body had ended: it is valid inside of its body only. The name is that of Apollo
    /// iOS 1.x and 2.x.
    case notWithinReadTransaction

    /// A call was made inside of a transaction's body, or by a task that the body started, and needs to wait for that
    /// body. The body would wait for the call, and neither would ever end.
    ///
    /// - Parameters:
    ///   - call: What was called.
    ///   - transaction: The call whose body was running.
    case isWithinTransaction(call: String, transaction: String)

    /// A list was to be changed, and the cache has none at this place.
    ///
    /// - Parameter key: The path to the list.
    case noList(at: CacheKey)

    /// One sentence that says what happened, and what to do instead.
    public var description: String {
      switch self {
      case .notWithinReadTransaction:
        "A transaction of an ApolloStore was used after its body had ended. Use it inside of its body only."
      case .isWithinTransaction(let call, let transaction):
        "'\(call)' was called inside of the body of '\(transaction)' on the same store, and would wait for that body to "
          + "end. Use the transaction that the body was given, or make the call when the body has ended."
      case .noList(let key):
        "The cache has no list at '\(key)'. ApolloStore.dump() shows what it has, and how fields with arguments are named."
      }
    }

    /// The sentence of ``description``.
    public var errorDescription: String? { description }
  }
}
