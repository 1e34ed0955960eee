import Foundation

/// Transformers are equal if they make the same address.
extension GraphQLGETTransformer: Hashable {
  /// Compares the addresses.
  public static func == (a: Self, b: Self) -> Bool { a.createGetURL() == b.createGetURL() }

  /// Feeds the address into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(createGetURL()) }
}
