// A page that comes once more, with a later part of its response.

extension PageRun {
  /// Takes in a page that is here already, with more than it had. What is before it and behind it stays.
  ///
  /// - Parameter page: The page.
  /// - Returns: False if its first or its last element is not here, or if it could not be read any more with what stays.
  mutating func renew(_ page: PageRun) -> Bool {
    // (If all objects of the page have kept other places, it has none here.)
    guard let first = position(ofStartOf: page), let last = end(of: page, from: first), first <= last + 1,
      hasLists(of: page)
    else { return false }
    let rest = dropping(through: last), (after, before) = (self.after, self.before)
    let page = page.completed(from: self, at: first, among: first..<count)
    if first > 0 {
      cut(behind: first - 1)
      append(page)
    } else {
      self = page
      self.after = after
    }
    if rest.count > 0 { append(rest, isOlder: true) }
    self.before = before
    return true
  }

  /// The index of the first element of a page; nil if it is not here.
  private func position(ofStartOf page: PageRun) -> Int? {
    // (The first object of the page may have kept another place, and its cursor there.)
    if let after = page.after, let position = position(of: after) { return position + 1 }
    if let start = page.start, let position = position(before: start) { return position }
    guard let identity = page.elements.values.first.flatMap(Elements.identity) else { return nil }
    return elements.values.firstIndex { Elements.identity(of: $0) == identity }
  }

  /// The index of the last element of a page that begins at an index; nil if it is not here.
  private func end(of page: PageRun, from start: Int) -> Int? {
    if let before = page.before, let position = position(before: before) { return position - 1 }
    return position(ofEndOf: page, from: start)
  }
}
