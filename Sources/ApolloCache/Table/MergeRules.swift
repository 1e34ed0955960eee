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
    /// What rules have merged of earlier parts of the response; nil: it comes whole.
    var parts: MergedParts?
  }
}
