import ApolloAPI

// Finding where objects without a key, and lists, were in a list before. What is in a list that moves is found by its place
// in there.

extension ModelNormalizer {
  /// For each object without a key, and each list, in a list: the index that it had before; nil for a new one.
  mutating func formerIndices(of elements: [ModelValue], _ keys: [CacheKey?], at place: Place) -> [Int?] {
    let sought = elements.indices.filter { keys[$0] == nil && !elements[$0].isLeaf }
    guard !sought.isEmpty, !isAsRead, case .list(let old)? = place.old, let baseline else {
      // (A list of another length than the one of the cache is another list.)
      guard isAsRead || place.indices != nil else { return elements.map { _ in nil } }
      return elements.indices.map { keys[$0] == nil && stays(elements[$0], at: $0, of: place) ? $0 : nil }
    }
    let known = knownIndices[place.location] ?? [:]
    let found = ChangedList(
      elements: elements, keys: keys, sought: sought, old: old, place: place, baseline: baseline, normalizer: self
    ).found(known: known)
    if !found.sure.isEmpty { knownIndices[place.location] = known.merging(found.sure) { _, sure in sure } }
    guessedIndices.append((place.location, found.indices, found.settled))
    return found.indices
  }

  /// Whether an object without a key, or a list, is the one that was at its place, though it has changed.
  func stays(_ element: ModelValue, at index: Int, of place: Place) -> Bool {
    switch element {
    case .leaf: false
    case .list: true
    case .object(let object): place.cachedIndex(index) != nil && isSame(object, at: place.element(index))
    }
  }

  /// True if a model's object is equal to the object that was read at a location. Where it has nil, or an error, one of the
  /// copies that were read had that too.
  func matches(_ object: ModelObject, _ location: RecordLocation, in baseline: ModelRecords) -> Bool {
    guard let old = baseline[location], old.typename == object.typename else { return false }
    return object.fields.allSatisfy { member in
      guard let field = old.field(member.key) else { return false }
      if matches(member.value, field.value, in: baseline) { return true }
      return member.value.holdsNulls && field.copies.contains { matches(member.value, $0.value, in: baseline) }
    }
  }

  func matches(_ value: ModelValue, _ old: ModelRecords.Value, in baseline: ModelRecords) -> Bool {
    switch (value, old) {
    case (.leaf(let a), .leaf(let b)): return a.isSame(as: b)
    case (.list(let a), .list(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { matches($0, $1, in: baseline) }
    case (.object(let object), .object(let location)):
      return self.location(ofKeyed: object).map { $0 == location } ?? matches(object, location, in: baseline)
    default: return false
    }
  }

  /// The location of an object that tells its key; nil if it does not.
  func location(ofKeyed object: ModelObject) -> RecordLocation? {
    var identity = identity
    return object.keys(&identity).first.map { location(ofKey: $0) }
  }

  // MARK: Parts of objects

  /// A part of an object, which a model as it was read has at the same path in an equal object.
  typealias Part = (path: [RecordLocation.Step], value: ModelRecords.Value)

  /// The parts of an object. Their paths depend on what is selected, and little on the values: so objects of one list have
  /// few sets of paths. Fields are left out of which one copy had a null where another one had something.
  func parts(of object: ModelObject, at path: [RecordLocation.Step] = []) -> [Part] {
    object.fields.flatMap { field in
      let isTold = baseline?.partlyNullFields.contains(field.key) != true
      return isTold ? parts(of: field.value, at: path + [.field(field.key)]) : []
    }
  }

  func parts(of value: ModelValue, at path: [RecordLocation.Step] = []) -> [Part] {
    if let read = readValue(value) { return [(path, read)] }
    switch value {
    case .leaf: return []
    // (The first two tell enough. With all of them, each length would have its own set of paths.)
    case .list(let values): return values.prefix(2).enumerated().flatMap { parts(of: $1, at: path + [.index($0)]) }
    case .object(let object): return parts(of: object, at: path)
    }
  }

  /// What a model as it was read has in the place of an equal value; nil if there are objects without a key in it,
  /// whose locations say nothing.
  private func readValue(_ value: ModelValue) -> ModelRecords.Value? {
    switch value {
    case .leaf(let leaf): return .leaf(leaf)
    case .list(let values):
      let read = values.compactMap { readValue($0) }
      return read.count == values.count ? .list(read) : nil
    case .object(let object): return location(ofKeyed: object).map { .object($0) }
    }
  }
}

extension ModelValue {
  fileprivate var isLeaf: Bool { if case .leaf = self { true } else { false } }

  /// Whether it is null or an error, or a list with these.
  fileprivate var holdsNulls: Bool {
    switch self {
    case .leaf(.null), .leaf(.error): true
    case .leaf, .object: false
    case .list(let values): values.contains { $0.holdsNulls }
    }
  }
}

/// Old objects and lists in a list, by a hash of their parts, so that an unchanged one is not compared with all of them.
struct OldElements {
  private let values: [(index: Int, value: ModelRecords.Value)]
  private let baseline: ModelRecords
  /// The indices by hashes, for each choice of paths that the hashes are of: new objects need not have the same fields.
  private var indicesByPaths: [[[RecordLocation.Step]]: [Int: [Int]]] = [:]

  /// - Parameters:
  ///   - values: The values, each with what is returned for it.
  ///   - baseline: The model as it was read.
  init(_ values: [(index: Int, value: ModelRecords.Value)], in baseline: ModelRecords) {
    self.baseline = baseline
    self.values = values
  }

  /// The indices of the values that a new one may be equal to, in their order.
  mutating func candidates(for parts: [ModelNormalizer.Part], ofType typename: String?) -> [Int] {
    var hasher = Hasher()
    hasher.combine(typename)
    for part in parts { part.value.hash(into: &hasher) }
    return indices(by: parts.map { $0.path })[hasher.finalize()] ?? []
  }

  private mutating func indices(by paths: [[RecordLocation.Step]]) -> [Int: [Int]] {
    if let known = indicesByPaths[paths] { return known }
    var indices: [Int: [Int]] = [:]
    for (index, value) in values {
      var hasher = Hasher()
      hasher.combine(typename(of: value))
      for path in paths { (self.value(at: path, of: value) ?? .leaf(.null)).hash(into: &hasher) }
      indices[hasher.finalize(), default: []].append(index)
    }
    indicesByPaths[paths] = indices
    return indices
  }

  private func typename(of value: ModelRecords.Value) -> String? {
    if case .object(let location) = value { baseline[location]?.typename } else { nil }
  }

  private func value(at path: [RecordLocation.Step], of whole: ModelRecords.Value) -> ModelRecords.Value? {
    var value = whole
    for step in path {
      switch (value, step) {
      case (.object(let location), .field(let key)):
        guard let field = baseline[location]?.value(of: key) else { return nil }
        value = field
      case (.list(let values), .index(let index)) where values.indices.contains(index): value = values[index]
      default: return nil
      }
    }
    return value
  }
}

// Values that match have equal hashes. (The type is not `Hashable`, because it is not compared with `==`.)

extension ModelRecords.Value {
  fileprivate func hash(into hasher: inout Hasher) {
    switch self {
    case .leaf(let value): value.hash(into: &hasher)
    case .list(let values):
      hasher.combine(values.count)
      for value in values { value.hash(into: &hasher) }
    case .object(let location): hasher.combine(location)
    }
  }
}
