import ApolloAPI

/// When something was asked for, counted in clearings: each clearing of a store begins an epoch.
///
/// What was asked for in an earlier epoch is not written to the store any more, whenever its answer comes. All stores of
/// the process count together, so an epoch has a meaning for each of them.
package struct StoreEpoch: Hashable, Comparable, Sendable {
  private let number: UInt64

  static let first = StoreEpoch(number: 0)
  private static let last = Locked(first)

  /// The epoch of now.
  package static var current: StoreEpoch { last.withLock { $0 } }

  /// Begins the next epoch.
  package static func begin() -> StoreEpoch {
    last.withLock { last in
      last = StoreEpoch(number: last.number + 1)
      return last
    }
  }

  /// Whether an epoch began before another one.
  package static func < (a: StoreEpoch, b: StoreEpoch) -> Bool { a.number < b.number }
}
