/// What functions of the app have merged of one response that comes in parts.
///
/// Each part is stored as the whole response so far. So a value comes in again with every later part, and is merged once
/// all the same. Values are kept in the form that functions see, because a store may give its records new numbers
/// between parts.
package final class MergedParts: @unchecked Sendable {
  // Only the turns of one store use it, one after the other.

  /// Where a value is: in which record, and behind which fields.
  struct Place: Hashable {
    let record: String?
    let path: String
  }

  private struct Merged {
    /// What the cache had before the first part.
    let existing: CachedValue.Field?
    /// What came in with the last part.
    var incoming: [CachedValue]
  }

  private var merged: [Place: Merged] = [:]

  /// Nothing.
  package init() {}

  /// Notes what comes in with a part.
  ///
  /// - Parameters:
  ///   - incoming: The values, one for each set of arguments.
  ///   - existing: What the cache has.
  ///   - place: Where it has it.
  /// - Returns: What the cache had before the first part, and whether the same came in with the part before.
  func note(
    _ incoming: [CachedValue], over existing: CachedValue.Field?, at place: Place
  ) -> (existing: CachedValue.Field?, isSame: Bool) {
    guard let earlier = merged[place] else {
      merged[place] = Merged(existing: existing, incoming: incoming)
      return (existing, false)
    }
    merged[place]?.incoming = incoming
    return (earlier.existing, earlier.incoming == incoming)
  }
}
