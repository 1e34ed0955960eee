import ApolloTransport
package import ApolloAPI
import ApolloCache
import Foundation

/// What two operations must have in common to share an answer, beside what is sent: the value of the app that comes with
/// them, and that no store was cleared and no mutation of the client has ended in between.
package struct SharingKey: Hashable, @unchecked Sendable {
  // Unchecked, because a context need not be Sendable: an object is compared by its identity alone, and never by code of
  // the app that reads what an interceptor may change meanwhile; another value is a copy.

  private let context: AnyHashable?
  private let asked: StoreEpoch
  private let endedMutations: Int

  package init<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>) {
    self.init(
      passage.context, asked: passage.asked,
      endedMutations: passage.policies?.endedMutations.withLock { $0 } ?? 0)
  }

  /// - Parameters:
  ///   - context: The value of the app. An object is equal to itself only. Another value that is not `Hashable` is equal to
  ///     none.
  ///   - asked: When the operation was asked for.
  ///   - endedMutations: How many mutations of the client have had their result.
  init(_ context: (any RequestContext)?, asked: StoreEpoch, endedMutations: Int) {
    self.asked = asked
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
