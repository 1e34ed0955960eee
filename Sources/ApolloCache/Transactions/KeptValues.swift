import ApolloAPI

/// What the cache has where a model as it was read has nil, or an error.
struct KeptValues {
  /// The value that was read; nil if none was.
  let base: ModelRecords.Value?
  /// The field with all copies, as it was read.
  let field: ModelRecords.Object.Field?
  /// The object of the field, as the cache has it.
  let object: ObjectRecord?
  let key: FieldKey
  let table: RecordTable

  /// Whether the cache has something else than null in place of the whole value.
  var isAll: Bool {
    guard base?.isNullOrError == true, let cached = object?.value(of: key) else { return false }
    if case .null = cached { return false }
    return true
  }

  /// A value in which elements of lists that are nil as before, or an error, are what the cache has in their places.
  func filling(_ value: ModelRecords.Value) -> ModelRecords.Value {
    guard value.holdsNulls, let object, let field else { return value }
    // (What a function has made need not be where the cache has it. Other copies have it in the same places.)
    let cached = field.isComputed ? nil : object.value(of: key)
    return filling(value, base, field.value, cached, standingFor: object.nodes(ofPagesIn: key))
  }

  private func filling(
    _ value: ModelRecords.Value, _ base: ModelRecords.Value?, _ all: ModelRecords.Value?, _ cached: RecordValue?,
    standingFor nodes: [Int32?]? = nil
  ) -> ModelRecords.Value {
    guard case .list(let values) = value, case .list(let bases)? = base else { return value }
    let indices = cached.flatMap { table.records.indices(ofRead: bases.count, from: $0, standingFor: nodes) }
    var wholes: [ModelRecords.Value]?
    if case .list(let values)? = all, values.count == bases.count { wholes = values }
    return .list(
      zip(values, Self.places(of: values, in: bases)).map { value, place in
        guard let place else { return value }
        let whole = wholes?[place], cached = indices.flatMap { cached?.element(at: $0[place]) }
        guard value.isNullOrError else { return filling(value, bases[place], whole, cached) }
        guard bases[place].isSame(as: value) else { return value }
        // Another copy may have the object, and its changes. (That may hide something as well.)
        if let whole, !whole.isNullOrError { return filling(whole, whole, whole, cached) }
        guard let cached, !table.records.isLeftOut(cached) else { return value }
        return .leaf(cached)
      })
  }

  /// Where elements of a list were when it was read.
  ///
  /// In a list of the same length, in which each nil is still where it was, that is their own index. In another one the
  /// elements at its beginning and its end tell it. Between these each nil is one that was there, if there are as many as
  /// before, and a list with nils is the only one that had one of its elements, or all of them.
  ///
  /// - Parameters:
  ///   - values: The elements.
  ///   - bases: The elements as they were read.
  /// - Returns: An index for each element; nil if it was not there, or nothing tells where.
  static func places(of values: [ModelRecords.Value], in bases: [ModelRecords.Value]) -> [Int?] {
    let shorter = min(values.count, bases.count), shift = bases.count - values.count
    if shift == 0, zip(values, bases).allSatisfy({ $0.isNullOrError || !$1.isNullOrError }) {
      let found = Self.candidates(of: values, values.indices, in: bases, bases.indices)
      if found.allSatisfy({ $0.value.isEmpty || $0.value.contains($0.key) }) { return Array(bases.indices) }
    }
    var start = 0, end = values.count
    while start < shorter, values[start].isSame(as: bases[start]) { start += 1 }
    while end > start, end + shift > start, values[end - 1].isSame(as: bases[end - 1 + shift]) { end -= 1 }
    // (One of several nils in a row may be any of them, and so may one of several equal lists with nils.)
    func isOneOfSeveral(_ value: ModelRecords.Value) -> Bool {
      value.isNullOrError || value.holdsNulls && bases[start..<end + shift].contains { $0.isSame(as: value) }
    }
    while start > 0, isOneOfSeveral(values[start - 1]) { start -= 1 }
    while end < values.count, isOneOfSeveral(values[end]) { end += 1 }
    var places = values.indices.map { index in index < start ? index : index < end ? nil : index + shift }
    let nulls = (start..<end).filter { values[$0].isNullOrError }
    let oldNulls = (start..<end + shift).filter { bases[$0].isNullOrError }
    if nulls.count == oldNulls.count { for (index, place) in zip(nulls, oldNulls) { places[index] = place } }
    var found = candidates(of: values, start..<end, in: bases, start..<end + shift)
    func isSure(_ index: Int, _ places: Set<Int>) -> Bool {
      places.count == 1 && !found.contains { $0.key != index && $0.value == places }
    }
    // (In the order of the list: what is sure may depend on it, and one edit must not have two results.)
    while let index = found.keys.sorted().first(where: { isSure($0, found[$0] ?? []) }), let place = found[index]?.first
    {
      places[index] = place
      found[index] = nil
      for other in found.keys { found[other]?.remove(place) }
    }
    return places
  }

  /// For each list with nils: the lists that it may have been. They share an element with it; if none does, they have
  /// all of its elements. Many lists are not compared each with each.
  private static func candidates(
    of values: [ModelRecords.Value], _ indices: Range<Int>, in bases: [ModelRecords.Value], _ baseIndices: Range<Int>
  ) -> [Int: Set<Int>] {
    let lists = indices.filter { values[$0].holdsNulls }
    let count = lists.reduce(0) { $0 + values[$1].count }, baseCount = baseIndices.reduce(0) { $0 + bases[$1].count }
    guard count * baseCount <= 1_000_000 else { return [:] }
    return lists.reduce(into: [:]) { found, index in
      var places = baseIndices.filter { bases[$0].sharesElement(with: values[index]) }
      if places.isEmpty { places = baseIndices.filter { bases[$0].hasElements(of: values[index]) } }
      found[index] = Set(places)
    }
  }
}

extension ModelRecords.Value {
  /// How many elements a list has; 0 for other values.
  fileprivate var count: Int { if case .list(let values) = self { values.count } else { 0 } }

  /// Whether both are lists with an equal element that is not nil.
  fileprivate func sharesElement(with other: ModelRecords.Value) -> Bool {
    guard case .list(let values) = self, case .list(let others) = other else { return false }
    return others.contains { other in !other.isNullOrError && values.contains { $0.isSame(as: other) } }
  }

  /// Whether both are lists, and this one has all elements of the other one. One of two equal elements counts once.
  fileprivate func hasElements(of other: ModelRecords.Value) -> Bool {
    guard case .list(var values) = self, case .list(let others) = other, others.count <= values.count else {
      return false
    }
    return others.allSatisfy { other in
      guard let index = values.firstIndex(where: { $0.isSame(as: other) }) else { return false }
      values.remove(at: index)
      return true
    }
  }
}
