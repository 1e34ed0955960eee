import ApolloAPI
import Foundation

/// An optimistic update that lasts as long as a mutation, and what is done with the result of the mutation.
package struct OptimisticUpdate: Sendable {
  /// What a guess, or the end of one, does to the cache.
  package typealias Change = @Sendable (ApolloStore.ReadWriteTransaction) throws -> Void

  let id: String
  let token = UUID()
  /// When it was asked for; nil for the guess of a mutation in an outbox.
  let asked: StoreEpoch?
  /// Shows the guess; nil if there is none.
  let guess: Change?

  /// Names a guess; without a name, it gets one of its own.
  package init(id: String?, asked: StoreEpoch?, guess: Change?) {
    self.id = id ?? token.uuidString
    self.asked = asked
    self.guess = guess
  }

  /// Its end: it is taken back, and changes are made for good in its place. One that throws changes nothing, and the
  /// others are made all the same.
  package struct Completion: Sendable {
    let token: UUID
    let changes: [Change]
    let identity: ObjectIdentity
    /// Takes what the backend threw when a change needed records of it. Then neither that change nor those after it are
    /// made: the caller has all of them made later. nil: they are not made later, so the others are made all the same.
    let unread: Locked<(any Error)?>?
  }
}
