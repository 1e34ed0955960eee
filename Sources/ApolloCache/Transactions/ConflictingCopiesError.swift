public import ApolloAPI
public import Foundation

/// Copies of one field of a model have different values, and none of them is the value that the cache has.
///
/// A model has copies of a field where fragments select it once more, and where two ways lead to the same object. It is
/// enough to change one of the copies.
public struct ConflictingCopiesError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// Where one of the copies is in the model: names of members and indices, such as `hero.heroDetails.name`.
  public let first: [PathComponent]
  /// Where the other one is.
  public let second: [PathComponent]

  public var description: String {
    func text(_ path: [PathComponent]) -> String { path.map(\.description).joined(separator: ".") }
    return "'\(text(first))' and '\(text(second))' are copies of one field, and have been given different values."
  }

  public var errorDescription: String? { description }
}
