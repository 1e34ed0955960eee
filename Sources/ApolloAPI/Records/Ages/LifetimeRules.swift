/// What a cache wants to know of how long the values of a response may be kept, beyond what the field tables say.
package struct LifetimeRules: Sendable {
  /// Whether the `extensions` are searched for what the server says of single fields.
  private let readsHints: Bool
  /// Whether values are not stored which the schema says are for one user.
  let leavesOutPrivate: Bool
  /// What the app says of ages; nil: nothing that it says keeps a value out of a backend.
  let ages: AgeRules.Settings?

  /// Makes rules. Those without parameters ask for nothing.
  ///
  /// - Parameters:
  ///   - readsHints: Whether the `extensions` are searched for what the server says of single fields. The default is false.
  ///   - leavesOutPrivate: Whether values are not stored which the schema, or a hint, says are for one user. The default is
  ///     false.
  ///   - ages: What the app says of ages, which may keep a value out of a backend. nil, the default: nothing.
  package init(readsHints: Bool = false, leavesOutPrivate: Bool = false, ages: AgeRules.Settings? = nil) {
    self.readsHints = readsHints
    self.leavesOutPrivate = leavesOutPrivate
    self.ages = ages.flatMap { $0.defaultMaxAge == 0 || $0.maxAge != nil ? $0 : nil }
  }

  /// Whether they apply to every response.
  var areAlwaysAsked: Bool { ages != nil || leavesOutPrivate }

  /// What the `extensions` of a response say of single fields; nil if they say nothing, or are not searched.
  func hints(in extensions: JSONObject?) -> LifetimeHints? {
    readsHints ? LifetimeHints(extensions, keepsPrivate: !leavesOutPrivate) : nil
  }
}
