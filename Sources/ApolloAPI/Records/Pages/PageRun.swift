/// Pages of a connection that follow each other.
struct PageRun {
  var edges: Elements?
  private(set) var nodes: Elements?
  /// The cursors of the first and the last element, as the pages at the ends tell them; nil if they do not.
  var startCursor: RecordValue?, endCursor: RecordValue?
  var hasPreviousPage: RecordValue?, hasNextPage: RecordValue?
  /// The cursor behind which it begins, and the one before which it ends, by the arguments; nil at an end of the list.
  var after: String?, before: String?
  /// Cursors of elements that do not have theirs in them, with the index of the element.
  var cursors: [(cursor: String, index: Int)] = []

  /// The fields of a connection that no operation can select. No field of GraphQL has such a name.
  static let hiddenKeys: Set<FieldKey> = [.islands, .pageCursors, .pageCount, .pageAfter, .pageBefore]

  /// Gives nil if the connection has neither edges nor nodes.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - nullIsEmpty: Whether null in the place of a list is a list without elements. The default is that it is not a
  ///     list.
  init?(_ connection: ObjectRecord, nullIsEmpty: Bool = false) {
    edges = Elements(connection.value(of: .edges))
    nodes = Elements(connection.value(of: .nodes))
    if nullIsEmpty, count == 0 {
      if case .null? = connection.value(of: .edges) { edges = Elements() }
      if case .null? = connection.value(of: .nodes) { nodes = Elements() }
    }
    guard edges != nil || nodes != nil else { return nil }
    let info = connection.object(in: .pageInfo)
    startCursor = info?.value(of: .startCursor)
    endCursor = info?.value(of: .endCursor)
    hasPreviousPage = info?.value(of: .hasPreviousPage)
    hasNextPage = info?.value(of: .hasNextPage)
    after = connection.text(in: .pageAfter)
    before = connection.text(in: .pageBefore)
    guard case .list(let values)? = connection.value(of: .pageCursors) else { return }
    // An app has changed the list since, so that elements are at other places.
    guard case .int(count)? = connection.value(of: .pageCount) else { return }
    for index in stride(from: 0, to: values.count - 1, by: 2) {
      if case .string(let cursor) = values[index], case .int(let element) = values[index + 1] {
        cursors.append((cursor, element))
      }
    }
  }

  var elements: Elements { edges ?? nodes ?? Elements() }

  var count: Int { elements.count }

  /// Notes from which number on no object of the page is in another run, so that it is not looked for there.
  mutating func noteNewObjects(from number: Int32) {
    edges?.firstNew = number
    nodes?.firstNew = number
  }

  // MARK: Cursors

  /// The cursor of the first element.
  var start: String? { startCursor?.cursor ?? elements.values.first.flatMap(Self.cursor) }

  /// The cursor of the last element.
  var end: String? { endCursor?.cursor ?? elements.values.last.flatMap(Self.cursor) }

  static func cursor(of element: RecordValue) -> String? {
    if case .object(let edge) = element { edge.text(in: .cursor) } else { nil }
  }

  /// The index of the element behind which what follows a cursor begins; nil if no element is known to have it.
  ///
  /// An object that has come with two pages has the place of one of them, and its cursor is known of both. What
  /// follows the cursor begins behind the later place, and what precedes it ends before the earlier one: so what is
  /// between the two stays.
  func position(of cursor: String) -> Int? { cursor == end ? count - 1 : places(of: cursor).max() }

  /// The index of the element before which what precedes a cursor ends; nil if no element is known to have it.
  func position(before cursor: String) -> Int? { cursor == start ? 0 : places(of: cursor).min() }

  /// The indices of the elements that are known to have a cursor.
  private func places(of cursor: String) -> [Int] {
    [
      cursor == start ? 0 : nil, cursor == end ? count - 1 : nil,
      cursors.first { $0.cursor == cursor && $0.index < count }?.index,
      elements.values.firstIndex { Self.cursor(of: $0) == cursor },
    ].compactMap { $0 }
  }

  /// The index of the last element of a page; nil if it is not here.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - start: The index at which it begins. If its last object has kept a place before that, its cursor counts.
  /// - Returns: The index.
  func position(ofEndOf page: PageRun, from start: Int) -> Int? {
    let end = page.end.flatMap(position(of:))
    guard let identity = page.elements.values.last.flatMap(Elements.identity) else { return end }
    let place = elements.values.lastIndex { Elements.identity(of: $0) == identity }
    return place.map { $0 < start ? end ?? $0 : $0 }
  }

  /// Whether the server says that nothing follows. (Of a page before a cursor it may say so because it does not know.)
  var isEnd: Bool { if case .bool(false)? = hasNextPage { before == nil } else { false } }

  // MARK: Joining

  /// Takes in a page that begins or ends here.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - keepsPages: Whether elements stay that follow the page, if it ends at one of them.
  /// - Returns: False if the place of the page is not here.
  mutating func join(_ page: PageRun, keepsPages: Bool) -> Bool {
    if let position = page.after.flatMap(position(of:)) {
      let staysBehind = keepsPages && !page.isEnd
      let rest = staysBehind ? self.position(ofEndOf: page, from: position + 1).map(dropping(through:)) : nil
      let page = page.completed(from: self, at: position + 1, among: min(position + 1, count)..<count)
      cut(behind: position)
      append(page)
      if let rest, rest.count > 0 { append(rest, isOlder: true) }
      return true
    }
    if let position = page.before.flatMap(position(before:)) {
      // (An empty run may have a cursor of its end.)
      let page = page.completed(from: self, at: position - page.count, among: 0..<max(0, position))
      cut(before: position)
      prepend(page)
      return true
    }
    // A page that begins or ends as this run does was here before, though no element has its cursor.
    if let cursor = page.after, cursor == after {
      let rest = keepsPages && !page.isEnd ? following(page) : nil
      self = page.completed(from: self, at: 0, among: 0..<count)
      if let rest, rest.count > 0 { append(rest, isOlder: true) }
      return true
    }
    if let cursor = page.before, cursor == before {
      self = page.completed(from: self, at: count - page.count, among: 0..<count)
      return true
    }
    // Where no cursors are known, it cannot be elsewhere.
    if page.after != nil, end == nil, cursors.isEmpty {
      append(page)
      return true
    }
    if page.before != nil, start == nil, cursors.isEmpty {
      prepend(page)
      return true
    }
    return joinMeeting(page, isOlder: false)
  }

  /// Whether another run begins where this one ends, or ends where it begins.
  func meets(_ other: PageRun) -> Bool { isFollowed(by: other) || other.isFollowed(by: self) }

  private func isFollowed(by other: PageRun) -> Bool {
    (other.after != nil && other.after == end) || (before != nil && before == other.start)
  }

  /// Takes in a run that meets this one, and which may be older.
  mutating func joinMeeting(_ other: PageRun, isOlder: Bool) -> Bool {
    if isFollowed(by: other) {
      append(other, isOlder: isOlder)
    } else if other.isFollowed(by: self) {
      prepend(other, isOlder: isOlder)
    } else {
      return false
    }
    return true
  }

  /// Puts a run behind this one.
  ///
  /// - Parameters:
  ///   - other: The run.
  ///   - isOlder: Whether the other one was here before this one came. The default is that it has just come.
  mutating func append(_ other: PageRun, isOlder: Bool = false) {
    var other = other
    align(with: &other)
    let base = count, (start, end) = (self.start, self.end)
    note(start, at: 0)
    note(end, at: count - 1)
    if let others = other.edges { edges = edges.appending(others, isOlder) }
    if let others = other.nodes { nodes = nodes.appending(others, isOlder) }
    if !isOlder { note(cursorsOf: other, from: base) }
    note(other.start, at: base)
    if count == base + other.count {
      cursors += other.cursors.map { ($0.cursor, $0.index + base) }
    }
    // An empty page does not know where it is.
    let isEmpty = other.count == 0
    endCursor =
      (other.end ?? (isEmpty ? end : nil)).map { .string($0) } ?? other.endCursor ?? (isEmpty ? endCursor : nil)
    hasNextPage = other.hasNextPage ?? hasNextPage
    before = other.before
    if let start { startCursor = .string(start) }
    note(self.end, at: count - 1, isNew: !isOlder)
  }

  /// Puts a run in front of this one, with the parameters of ``append(_:isOlder:)``.
  private mutating func prepend(_ other: PageRun, isOlder: Bool = false) {
    var other = other
    align(with: &other)
    let oldCount = count, (start, end) = (self.start, self.end)
    note(start, at: 0)
    note(end, at: count - 1)
    if let others = other.edges { edges = edges.prepending(others, isOlder) }
    if let others = other.nodes { nodes = nodes.prepending(others, isOlder) }
    let added = count - oldCount
    if !isOlder { forget(cursorsOf: 0..<added) }
    cursors = cursors.map { ($0.cursor, $0.index + added) }
    if added == other.count { cursors += other.cursors }
    let isEmpty = other.count == 0
    startCursor =
      (other.start ?? (isEmpty ? start : nil)).map { .string($0) } ?? other.startCursor ?? (isEmpty ? startCursor : nil)
    hasPreviousPage = other.hasPreviousPage ?? hasPreviousPage
    after = other.after
    if let end { endCursor = .string(end) }
    note(self.start, at: 0)
    if !isOlder { note(cursorsOf: other, before: added) }
    // (The last object of the page may have kept a place behind it.)
    let last = other.elements.values.last.flatMap { elements.firstIndex(of: $0, from: max(0, added - 1)) }
    note(other.end, at: last ?? added - 1)
  }

  /// Makes two runs that become one have the same lists. A list that one of them cannot have is dropped: the part of it that
  /// the other one has would be taken for the whole.
  private mutating func align(with other: inout PageRun) {
    guard (edges == nil) != (other.edges == nil) || (nodes == nil) != (other.nodes == nil) else { return }
    complete(like: other)
    other.complete(like: self)
    if edges == nil || other.edges == nil {
      dropEdges()
      other.dropEdges()
    }
    if nodes == nil || other.nodes == nil { (nodes, other.nodes) = (nil, nil) }
  }

  /// Adds the lists that another run has, where they can be known: the nodes are those of the edges, and a run without
  /// elements has none of either.
  private mutating func complete(like other: PageRun) {
    if nodes == nil, other.nodes != nil { nodes = edges?.nodes }
    guard count == 0, edges != nil || nodes != nil else { return }
    if edges == nil, other.edges != nil { edges = Elements() }
    if nodes == nil, other.nodes != nil { nodes = Elements() }
  }

  /// Adds a list that the connection had before and that this run lacks, where it can be known: the nodes are those of the
  /// edges, and the edges are those of the same nodes at the same places.
  mutating func complete(from old: ObjectRecord) {
    if nodes == nil, Elements(old.value(of: .nodes)) != nil { nodes = edges?.nodes }
    guard edges == nil, let nodes, let former = Elements(old.value(of: .edges)) else { return }
    let same = former.values.prefix(nodes.count).map(Elements.identity)
    if !same.contains(nil), same == nodes.values.map(Elements.identity) {
      edges = Elements(Array(former.values.prefix(nodes.count)))
    }
  }

  /// Whether it has the lists of a page in front of it, or they can be known.
  func hasLists(of page: PageRun) -> Bool {
    count == 0 || (page.edges == nil || edges != nil) && (page.nodes == nil || nodes != nil || edges?.nodes != nil)
  }

  /// Drops the edges, and keeps the cursors that are known from them.
  private mutating func dropEdges() {
    guard let old = edges else { return }
    if let start { startCursor = .string(start) }
    if let end { endCursor = .string(end) }
    edges = nil
    guard nodes != nil else { return }
    var known = Set(cursors.map(\.cursor))
    for (index, edge) in old.values.enumerated() {
      if let cursor = Self.cursor(of: edge), known.insert(cursor).inserted { cursors.append((cursor, index)) }
    }
  }

  // MARK: Parts

  /// What follows the last element of a page; nil if this element is not here, or if the page could not be read any more
  /// with what follows.
  func following(_ page: PageRun) -> PageRun? {
    let rest = position(ofEndOf: page, from: 0).map(dropping(through:))
    return rest?.hasLists(of: page) == true ? rest : nil
  }

  /// The elements behind one, with what is known of the end.
  func dropping(through position: Int) -> PageRun {
    var rest = self
    rest.edges = edges?.dropFirst(position + 1)
    rest.nodes = nodes?.dropFirst(position + 1)
    rest.startCursor = nil
    rest.after = nil
    rest.cursors = cursors.filter { $0.index > position }.map { ($0.cursor, $0.index - position - 1) }
    return rest
  }

  mutating func cut(behind position: Int) {
    guard position + 1 < count else { return }
    edges = edges?.prefix(position + 1)
    nodes = nodes?.prefix(position + 1)
    cursors.removeAll { $0.index > position }
    endCursor = nil
    before = nil
  }

  private mutating func cut(before position: Int) {
    guard position > 0 else { return }
    edges = edges?.dropFirst(position)
    nodes = nodes?.dropFirst(position)
    cursors = cursors.filter { $0.index >= position }.map { ($0.cursor, $0.index - position) }
    startCursor = nil
    after = nil
  }

  // MARK: Absent nodes

  /// Takes the elements out whose nodes do not exist. The cursor of such an element becomes one of the element before it.
  ///
  /// - Parameters:
  ///   - isAbsent: Whether a node does not exist.
  ///   - lists: A connection with the elements that are left: each has the index there that it has here.
  /// - Returns: False if there are no such elements.
  fileprivate mutating func removeElements(_ isAbsent: (Int32) -> Bool, leaving lists: ObjectRecord) -> Bool {
    func isGone(_ identity: Int32?) -> Bool { identity.map(isAbsent) ?? false }
    let ofEdges = edges?.identities(beside: nodes) ?? [], ofNodes = nodes?.identities ?? []
    guard ofEdges.contains(where: isGone) || ofNodes.contains(where: isGone) else { return false }
    var goneCount = 0, goneCounts: [Int] = [], known = Set(cursors.map(\.cursor))
    for (index, identity) in (edges == nil ? ofNodes : ofEdges).enumerated() {
      if isGone(identity) {
        goneCount += 1
        let cursor = Self.cursor(of: elements.values[index])
        if let cursor, known.insert(cursor).inserted { cursors.append((cursor, index)) }
      }
      goneCounts.append(goneCount)
    }
    cursors = cursors.compactMap { cursor, index in
      guard goneCounts.indices.contains(index), index >= goneCounts[index] else { return nil }
      return (cursor, index - goneCounts[index])
    }
    func left(_ key: FieldKey, of identities: [Int32?]) -> Elements? {
      Elements(lists.value(of: key)).map { Elements(zip(identities, $0.values).filter { !isGone($0.0) }.map(\.1)) }
    }
    (edges, nodes) = (left(.edges, of: ofEdges), left(.nodes, of: ofNodes))
    return true
  }
}

extension Elements? {
  fileprivate func appending(_ other: Elements, _ isOlder: Bool) -> Elements {
    var elements = self ?? Elements()
    elements.append(other, isOlder: isOlder)
    return elements
  }

  fileprivate func prepending(_ other: Elements, _ isOlder: Bool) -> Elements {
    var elements = self ?? Elements()
    elements.prepend(other, isOlder: isOlder)
    return elements
  }
}

extension ObjectRecord {
  /// The record without those elements of merged pages whose nodes do not exist: they are not only empty in it.
  ///
  /// - Parameters:
  ///   - old: The record as it was, when the elements still had their nodes. They have the same places in this one.
  ///   - isAbsent: Whether a node does not exist.
  /// - Returns: The record.
  package func removingElements(of old: ObjectRecord, whoseNode isAbsent: (Int32) -> Bool) -> ObjectRecord {
    guard old.value(of: .pageCount) != nil, var run = PageRun(old), run.removeElements(isAbsent, leaving: self) else {
      return self
    }
    return replacingFields(run.fields(nil), removing: [.pageCursors])
  }

  fileprivate func text(in field: FieldKey) -> String? { value(of: field)?.cursor }
}

extension RecordValue {
  /// The cursor that it is; nil if it is not one.
  fileprivate var cursor: String? {
    if case .string(let text) = self, !text.isEmpty { text } else { nil }
  }
}

extension FieldKey {
  static let pageCursors = forName("#cursors")
  /// How many elements the list had when its cursors were noted. An object with this field is a connection.
  static let pageCount = forName("#count")
  static let pageAfter = forName("#after")
  static let pageBefore = forName("#before")
  static let islands = forName("#islands")
}
