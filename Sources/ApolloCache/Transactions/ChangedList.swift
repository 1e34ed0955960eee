import ApolloAPI

/// A list of a model, and the list as it was read, in which its elements are found again.
///
/// In a list of its old length, what is unchanged has its old index. If something has moved, that holds only for what is
/// outside of where it has. In another list the unchanged elements at its beginning and at its end tell it, but for those that
/// are equal to a removed one. The others are found by their contents, if only one matches, or if another copy of the list
/// tells which one. If none has moved, a changed one has its old index.
struct ChangedList {
  let elements: [ModelValue]
  let keys: [CacheKey?]
  /// The indices of the elements that are looked for: objects without a key, and lists.
  let sought: [Int]
  /// The elements as they were read.
  let old: [ModelRecords.Value]
  let place: ModelNormalizer.Place
  let baseline: ModelRecords
  let normalizer: ModelNormalizer

  /// Where the elements were, by their indices now.
  struct Found {
    /// nil for a new one.
    var indices: [Int?]
    /// Those of which their contents tell it for certain.
    var sure: [Int: Int]
    /// The elements for which other copies of the list change nothing any more.
    var settled: Set<Int>
  }

  /// The elements that may have moved, in the list and in the old one.
  private typealias Window = (new: Range<Int>, old: Range<Int>)

  /// Finds where the elements were.
  ///
  /// - Parameter known: What other copies of the list tell for certain.
  /// - Returns: What was found, by the indices of now.
  func found(known: [Int: Int]) -> Found {
    let (inPlace, window, isAppended) = unmoved()
    var search = ElementSearch(count: elements.count, old: Set(old.indices))
    var equal: [Int: [Int]] = [:], sure: [Int: Int] = [:]
    if window != nil {
      var olds = oldElements(old.indices)
      for index in sought { equal[index] = equals(of: index, among: &olds) }
      sure = search.setUnique(equal.mapValues(Set.init))
    }
    for index in sought where search.isOpen(index) {
      guard let oldIndex = known[index], old.indices.contains(oldIndex) else { continue }
      let isNowhere = inPlace[index] == nil && equal[index]?.isEmpty ?? true
      if isUnchanged(index, oldIndex) || isNowhere && follows(index, oldIndex) { search.set(index, oldIndex) }
    }
    let settled = Set(sought.filter { !search.isOpen($0) || known[$0] != nil })
    for index in sought where window?.new.contains(index) != true {
      if let oldIndex = inPlace[index] { search.set(index, oldIndex) }
    }
    if let window { sure.merge(find(in: window, equal, &search)) { first, _ in first } }
    for index in indicesInPlace(window, isAppended, search) where equal[index]?.isEmpty ?? true {
      if old.indices.contains(index), normalizer.stays(elements[index], at: index, of: place) {
        search.set(index, index)
      }
    }
    return Found(indices: search.indices, sure: sure, settled: settled)
  }

  /// The elements that have their old index if nothing of their contents says where they were.
  private func indicesInPlace(_ window: Window?, _ isAppended: Bool, _ search: ElementSearch) -> [Int] {
    guard let window else { return sought }
    let found = sought.filter { !search.isOpen($0) }
    guard found.allSatisfy({ !window.new.contains($0) || search[$0] == $0 }) else { return [] }
    // (What is appended takes nothing from what is before it.)
    if isAppended { return found.isEmpty ? [] : sought }
    // What has gone from behind an element that has its old index has moved nothing before it.
    guard old.count > elements.count, let last = found.last(where: { search[$0] == $0 }) else { return [] }
    return sought.filter { $0 < last }
  }

  /// What is where it was, or is as far from the end as it was; the window between; and whether that has become longer at the
  /// end of the list. No window: nothing has moved.
  private func unmoved() -> (inPlace: [Int?], Window?, isAppended: Bool) {
    let shift = old.count - elements.count
    guard shift != 0 else {
      let inPlace = elements.indices.map { isUnchanged($0, $0) ? $0 : nil }
      var free = oldElements(old.indices.filter { inPlace[$0] == nil }), moved: [Int] = []
      for index in sought where inPlace[index] == nil {
        let olds = equals(of: index, among: &free)
        if !olds.isEmpty { moved += [index] + olds }
      }
      guard let first = moved.min(), let last = moved.max() else { return (inPlace, nil, false) }
      return (inPlace, (first..<last + 1, first..<last + 1), false)
    }
    var start = 0, end = elements.count
    while start < min(elements.count, old.count), isUnchanged(start, start) { start += 1 }
    while end > start, end + shift > start, isUnchanged(end - 1, end - 1 + shift) { end -= 1 }
    if shift > 0 {
      // (One of several equal elements may be the one that is gone.)
      var gone = oldElements(start..<end + shift)
      while start > 0, !equals(of: start - 1, among: &gone).isEmpty { start -= 1 }
      while end < elements.count, !equals(of: end, among: &gone).isEmpty { end += 1 }
    }
    let inPlace = elements.indices.map { index in index < start ? index : index < end ? nil : index + shift }
    return (inPlace, (start..<end, start..<end + shift), shift < 0 && end == elements.count)
  }

  /// Finds what may have moved by what is left of the old elements, and lists by an unchanged object in them.
  ///
  /// - Returns: The lists that were found by an object.
  private func find(in window: Window, _ equal: [Int: [Int]], _ search: inout ElementSearch) -> [Int: Int] {
    let open = sought.filter { window.new.contains($0) && search.isOpen($0) }
    var olds = oldElements(window.old.filter(search.isFree))
    search.setUnique(open.reduce(into: [:]) { $0[$1] = Set(equals(of: $1, among: &olds)) })
    var objects = OldElements(
      window.old.filter(search.isFree).flatMap { index in old[index].elements.map { (index, $0) } }, in: baseline)
    let changed = open.filter { search.isOpen($0) && equal[$0]?.isEmpty == true }
    return search.setUnique(changed.reduce(into: [:]) { $0[$1] = listsSharing(with: $1, &objects) })
  }

  private func isUnchanged(_ index: Int, _ oldIndex: Int) -> Bool {
    if let key = keys[index], case .object(let location) = old[oldIndex] {
      return normalizer.location(ofKey: key) == location
    }
    return normalizer.matches(elements[index], old[oldIndex], in: baseline)
  }

  private func oldElements(_ indices: some Sequence<Int>) -> OldElements {
    OldElements(indices.map { ($0, old[$0]) }, in: baseline)
  }

  /// The old elements that a new one is equal to: none, one, or two of several, which cannot be told apart.
  private func equals(of index: Int, among olds: inout OldElements) -> [Int] {
    // (An empty list has nothing that could go with it.)
    if case .list(let values) = elements[index], values.isEmpty { return [] }
    var found: [Int] = []
    for old in olds.candidates(for: normalizer.parts(of: elements[index]), ofType: elements[index].typename)
    where isUnchanged(index, old) {
      found.append(old)
      if found.count == 2 { break }
    }
    return found
  }

  /// Whether a changed element may be the one that another copy tells.
  private func follows(_ index: Int, _ oldIndex: Int) -> Bool {
    let old = place.element(oldIndex)
    if case .object(let object) = elements[index] { return normalizer.isSame(object, at: old) }
    return elements[index].elements.count == old.old?.elements.count
  }

  /// The old lists that have an object of this one: none, one, or two of several, which cannot be told apart.
  private func listsSharing(with index: Int, _ olds: inout OldElements) -> Set<Int> {
    var lists: Set<Int> = []
    for case .object(let object) in elements[index].elements {
      for list in olds.candidates(for: normalizer.parts(of: object), ofType: object.typename)
      where !lists.contains(list) && old[list].elements.contains(where: { isEqual(object, $0) }) {
        lists.insert(list)
        if lists.count == 2 { return lists }
      }
    }
    return lists
  }

  private func isEqual(_ object: ModelObject, _ value: ModelRecords.Value) -> Bool {
    normalizer.matches(.object(object), value, in: baseline)
  }
}

extension ModelValue {
  /// The elements of a list; none of other values.
  fileprivate var elements: [ModelValue] { if case .list(let values) = self { values } else { [] } }

  fileprivate var typename: String? { if case .object(let object) = self { object.typename } else { nil } }
}

extension ModelRecords.Value {
  /// The elements of a list; none of other values.
  fileprivate var elements: [ModelRecords.Value] { if case .list(let values) = self { values } else { [] } }
}
