/// What functions of the app have merged of one response that comes in parts.
///
/// Each part is stored as the whole response so far. So a value comes in again with every later part, and is merged once
/// all the same. Values are kept in the form that functions see, because a store may give its records new numbers
/// between parts.
package final class MergedParts: Sendable {
  /// Where a value is: in which record, and behind which fields.
  struct Place: Hashable {
    let record: String?
    let path: String
  }

  private struct Merged {
    /// What the cache had before the first part.
    let existing: CachedValue.Field?
    /// What came in with the last part.
    let incoming: [CachedValue]
    /// What the cache had after it.
    var result: CachedValue?
  }

  private let merged = Locked<[Place: Merged]>([:])

  /// Nothing.
  package init() {}

  /// Notes what comes in with a part. If something else has written or removed the value since the last part, what the
  /// cache has counts, and not what it had before the first part: nothing is lost, and nothing comes back.
  ///
  /// - Parameters:
  ///   - incoming: The values, one for each set of arguments.
  ///   - existing: What the cache has.
  ///   - place: Where it has it.
  /// - Returns: What the part is merged with, and whether the same came in with the part before.
  func note(
    _ incoming: [CachedValue], over existing: CachedValue.Field?, at place: Place
  ) -> (existing: CachedValue.Field?, isSame: Bool) {
    merged.withLock { merged in
      guard let earlier = merged[place] else {
        merged[place] = Merged(existing: existing, incoming: incoming)
        return (existing, false)
      }
      if existing != nil, earlier.incoming == incoming { return (earlier.existing, true) }
      let before = earlier.result == existing?.value ? earlier.existing : existing
      merged[place] = Merged(existing: before, incoming: incoming)
      return (before, false)
    }
  }

  /// Notes what the cache has after a part.
  func note(result: CachedValue, at place: Place) { merged.withLock { $0[place]?.result = result } }
}
