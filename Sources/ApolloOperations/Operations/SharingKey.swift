import ApolloTransport
package import ApolloAPI
import ApolloCache
import Foundation

/// What two operations must have in common to share an answer, beside what is sent: the value of the app that comes with
/// them, and that in between the store was not cleared, no user was signed out, and no mutation of the client has ended.
package struct SharingKey: Hashable, @unchecked Sendable {
  // Unchecked, because a context need not be Sendable: an object is compared by its identity alone, and never by code of
  // the app that reads what an interceptor may change meanwhile; another value is a copy.

  private let context: AnyHashable?
  private let time: StoreEpoch
  private let endedMutations: Int

  package init<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>) {
    let clearing = passage.store?.lastClearing, signOut = passage.policies?.running.lastSignOut
    self.init(
      passage.context, asked: passage.asked, ends: [clearing, signOut].compactMap(\.self),
      endedMutations: passage.policies?.endedMutations.withLock { $0 } ?? 0)
  }

  /// - Parameters:
  ///   - context: The value of the app. An object is equal to itself only. Another value that is not `Hashable` is equal to
  ///     none.
  ///   - asked: When the operation was asked for.
  ///   - ends: The epochs that the last clearing and the last sign-out have begun. If there are none, because an app runs
  ///     the chain itself, each epoch counts.
  ///   - endedMutations: How many mutations of the client have had their result.
  init(_ context: (any RequestContext)?, asked: StoreEpoch, ends: [StoreEpoch], endedMutations: Int) {
    // (Epochs that other stores have begun do not count.)
    time = ends.max().map { min($0, asked) } ?? asked
    self.endedMutations = endedMutations
    self.context = context.map { context in
      if type(of: context) is AnyClass { return AnyHashable(Held(object: context as AnyObject)) }
      return (context as? any Hashable).map { AnyHashable($0) } ?? AnyHashable(UUID())
    }
  }

  /// An object, which lives as long as it is compared.
  private struct Held: Hashable {
    let object: AnyObject

    static func == (a: Held, b: Held) -> Bool { a.object === b.object }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
  }
}
