extension Task where Failure == Never {
  /// Starts work of an outbox, which has the priority of what has woken the outbox, and nothing else of it.
  ///
  /// That may have been the body of a transaction, or the closure with which an authenticator renews a token. Tasks that
  /// are started there have task-local values that say so: in these, the cache cannot be changed, or requests have no
  /// credentials.
  ///
  /// - Parameter work: The work.
  /// - Returns: The task that does it.
  @discardableResult static func own(_ work: @escaping @Sendable () async -> Success) -> Task {
    Task.detached(priority: Task<Never, Never>.currentPriority, operation: work)
  }
}
