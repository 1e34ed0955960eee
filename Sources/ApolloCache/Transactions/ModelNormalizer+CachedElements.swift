import ApolloAPI

// Finding the elements of a list as it was read in the list of the cache.

extension ModelNormalizer {
  /// The index that each element of a list has in the list of the cache from which it was read; nil for one that is not
  /// there.
  ///
  /// - Returns: nil if the cache does not have such a list.
  func cachedIndices(of elements: [ModelValue], _ keys: [CacheKey?], at place: Place) -> [Int?]? {
    guard let cached = place.cached else { return nil }
    if !place.isComputed,
      let indices = table.records.indices(ofRead: elements.count, from: cached, standingFor: place.nodes)
    {
      return indices
    }
    guard isAsRead, let values = cached.elements else { return nil }
    // A function of the app has made the list. An object without a key, or a list, is the only one of which it has all
    // values.
    var cachedElements = CachedElements(values, in: table)
    return zip(elements, keys).map { element, key in
      if case .leaf = element { return nil }
      guard key == nil else { return nil }
      let found = cachedElements.candidates(for: leaves(of: element)).lazy
        .filter { isRead(element, from: values[$0]) }.prefix(2)
      return found.count == 1 ? found.first : nil
    }
  }

  /// A part of an element that has no other parts, and the path to it.
  fileprivate typealias Leaf = (path: [RecordLocation.Step], value: RecordValue)

  private func leaves(of value: ModelValue, at path: [RecordLocation.Step] = []) -> [Leaf] {
    switch value {
    case .leaf(let value): return [(path, value)]
    case .list(let values): return values.enumerated().flatMap { leaves(of: $1, at: path + [.index($0)]) }
    case .object(let object):
      if let location = location(ofKeyed: object) { return [(path, .reference(location.record))] }
      return object.fields.flatMap { leaves(of: $0.value, at: path + [.field($0.key)]) }
    }
  }

  /// Whether a model has a value as the cache has it.
  private func isRead(_ value: ModelValue, from cached: RecordValue?) -> Bool {
    switch (value, cached) {
    case (.leaf(.null), nil), (.leaf(.null), .error?): return true
    case (.leaf(let value), let cached?): return value.isSame(as: cached)
    case (.list(let values), let cached?):
      guard let elements = cached.elements, elements.count == values.count else { return false }
      return zip(values, elements).allSatisfy { isRead($0, from: $1) }
    case (.object(let object), .reference(let number)?):
      if let location = location(ofKeyed: object) { return location.record == number }
      return table[number].map { isRead(value, from: .object($0)) } ?? false
    case (.object(let object), .object(let record)?):
      let isOfSameType = object.typename == nil || record.typename == nil || object.typename == record.typename
      return isOfSameType && object.fields.allSatisfy { isRead($0.value, from: record.value(of: $0.key)) }
    default: return false
    }
  }
}

/// The elements of a list of the cache, by a hash of their leaves, so that an element of a model is not compared with
/// all of them.
private struct CachedElements {
  private let values: [RecordValue]
  private let table: RecordTable
  /// The indices by hashes, for each choice of paths that the hashes are of: objects of several types have several
  /// fields.
  private var indicesByPaths: [[[RecordLocation.Step]]: [Int: [Int]]] = [:]

  init(_ values: [RecordValue], in table: RecordTable) {
    self.values = values
    self.table = table
  }

  /// The indices of the elements that have all leaves of an element of a model, and perhaps of some others, in their
  /// order.
  mutating func candidates(for leaves: [ModelNormalizer.Leaf]) -> [Int] {
    var hasher = Hasher()
    for leaf in leaves { leaf.value.hash(into: &hasher) }
    return indices(by: leaves.map(\.path))[hasher.finalize()] ?? []
  }

  private mutating func indices(by paths: [[RecordLocation.Step]]) -> [Int: [Int]] {
    if let known = indicesByPaths[paths] { return known }
    var indices: [Int: [Int]] = [:]
    for (index, value) in values.enumerated() {
      var hasher = Hasher()
      for path in paths { (self.value(at: path, of: value) ?? .null).hash(into: &hasher) }
      indices[hasher.finalize(), default: []].append(index)
    }
    indicesByPaths[paths] = indices
    return indices
  }

  private func value(at path: [RecordLocation.Step], of value: RecordValue) -> RecordValue? {
    var value: RecordValue? = value
    for step in path {
      if case .reference(let number)? = value { value = table[number].map { .object($0) } }
      switch (value, step) {
      case (.object(let record)?, .field(let key)): value = record.value(of: key)
      case (let list?, .index(let index)): value = list.element(at: index)
      default: return nil
      }
    }
    return value
  }
}

extension RecordValue {
  /// The elements of a list; nil if it is not one.
  fileprivate var elements: [RecordValue]? {
    switch self {
    case .list(let values): values
    case .references(let numbers): numbers.map { $0 < 0 ? .null : .reference($0) }
    default: nil
    }
  }

  /// The element of a list; nil if it is not one, or has no such element, or a reference that is null.
  func element(at index: Int) -> RecordValue? {
    switch self {
    case .list(let values): values.indices.contains(index) ? values[index] : nil
    case .references(let numbers):
      numbers.indices.contains(index) && numbers[index] >= 0 ? .reference(numbers[index]) : nil
    default: nil
    }
  }
}
