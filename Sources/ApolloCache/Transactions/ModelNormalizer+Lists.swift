import ApolloAPI

// Finding the earlier places of objects without a key, and of lists, in a list.

extension ModelNormalizer {
  /// For each object without a key in a list: the index that it had before; nil for a new object.
  ///
  /// If the list has its old length, an unchanged object has its old index. A changed object has its old index, too,
  /// unless objects have moved: then it is found by its contents, if only one object matches, or if another copy of the
  /// list tells which one.
  mutating func oldElements(_ elements: [ModelValue], _ keys: [CacheKey?], at place: Place) -> [Int?] {
    var result: [Int?] = Array(repeating: nil, count: elements.count)
    var objects: [(index: Int, object: ModelObject)] = []
    for (index, element) in elements.enumerated() where keys[index] == nil {
      if case .object(let object) = element { objects.append((index, object)) }
    }
    guard !isAsRead, case .list(let old)? = place.old, let baseline else {
      guard isAsRead || place.indices != nil else { return result }
      for (index, object) in objects where place.cachedIndex(index) != nil {
        if isSame(object, at: place.element(index)) { result[index] = index }
      }
      return result
    }
    func isUnchanged(_ object: ModelObject, at index: Int) -> Bool {
      guard old.indices.contains(index), case .object(let location) = old[index] else { return false }
      return matches(object, location, in: baseline)
    }
    let isOfSameLength = old.count == elements.count
    if isOfSameLength {
      for (index, object) in objects where isUnchanged(object, at: index) { result[index] = index }
      objects.removeAll { result[$0.index] != nil }
    }
    let free = old.indices.filter { !isOfSameLength || result[$0] == nil }
    var olds = OldElements(free.map { ($0, old[$0]) }, in: baseline)
    let found = objects.map { _, object -> [Int] in
      var found: [Int] = []
      for index in olds.candidates(for: parts(of: object), ofType: object.typename)
      where isUnchanged(object, at: index) {
        found.append(index)
        // (Which one it is cannot be told of two, and not of more.)
        if found.count == 2 { break }
      }
      return found
    }
    if isOfSameLength, found.allSatisfy(\.isEmpty) {
      for (index, object) in objects where isSame(object, at: place.element(index)) { result[index] = index }
      return result
    }
    var counts: [Int: Int] = [:]
    for index in found.joined() { counts[index, default: 0] += 1 }
    for (object, found) in zip(objects, found) where found.count == 1 && counts[found[0]] == 1 {
      result[object.index] = found[0]
      earlierIndices[place.element(object.index).location] = found[0]
    }
    var used = Set(result.compactMap { $0 })
    for ((index, object), found) in zip(objects, found) where result[index] == nil {
      let location = place.element(index).location
      guard let old = earlierIndices[location] else {
        unclearPlaces.insert(location)
        continue
      }
      let fits = found.isEmpty ? isSame(object, at: place.element(old)) : isUnchanged(object, at: old)
      if fits, used.insert(old).inserted { result[index] = old }
    }
    return result
  }

  /// True if a model's object is equal to the object that was read at a location.
  func matches(_ object: ModelObject, _ location: RecordLocation, in baseline: ModelRecords) -> Bool {
    guard let old = baseline[location], old.typename == object.typename else { return false }
    return object.fields.allSatisfy { member in
      old.value(of: member.key).map { matches(member.value, $0, in: baseline) } ?? false
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

  func parts(of object: ModelObject, at path: [RecordLocation.Step] = []) -> [Part] {
    object.fields.flatMap { parts(of: $0.value, at: path + [.field($0.key)]) }
  }

  func parts(of value: ModelValue, at path: [RecordLocation.Step] = []) -> [Part] {
    if let read = readValue(value) { return [(path, read)] }
    switch value {
    case .leaf: return []
    case .list(let values): return values.enumerated().flatMap { parts(of: $1, at: path + [.index($0)]) }
    case .object(let object): return parts(of: object, at: path)
    }
  }

  /// What a model as it was read has in the place of an equal value; nil if there are objects without a key in it,
  /// whose locations say nothing.
  private func readValue(_ value: ModelValue) -> ModelRecords.Value? {
    switch value {
    case .leaf(let value): return .leaf(value)
    case .list(let values):
      let read = values.compactMap { readValue($0) }
      return read.count == values.count ? .list(read) : nil
    case .object(let object): return location(ofKeyed: object).map { .object($0) }
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
      for path in paths { self.value(at: path, of: value)?.hash(into: &hasher) }
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

// Values that match have equal hashes. (The types are not `Hashable`, because they are not compared with `==`.)

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

extension RecordValue {
  func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let value): hasher.combine(value)
    // An integer may equal a floating-point number.
    case .int(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .reference(let number): hasher.combine(number)
    // JSON may be equal in several spellings.
    default: break
    }
  }
}
