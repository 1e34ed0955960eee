public import ApolloAPI
public import Foundation

extension ApolloStore.ReadWriteTransaction {
  /// The error for copies of one field of a model that were given different values.
  ///
  /// A model has copies of a field if several fragments select it, or if two paths lead to one object. It is enough to
  /// change one of the copies.
  public struct ConflictingCopiesError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The path of one of the copies in the model: names of members and indices, such as `hero.heroDetails.name`.
    public let first: [PathComponent]
    /// The path of the other copy.
    public let second: [PathComponent]

    /// One sentence that says what went wrong.
    public var description: String {
      func text(_ path: [PathComponent]) -> String { path.map(\.description).joined(separator: ".") }
      return "'\(text(first))' and '\(text(second))' are copies of one field, and have been given different values."
    }

    /// One sentence that says what went wrong.
    public var errorDescription: String? { description }
  }
}
