/// How a page changes a connection.
///
/// What the rules are, and where they come from: `Docs/pages.md`, "Pages of a connection". The pages that follow each
/// other are one list. A page whose place is not known yet is kept beside the list, until the page between them comes.
struct ConnectionMerge {
  let after: String?
  let before: String?
  /// Whether the pages behind the first one stay when it is loaded again, if they fit.
  let keepsPages: Bool
  /// Numbers of records from this one on are not in the connection that is there.
  let firstNew: Int32
  /// Whether less of the page has come already with an earlier part of its response.
  let isAgain: Bool

  private var isHead: Bool { after == nil && before == nil }

  /// Merges a page with a connection.
  ///
  /// - Parameters:
  ///   - new: The page.
  ///   - old: The connection that the cache has; nil if it has none.
  /// - Returns: The connection.
  func merge(_ new: ObjectRecord, with old: ObjectRecord?) -> ObjectRecord {
    let list = old.flatMap { PageRun($0) }
    guard var page = PageRun(new, nullIsEmpty: !isHead && list != nil) else {
      // If no list was selected, nothing is known of where the page begins and ends.
      let hasPageInfo = list == nil || new.hasNullList
      return old?.replacingFields(new.fields.filter { hasPageInfo || $0.key != .pageInfo }) ?? new
    }
    (page.after, page.before) = (after, before)
    page.noteNewObjects(from: firstNew)
    var runs: [PageRun] = []
    if let old, let list { runs = [list] + old.islands }
    if isAgain, let index = runs.indices.first(where: { runs[$0].renew(page) }) {
      runs = joined(runs, growing: index)
    } else if isHead {
      runs = head(page, runs)
    } else if let index = runs.indices.first(where: { runs[$0].join(page, keepsPages: keepsPages) }) {
      runs = joined(runs, growing: index)
    } else {
      runs.append(page)
    }
    return connection(runs, of: new, replacing: old)
  }

  /// A page without a cursor is the beginning. What is there is dropped, unless it follows the page and has its lists: then
  /// the page could not be read any more.
  private func head(_ page: PageRun, _ runs: [PageRun]) -> [PageRun] {
    let isEnd = page.isEnd
    var page = page, rest = runs
    if let list = runs.first {
      page = page.completed(from: list, at: list.after == nil ? 0 : nil, among: 0..<list.count)
    }
    if isEnd { return [page] }
    if keepsPages, let following = runs.first?.following(page) {
      if following.count > 0 { page.append(following, isOlder: true) }
      return joined([page] + runs.dropFirst(), growing: 0)
    }
    if rest.first?.after == nil, !rest.isEmpty { rest.removeFirst() }
    while let index = rest.firstIndex(where: { $0.after != nil && $0.after == page.end && $0.hasLists(of: page) }) {
      page.append(rest.remove(at: index), isOlder: true)
    }
    return [page]
  }

  /// Joins the runs that meet one which has grown.
  private func joined(_ runs: [PageRun], growing index: Int) -> [PageRun] {
    var runs = runs, index = index
    while let other = runs.indices.first(where: { $0 != index && runs[index].meets(runs[$0]) }) {
      // The list keeps its place before those whose place is not known.
      let (first, second) = (min(index, other), max(index, other))
      if !runs[first].joinMeeting(runs[second], isOlder: first == index) { break }
      runs.remove(at: second)
      index = first
    }
    return runs
  }

  private func connection(_ runs: [PageRun], of new: ObjectRecord, replacing old: ObjectRecord?) -> ObjectRecord {
    let paged: Set<FieldKey> = [.edges, .nodes, .pageInfo]
    let base = (old ?? new).replacingFields(new.fields.filter { !paged.contains($0.key) })
    let pageInfo = runs[0].pageInfo(over: [old, new].compactMap { $0?.object(in: .pageInfo) })
    var list = runs[0]
    if let old { list.complete(from: old) }
    var fields = list.fields(pageInfo)
    let islands = runs.dropFirst().map { RecordValue.object($0.record) }
    if !islands.isEmpty { fields.append(ObjectRecord.Field(.islands, .list(islands))) }
    // A list that only the connection before has does not fit the pages of this one.
    var lost = [FieldKey.edges, .nodes].filter { key in
      Elements(base.value(of: key)) != nil && !fields.contains { $0.key == key }
    }
    // It has all that is kept of the page info before.
    if pageInfo != nil { lost.append(.pageInfo) }
    return base.replacingFields(fields, removing: lost.isEmpty ? PageRun.hiddenKeys : PageRun.hiddenKeys.union(lost))
  }
}

extension ObjectRecord {
  /// The pages of a connection whose place is not known yet.
  fileprivate var islands: [PageRun] {
    guard case .list(let values)? = value(of: .islands) else { return [] }
    return values.compactMap { value in
      if case .object(let record) = value { PageRun(record) } else { nil }
    }
  }

  /// Whether null is in the place of its list.
  fileprivate var hasNullList: Bool {
    [FieldKey.edges, .nodes].contains { key in if case .null? = value(of: key) { true } else { false } }
  }

  func object(in field: FieldKey) -> ObjectRecord? {
    if case .object(let object)? = value(of: field) { object } else { nil }
  }

  /// The record with other values in some fields. Objects are merged field by field, everything else is replaced.
  package func replacingFields(_ new: [Field], removing removed: Set<FieldKey> = []) -> ObjectRecord {
    var fields = self.fields.filter { !removed.contains($0.key) }
    for field in new {
      if let index = fields.firstIndex(where: { $0.key == field.key }) {
        var merge = Merge()
        if case .object(let a) = fields[index].value, case .object(let b) = field.value, a.hasSameType(as: b) {
          fields[index].value = .object(a.merging(b, &merge) ?? a)
        } else if case .error = field.value {
          continue
        } else {
          fields[index].value = field.value
        }
      } else {
        fields.append(field)
      }
    }
    let result = ObjectRecord.make(type: type, capacity: fields.count)
    for field in fields { result.append(field) }
    return result
  }
}
