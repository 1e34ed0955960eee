import ApolloAPI

/// What the app says of the pages beside those of one output. It is asked once: its `transform` may run for that.
final class PageInfos: Sendable {
  private let infos = Locked<[PaginationDirection: any PaginationInfo]>([:])

  /// What the last page in a direction says.
  ///
  /// - Parameters:
  ///   - direction: The direction.
  ///   - make: Asks the app, not under a lock. nil: there is no page.
  /// - Returns: What it says; nil if there is no page.
  func info(_ direction: PaginationDirection, _ make: () -> (any PaginationInfo)?) -> (any PaginationInfo)? {
    if let known = infos.withLock({ $0[direction] }) { return known }
    let info = make()
    infos.withLock { $0[direction] = info }
    return info
  }
}
