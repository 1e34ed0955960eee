/// How a page changes a list that has no cursors.
enum ListMerge {
  /// The page takes the place of the list. If pages are kept, and elements have keys, it comes behind the list: what is
  /// in it stays at its place.
  case replace(keepsPages: Bool)
  /// The page comes behind the list.
  case append
  /// The page begins at an index. If it is shorter than `limit`, the list ends with it.
  case part(offset: Int, limit: Int?, Bool)
  /// The page has a number, from 0. Without a size, all pages but the last have one size.
  case page(number: Int, size: Int?, Bool)

  /// Merges a page with the list, or each list of an object with the list of the object that is there.
  ///
  /// - Parameters:
  ///   - page: What came in.
  ///   - existing: What the cache has; nil if it has nothing.
  ///   - records: The records of the cache, which tell what was removed. nil, the default: nothing was.
  /// - Returns: nil if the page is not taken, because the elements before it are not there. An object is taken if it
  ///   has no list, or if one of its lists is taken. A null of a later page that has no list, and nothing before it, is
  ///   not taken: it may be in the place of a list.
  func merge(_ page: RecordValue, with existing: RecordValue?, in records: RecordSnapshot? = nil) -> RecordValue? {
    switch (page, existing) {
    case (.object(let new), .object(let old)?):
      let hasList = new.fields.contains { Elements($0.value) != nil }
      var listCount = 0, refusedCount = 0
      let fields = new.fields.compactMap { field -> ObjectRecord.Field? in
        let oldValue = old.value(of: field.key)
        guard let page = Elements(field.value) ?? emptyPage(field.value, behind: oldValue) else {
          return oldValue == nil && !hasList && isLaterNull(field.value) ? nil : field
        }
        listCount += 1
        guard let list = merge(page, with: Elements(oldValue), records) else {
          refusedCount += 1
          return nil
        }
        return ObjectRecord.Field(field.key, list.value)
      }
      return listCount > 0 && refusedCount == listCount ? nil : .object(old.replacingFields(fields))
    case (.object(let new), _):
      let lists = new.fields.filter { Elements($0.value) != nil }
      if lists.contains(where: { merge($0.value, with: nil) == nil }) { return nil }
      if !lists.isEmpty { return page }
      return .object(new.removing(new.fields.filter { isLaterNull($0.value) }.map(\.key)))
    // An object with lists in it.
    case (.null, .object?) where isLater: return existing
    case (.null, nil) where isLater: return nil
    default:
      guard let new = Elements(page) ?? emptyPage(page, behind: existing) else { return page }
      return merge(new, with: Elements(existing), records)?.value
    }
  }

  /// A list without elements, in the place of a null that has come behind a list; nil for everything else.
  private func emptyPage(_ value: RecordValue, behind list: RecordValue?) -> Elements? {
    isLaterNull(value) && Elements(list) != nil ? Elements() : nil
  }

  /// Whether a value is null in a page that comes behind others.
  private func isLaterNull(_ value: RecordValue) -> Bool { if isLater, case .null = value { true } else { false } }

  /// Whether the page comes behind what is there.
  private var isLater: Bool {
    switch self {
    case .append: true
    case .part(let start, _, _), .page(let start, _, _): start > 0
    case .replace: false
    }
  }

  private func merge(_ page: Elements, with existing: Elements?, _ records: RecordSnapshot?) -> Elements? {
    switch self {
    case .replace(let keepsPages):
      var list = keepsPages && page.haveKeys ? existing ?? Elements() : Elements()
      list.append(page.completed(from: existing ?? Elements(), at: 0))
      return list
    case .append:
      var list = existing ?? Elements()
      list.append(page)
      return list
    case .page(let number, let size, let keepsPages):
      // (The place of an empty page without a size is not known, but for the first one.)
      if size == nil, number > 0, page.count == 0, let existing { return existing }
      let (offset, isFound) = Self.offset(of: page, number, size, in: existing)
      // (A page that is in the list already begins there, whatever was removed before it.)
      return ListMerge.part(offset: offset, limit: size, keepsPages)
        .merge(page, with: existing, isFound ? nil : records)
    case .part(let offset, let limit, let keepsPages):
      guard let existing else { return offset == 0 ? page : nil }
      guard offset > 0 || keepsPages else { return page.completed(from: existing, at: 0) }
      guard !Self.leavesGap(before: offset, limit ?? page.count, in: existing) else { return nil }
      let start = min(offset, existing.count), isLast = limit.map { page.count < $0 } ?? (page.count == 0)
      // Its place depends on whether removed objects count. An element that is there in one of the two cases only may still be
      // on the server.
      var later = existing.index(behind: start, records)
      // (What is behind the object that the page ends with is behind the page.)
      if let last = page.values.last.flatMap({ Elements.identity(of: $0) }),
        let place = existing.values[start..<later].lastIndex(where: { Elements.identity(of: $0) == last })
      {
        later = place
      }
      let between = existing.slice(start..<later).without(page)
      var list = existing.prefix(start)
      list.append(between)
      list.append(page.completed(from: existing, at: later))
      if !isLast {
        // Behind the page, as many elements are taken out as stay before it. Otherwise each load of the page would make the
        // list longer.
        let end = min(existing.end(of: page, at: start) + between.count, existing.end(of: page, at: later))
        list.append(existing.dropFirst(max(end, later)), isOlder: true)
      }
      return list
    }
  }

  /// Whether elements are missing between a list and a page that begins at an offset.
  ///
  /// Objects with keys that are in two pages are in the list once, and an app may have taken some out. So a list may be
  /// shorter than the pages that it was made of. That is taken to be so where the page is one of pages of one size, and
  /// little is missing: at most half of a page.
  private static func leavesGap(before offset: Int, _ size: Int, in list: Elements) -> Bool {
    let missing = offset - list.count
    guard missing > 0 else { return false }
    return !list.haveKeys || missing > size / 2 || !offset.isMultiple(of: size)
  }

  /// Where a page that has a number begins, and whether that is the place of an element that it begins with.
  private static func offset(
    of page: Elements, _ number: Int, _ size: Int?, in list: Elements?
  ) -> (offset: Int, isFound: Bool) {
    // Only the last page may be shorter than others, or empty.
    func offset(_ size: Int) -> Int { PaginationPolicy.limited(Int64(number) * Int64(max(size, 1))) }
    if let size { return (offset(size), false) }
    // Equal elements without keys need not be one. So a page of one such element is a last page behind longer ones, and
    // not the page before again.
    let least = offset(list?.haveKeys == false ? max(page.count, 2) : page.count)
    guard number > 0, let list else { return (least, false) }
    // It may be in the list already. If it is not, and is the last one, its place is behind what is there.
    if let place = page.values.first.flatMap({ list.firstIndex(of: $0, from: least) }) { return (place, true) }
    return (offset(max(page.count, list.count / number)), false)
  }
}

extension Elements {
  /// The index behind a number of elements, if objects that were removed do not count: neither the server nor a screen
  /// counts them. A null may be what a collection has put in the place of such an object, or one that the server has sent.
  /// So it counts, unless the index is the end of the list without it. All elements count in a list of objects without
  /// keys, which cannot be removed.
  ///
  /// - Parameters:
  ///   - number: How many elements there are before the index, at most as many as the list has.
  ///   - records: The records of the cache, which tell what was removed; nil: nothing was.
  /// - Returns: The index; the end of the list if it has fewer such elements.
  fileprivate func index(behind number: Int, _ records: RecordSnapshot?) -> Int {
    guard let records, number < count, haveKeys else { return number }
    // The same with the nulls, and the index behind so many.
    var left = number, leftWithNulls = number, placeWithNulls: Int?
    for (index, value) in values.enumerated() {
      if leftWithNulls == 0, placeWithNulls == nil { placeWithNulls = index }
      if left == 0 { return placeWithNulls ?? index }
      let isLeftOut = records.isLeftOut(value), isNull = if case .null = value { true } else { false }
      if !isLeftOut { left -= 1 }
      if isNull || !isLeftOut { leftWithNulls -= 1 }
    }
    return count
  }

  /// The elements without those that a page has. Each element of the page takes one away.
  fileprivate func without(_ page: Elements) -> Elements {
    guard count > 0 else { return self }
    var rest = page.values
    let left = values.filter { value in
      guard let index = rest.firstIndex(where: { Self.areSame($0, value) }) else { return true }
      rest.remove(at: index)
      return false
    }
    return Elements(left)
  }
}
