/// How a page changes a list that has no cursors.
enum ListMerge {
  /// The page takes the place of the list.
  case replace
  /// The page comes behind the list.
  case append
  /// The page begins at an index. If it is shorter than `limit`, the list ends with it.
  case part(offset: Int, limit: Int?, Bool)
  /// The page has a number, from 0. Without a size, all pages before it have the size of this one.
  case page(number: Int, size: Int?, Bool)

  /// Merges a page with the list, or each list of an object with the list of the object that is there.
  ///
  /// - Parameters:
  ///   - page: What came in.
  ///   - existing: What the cache has; nil if it has nothing.
  /// - Returns: nil if the cache keeps nothing, because the elements before the page are not there.
  func merge(_ page: RecordValue, with existing: RecordValue?) -> RecordValue? {
    switch (page, existing) {
    case (.object(let new), .object(let old)?):
      let fields = new.fields.compactMap { field -> ObjectRecord.Field? in
        guard Elements(field.value) != nil else { return field }
        return merge(field.value, with: old.value(of: field.key)).map { ObjectRecord.Field(field.key, $0) }
      }
      return .object(old.replacingFields(fields))
    case (.object(let new), _):
      let lists = new.fields.filter { Elements($0.value) != nil }
      return lists.contains { merge($0.value, with: nil) == nil } ? nil : page
    default:
      guard let new = Elements(page) else { return page }
      return merge(new, with: Elements(existing))?.value
    }
  }

  private func merge(_ page: Elements, with existing: Elements?) -> Elements? {
    switch self {
    case .replace:
      var list = Elements()
      list.append(page)
      return list
    case .append:
      var list = existing ?? Elements()
      list.append(page)
      return list
    case .page(let number, let size, let keepsPages):
      // A last page may be short, so without a size, its place is behind what is there.
      let length = size ?? max(page.count, existing.map { number == 0 ? 0 : $0.count / number } ?? 0)
      let offset = PaginationPolicy.limited(Int64(number) * Int64(length))
      return ListMerge.part(offset: offset, limit: size, keepsPages).merge(page, with: existing)
    case .part(let offset, let limit, let keepsPages):
      guard let existing else { return offset == 0 ? page : nil }
      guard offset > 0 || keepsPages else { return page }
      // There would be a gap in the list.
      guard offset <= existing.count else { return existing }
      let isLast = limit.map { page.count < $0 } ?? false
      var list = existing.prefix(offset)
      list.append(page)
      if !isLast { list.append(existing.dropFirst(offset + page.count)) }
      return list
    }
  }
}
