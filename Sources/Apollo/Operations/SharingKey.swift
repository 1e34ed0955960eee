import ApolloCache
import Foundation

/// What two operations must have in common to share an answer, beside what is sent: the value of the app that comes with
/// them, and that no store was cleared in between.
struct SharingKey: Hashable, @unchecked Sendable {
  // Sendable: the value is only compared.

  private let context: AnyHashable?
  private let asked: StoreEpoch

  /// - Parameters:
  ///   - context: The value of the app. One that is neither `Hashable` nor an object is like no other.
  ///   - asked: When the operation was asked for.
  init(_ context: (any RequestContext)?, asked: StoreEpoch) {
    self.asked = asked
    self.context = context.map { context in
      if let value = context as? any Hashable { return AnyHashable(value) }
      return type(of: context) is AnyClass ? AnyHashable(Held(object: context as AnyObject)) : AnyHashable(UUID())
    }
  }

  /// An object, which lives as long as it is compared.
  private struct Held: Hashable {
    let object: AnyObject

    static func == (a: Held, b: Held) -> Bool { a.object === b.object }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
  }
}
