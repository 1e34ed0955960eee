import ApolloAPI

// Finding the earlier places of objects without a key in a list.

extension ModelNormalizer {
  /// For each object without a key in a list: the index that it had before; nil for a new object.
  ///
  /// If the list has its old length, an unchanged object has its old index. A changed object has its old index, too,
  /// unless objects have moved: then it is found by its contents, if only one object matches.
  func oldElements(_ elements: [ModelValue], _ keys: [CacheKey?], at place: Place) -> [Int?] {
    var result: [Int?] = Array(repeating: nil, count: elements.count)
    var objects: [(index: Int, object: ModelObject)] = []
    for (index, element) in elements.enumerated() where keys[index] == nil {
      if case .object(let object) = element { objects.append((index, object)) }
    }
    guard !isAsRead, case .list(let old)? = place.old, let baseline else {
      let isOfSameLength = isAsRead || place.cached?.elementCount == elements.count
      for (index, object) in objects where isOfSameLength && isSame(object, at: place.element(index)) {
        result[index] = index
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
    var oldObjects = OldObjects(
      free.compactMap { index in
        guard case .object(let location) = old[index], let object = baseline[location] else { return nil }
        return (index, object)
      })
    let found = objects.map { object in
      oldObjects.indices(ofCandidatesFor: object.object).filter { isUnchanged(object.object, at: $0) }
    }
    if isOfSameLength, found.allSatisfy(\.isEmpty) {
      for (index, object) in objects where isSame(object, at: place.element(index)) { result[index] = index }
      return result
    }
    var counts: [Int: Int] = [:]
    for index in found.joined() { counts[index, default: 0] += 1 }
    for (object, found) in zip(objects, found) where found.count == 1 && counts[found[0]] == 1 {
      result[object.index] = found[0]
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

  private func matches(_ value: ModelValue, _ old: ModelRecords.Value, in baseline: ModelRecords) -> Bool {
    switch (value, old) {
    case (.leaf(let a), .leaf(let b)): return a.isSame(as: b)
    case (.list(let a), .list(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { matches($0, $1, in: baseline) }
    case (.object(let object), .object(let location)):
      var identity = identity
      guard let key = object.keys(&identity).first else { return matches(object, location, in: baseline) }
      return (baseline.location(ofKey: key) ?? RecordLocation(record: table.number(for: key))) == location
    default: return false
    }
  }
}

/// Old objects of a list, by a hash of what they have, so that an unchanged object is not compared with all of them.
private struct OldObjects {
  private let objects: [(index: Int, object: ModelRecords.Object)]
  /// The indices by hashes, for each choice of fields that the hashes are of: new objects need not have the same fields.
  private var indicesByFields: [[FieldKey]: [Int: [Int]]] = [:]

  init(_ objects: [(index: Int, object: ModelRecords.Object)]) { self.objects = objects }

  /// The indices of the objects that a new one may be equal to, in their order.
  mutating func indices(ofCandidatesFor object: ModelObject) -> [Int] {
    let fields = object.fields, keys = fields.map(\.key)
    var hasher = Hasher()
    hasher.combine(object.typename)
    for field in fields { field.value.hash(into: &hasher) }
    return indices(by: keys)[hasher.finalize()] ?? []
  }

  private mutating func indices(by keys: [FieldKey]) -> [Int: [Int]] {
    if let known = indicesByFields[keys] { return known }
    var indices: [Int: [Int]] = [:]
    for (index, object) in objects {
      var hasher = Hasher()
      hasher.combine(object.typename)
      for key in keys { object.value(of: key)?.hash(into: &hasher) }
      indices[hasher.finalize(), default: []].append(index)
    }
    indicesByFields[keys] = indices
    return indices
  }
}

// Values that match have equal hashes. (The types are not `Hashable`, because they are not compared with `==`.)

extension ModelValue {
  fileprivate func hash(into hasher: inout Hasher) {
    switch self {
    case .leaf(let value): value.hash(into: &hasher)
    case .list(let values):
      hasher.combine(values.count)
      for value in values { value.hash(into: &hasher) }
    case .object: break
    }
  }
}

extension ModelRecords.Value {
  fileprivate func hash(into hasher: inout Hasher) {
    switch self {
    case .leaf(let value): value.hash(into: &hasher)
    case .list(let values):
      hasher.combine(values.count)
      for value in values { value.hash(into: &hasher) }
    case .object: break
    }
  }
}

extension RecordValue {
  fileprivate func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let value): hasher.combine(value)
    // An integer may equal a floating-point number.
    case .int(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    // JSON may be equal in several spellings.
    default: break
    }
  }

  fileprivate var elementCount: Int? {
    switch self {
    case .list(let values): values.count
    case .references(let numbers): numbers.count
    default: nil
    }
  }
}
