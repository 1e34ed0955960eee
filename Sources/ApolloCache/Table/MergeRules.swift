import ApolloAPI

extension RecordTable {
  /// The rules for merging values.
  struct MergeRules {
    /// Whether an error replaces a value.
    var replacesValuesByErrors = false
    /// Whether the store is used for several users. Then what a server does not let be stored is left out.
    var isShared = false
    /// Whether nulls are left out, since any of them may stand for an error.
    var leavesOutNulls = false
    /// What has become of earlier parts of the response; nil: it comes whole.
    var parts: MergedParts?

    /// Begins a part of a response.
    ///
    /// - Parameters:
    ///   - hasOpenLists: Whether lists of it may be shorter than in the whole answer.
    ///   - records: The records of the store.
    /// - Returns: What tells the news of the part; nil: the response comes whole.
    func beginPart(_ hasOpenLists: Bool, in records: RecordSnapshot) -> MergedParts? {
      guard parts != nil || hasOpenLists else { return nil }
      let parts = parts ?? MergedParts()
      parts.beginPart(in: records, hasOpenLists: hasOpenLists, replacesValuesByErrors: replacesValuesByErrors)
      return parts
    }
  }
}
