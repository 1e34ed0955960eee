import ApolloAPI

// Finding the earlier places of lists in a list. What is in such a row is found by its place in there.

extension ModelNormalizer {
  /// For each list in a list: the index that it had before; nil for a new one.
  ///
  /// Rows at the beginning and at the end that are unchanged tell it. Between these a row is found by its contents, if only
  /// one matches, or if another copy of the list tells which one; or by an unchanged object in it. If none has moved, and
  /// there are as many as before, each has its old index.
  mutating func oldLists(_ elements: [ModelValue], at place: Place) -> [Int?] {
    let same = Array(elements.indices)
    guard !isAsRead, case .list(let old)? = place.old, let baseline, elements.contains(where: \.isList) else {
      return same
    }
    func isUnchanged(_ index: Int, _ oldIndex: Int) -> Bool { matches(elements[index], old[oldIndex], in: baseline) }
    let shift = old.count - elements.count
    var start = 0, end = elements.count
    while start < min(elements.count, old.count), isUnchanged(start, start) { start += 1 }
    while end > start, end + shift > start, isUnchanged(end - 1, end - 1 + shift) { end -= 1 }
    if shift > 0 {
      // (One of several equal rows may be any of them.)
      var gone = OldElements((start..<end + shift).map { ($0, old[$0]) }, in: baseline)
      while start > 0, isFound(elements[start - 1], &gone, isUnchanged: { isUnchanged(start - 1, $0) }) { start -= 1 }
      while end < elements.count, isFound(elements[end], &gone, isUnchanged: { isUnchanged(end, $0) }) { end += 1 }
    }
    var rows = RowSearch(
      indices: same.map { index in index < start ? index : index < end ? nil : index + shift }, changed: start..<end,
      free: Set(start..<end + shift))
    if shift == 0 { for index in rows.open where isUnchanged(index, index) { rows.set(index, index) } }
    var olds = OldElements(rows.free.sorted().map { ($0, old[$0]) }, in: baseline)
    let found = rows.open.reduce(into: [Int: [Int]]()) { found, index in
      found[index] = self.found(elements[index], &olds) { isUnchanged(index, $0) }
    }
    if shift == 0, found.values.allSatisfy(\.isEmpty) { return same }
    rows.setUnique(found.mapValues(Set.init))
    for index in rows.open {
      guard let old = earlierIndices[place.element(index).location] else { continue }
      let fits =
        found[index]?.isEmpty == true ? elements[index].hasCount(of: place.element(old).old) : isUnchanged(index, old)
      if fits, rows.free.contains(old) { rows.set(index, old) }
    }
    var objects = OldElements(
      rows.free.flatMap { index -> [(index: Int, value: ModelRecords.Value)] in
        if case .list(let values) = old[index] { values.map { (index, $0) } } else { [] }
      }, in: baseline)
    rows.setUnique(
      rows.open.reduce(into: [:]) { sharing, index in
        guard found[index]?.isEmpty == true, case .list(let values) = elements[index] else { return }
        sharing[index] = rowsSharing(values, &objects) { row, object in
          rows.free.contains(row) && has(old[row], object, in: baseline)
        }
      })
    for (index, old) in rows.indices.enumerated() {
      if let old { earlierIndices[place.element(index).location] = old }
    }
    // What is appended takes nothing from the rows before it.
    if shift < 0, end == elements.count, rows.found.allSatisfy({ rows.indices[$0] == $0 }) {
      for index in rows.open where index < old.count && found[index]?.isEmpty == true { rows.set(index, index) }
    }
    for index in rows.open {
      let location = place.element(index).location
      if earlierIndices[location] == nil { unclearPlaces.insert(location) }
    }
    return rows.indices
  }

  /// The old elements that a new one is equal to: none, one, or two of several, which cannot be told apart.
  private func found(_ element: ModelValue, _ olds: inout OldElements, isUnchanged: (Int) -> Bool) -> [Int] {
    // (An empty row has nothing that could go with it.)
    guard case .list(let values) = element, !values.isEmpty else { return [] }
    var found: [Int] = []
    for index in olds.candidates(for: parts(of: element), ofType: nil) where isUnchanged(index) {
      found.append(index)
      if found.count == 2 { break }
    }
    return found
  }

  /// The old rows that have one of these objects: none, one, or two of several, which cannot be told apart.
  private func rowsSharing(
    _ values: [ModelValue], _ olds: inout OldElements, has: (Int, ModelObject) -> Bool
  ) -> Set<Int> {
    var rows: Set<Int> = []
    for case .object(let object) in values {
      for row in olds.candidates(for: parts(of: object), ofType: object.typename)
      where !rows.contains(row) && has(row, object) {
        rows.insert(row)
        if rows.count == 2 { return rows }
      }
    }
    return rows
  }

  private func isFound(_ element: ModelValue, _ olds: inout OldElements, isUnchanged: (Int) -> Bool) -> Bool {
    !found(element, &olds, isUnchanged: isUnchanged).isEmpty
  }

  private func has(_ row: ModelRecords.Value, _ object: ModelObject, in baseline: ModelRecords) -> Bool {
    guard case .list(let values) = row else { return false }
    return values.contains { matches(.object(object), $0, in: baseline) }
  }
}

/// The rows of a list, of which some have been found among the old ones.
private struct RowSearch {
  /// The old index of each row; nil for one that was not found.
  private(set) var indices: [Int?]
  /// Those that are looked for.
  private let changed: Range<Int>
  /// The old rows that were not found.
  private(set) var free: Set<Int>

  init(indices: [Int?], changed: Range<Int>, free: Set<Int>) {
    self.indices = indices
    self.changed = changed
    self.free = free
  }

  var open: [Int] { changed.filter { indices[$0] == nil } }
  var found: [Int] { changed.filter { indices[$0] != nil } }

  mutating func set(_ index: Int, _ old: Int) {
    indices[index] = old
    free.remove(old)
  }

  /// Sets each row that has one old row alone, and for itself.
  mutating func setUnique(_ candidates: [Int: Set<Int>]) {
    var counts: [Int: Int] = [:]
    for old in candidates.values.joined() { counts[old, default: 0] += 1 }
    for (index, olds) in candidates {
      if olds.count == 1, let old = olds.first, counts[old] == 1, free.contains(old) { set(index, old) }
    }
  }
}

extension ModelValue {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }

  fileprivate func hasCount(of old: ModelRecords.Value?) -> Bool {
    if case .list(let values) = self, case .list(let olds)? = old { values.count == olds.count } else { false }
  }
}
