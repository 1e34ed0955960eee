extension PaginationPolicy {
  /// Whether a page without cursors comes behind others. If it is null, it takes nothing away from them.
  ///
  /// - Parameter input: The arguments of the page.
  /// - Returns: False if it is the first page or a connection.
  func isLater(_ input: FieldPolicy.InputData) -> Bool {
    switch style {
    case .key, .relay: false
    case .offset: int(0, input) ?? 0 > 0
    case .page(let first): int(0, input) ?? first > first
    case .append: hasArguments(input)
    }
  }

  /// Merges a page with the list, or with the object that has the list.
  ///
  /// - Parameters:
  ///   - page: What came in.
  ///   - existing: What the cache has; nil if it has nothing.
  ///   - input: The arguments of the page.
  ///   - records: The records of the cache, which tell what was removed; nil: nothing was.
  ///   - firstNew: Numbers of records from this one on are not in what the cache has.
  ///   - isAgain: Whether less of the page has come already with an earlier part of its response.
  /// - Returns: What the cache keeps; nil if it does not take the page.
  func merge(
    _ page: RecordValue, with existing: RecordValue?, _ input: FieldPolicy.InputData, in records: RecordSnapshot?,
    firstNew: Int32, isAgain: Bool
  ) -> RecordValue? {
    // Pages around it may have been loaded since.
    let keepsPages = keepsPages || isAgain
    switch style {
    case .key: return page
    case .relay:
      guard case .object(let new) = page else { return page }
      var old: ObjectRecord?
      if case .object(let object)? = existing { old = object }
      return .object(
        ConnectionMerge(
          after: cursor(3, input), before: cursor(2, input), keepsPages: keepsPages, firstNew: firstNew,
          isAgain: isAgain
        ).merge(new, with: old))
    case .offset:
      let offset = int(0, input) ?? 0
      return ListMerge.part(offset: offset, limit: int(1, input), keepsPages).merge(page, with: existing, in: records)
    case .page(let first):
      return ListMerge.page(number: max(0, (int(0, input) ?? first) - first), size: int(1, input), keepsPages)
        .merge(page, with: existing, in: records)
    case .append:
      return (hasArguments(input) ? ListMerge.append : .replace(keepsPages: isAgain)).merge(page, with: existing)
    }
  }
}
