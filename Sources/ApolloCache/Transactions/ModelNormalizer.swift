import ApolloAPI

/// Finds out which objects of the cache the objects of a model are.
///
/// An object with a key is its record, wherever the model has it. An object without a key is the one at its place. If a
/// list of such objects has changed, the unchanged objects in it are recognized, whatever their index.
struct ModelNormalizer {
  let table: RecordTable
  var identity: ObjectIdentity
  /// The schema with the functions that compute fields; nil: there are none. (The identity forgets one without keys.)
  private let schema: (any SchemaMetadata.Type)?
  /// The model as it was read; nil while that model itself is being normalized, or if there is none.
  let baseline: ModelRecords?
  /// True for the model as it was read: its objects are where the cache has them.
  let isAsRead: Bool
  /// Whether local fields that are nil are left out, so that they stay as they are.
  let keepsLocalFields: Bool
  private(set) var records = ModelRecords()
  /// What copies with a key tell about places in the model.
  private(set) var keyedCopies: [RecordLocation: KeyedCopy] = [:]
  /// Places with an object without a key, for which no copy with a key was known.
  var unkeyedPlaces: Set<RecordLocation> = []
  /// The indices that elements of changed lists had before, as far as a copy tells: by the list, and by the index now.
  var knownIndices: [RecordLocation: [Int: Int]] = [:]
  /// The indices that were taken for those of elements before, in each copy of a list, and which of these are settled.
  var guessedIndices: [(list: RecordLocation, indices: [Int?], settled: Set<Int>)] = []

  init(
    table: RecordTable, identity: ObjectIdentity, baseline: ModelRecords?, isAsRead: Bool = false,
    keepsLocalFields: Bool = false
  ) {
    self.keepsLocalFields = keepsLocalFields
    self.table = table
    self.identity = identity
    schema = identity.schema
    self.baseline = baseline
    self.isAsRead = isAsRead
  }

  /// Adds the objects of a model.
  ///
  /// - Parameters:
  ///   - root: The outermost object.
  ///   - location: The location of the outermost object.
  /// - Throws: ``ApolloStore/ReadWriteTransaction/ConflictingCopiesError`` if copies of a field differ that is part of
  ///   the key of an object, or ``ApolloStore/ReadWriteTransaction/AbstractTypeError``.
  mutating func add(_ root: ModelObject, at location: RecordLocation) throws {
    repeat {
      records = ModelRecords()
      (unkeyedPlaces, guessedIndices) = ([], [])
      try add(root, at: location, [])
    } while hasMissedPlaces
  }

  private mutating func add(
    _ object: ModelObject, at location: RecordLocation, _ path: [PathComponent], isComputed: Bool = false
  ) throws {
    records.addObject(at: location)
    if let typename = object.typename {
      // A cache may have it from an earlier version, which wrote it.
      if object.isOfAbstractType, !isAsRead, baseline?[location]?.typename != typename {
        throw ApolloStore.ReadWriteTransaction.AbstractTypeError(typename: typename, path: path)
      }
      let copy = ModelRecords.Copy(value: .leaf(.string(typename)), object: path, names: ["__typename"])
      records.add(copy, of: .typename, at: location)
    }
    for (key, names, value, isLocal) in object.fields {
      if keepsLocalFields, isLocal, case .leaf(.null) = value { continue }
      let new: ModelRecords.Value, isMade: Bool
      if case .leaf(let value) = value {
        (new, isMade) = (.leaf(value), isComputed)
      } else {
        let path = path + names.map { .field($0) }
        isMade = isComputed || isAsRead && computes(key, at: location)
        new = try self.value(value, of: key, at: location, path, isComputed: isMade)
      }
      records.add(.init(value: new, isComputed: isMade, object: path, names: names), of: key, at: location)
    }
  }

  private mutating func value(
    _ value: ModelValue, of key: FieldKey, at location: RecordLocation, _ path: [PathComponent], isComputed: Bool
  ) throws -> ModelRecords.Value {
    // (A leaf has no place of its own.)
    if case .leaf(let value) = value { return .leaf(value) }
    var place = Place(location: location.appending(.field(key)), old: baseline?[location]?.value(of: key))
    let object = table.object(at: location)
    place.cached = object?.value(of: key)
    if case .list = value { place.nodes = object?.nodes(ofPagesIn: key) }
    place.isComputed = isComputed
    return try self.value(value, at: place, path)
  }

  /// Whether a function of the app computes a field.
  private func computes(_ key: FieldKey, at location: RecordLocation) -> Bool {
    guard let schema else { return false }
    let name = String(table.records.text(of: key).prefix { $0 != "(" })
    let record = location.steps.isEmpty ? location.record : nil
    return schema.computesField(name, of: table.object(at: location), record)
  }

  /// A place in the model, with the value that the cache has there and the value that the model had there.
  struct Place {
    var location: RecordLocation
    var cached: RecordValue?
    var old: ModelRecords.Value?
    /// The record that each element of the cache's list stands for, if pages were merged in it; nil for everything else.
    var nodes: [Int32?]?
    /// Whether a function of the app has made the value, or an object or a list around it, of what the cache has.
    var isComputed = false
    /// The index that each element of a list has in the list of the cache; nil for one that is not there. If there are no
    /// indices, they are the same.
    var indices: [Int?]?

    /// The index that an element has in the list of the cache; nil if it is not there.
    func cachedIndex(_ index: Int) -> Int? { indices.map { $0.indices.contains(index) ? $0[index] : nil } ?? index }

    func element(_ index: Int) -> Place {
      var place = Place(location: location.appending(.index(cachedIndex(index) ?? index)))
      place.isComputed = isComputed
      if let index = cachedIndex(index) {
        place.cached = cached?.element(at: index)
      } else {
        place.location = place.location.appending(.new)
      }
      if case .list(let values)? = old, values.indices.contains(index) { place.old = values[index] }
      return place
    }
  }

  private mutating func value(
    _ value: ModelValue, at place: Place, _ path: [PathComponent]
  ) throws -> ModelRecords.Value {
    switch value {
    case .leaf(let value): return .leaf(value)
    case .list(let elements): return try list(elements, at: place, path)
    case .object(var object):
      let key = try key(of: &object, path)
      let own = isSame(object, at: place) ? oldLocation(at: place) : place.location.appending(.new)
      let location = location(of: object, key, orElse: own, at: place)
      return try add(object, key: key, at: location, path, isComputed: place.isComputed)
    }
  }

  private mutating func add(
    _ object: ModelObject, key: CacheKey?, at location: RecordLocation, _ path: [PathComponent], isComputed: Bool
  ) throws -> ModelRecords.Value {
    if let key { records.note(key, at: location) }
    // (No function makes what a record has in it of what another one has.)
    try add(object, at: location, path, isComputed: isComputed && !location.steps.isEmpty)
    return .object(location)
  }

  /// The location of an object, by its key or by its place.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - key: The key of the object; nil if it does not tell one.
  ///   - own: The location if the object has no key.
  ///   - place: Where the model has the object.
  /// - Returns: The location.
  private mutating func location(
    of object: ModelObject, _ key: CacheKey?, orElse own: RecordLocation, at place: Place
  ) -> RecordLocation {
    guard let key else { return location(ofUnkeyed: object, orElse: own, at: place) }
    if !isAsRead { keyedCopies[place.location] = KeyedCopy(key: key, typename: object.typename) }
    return location(of: key, at: place)
  }

  // MARK: Objects with a key

  func location(of key: CacheKey, at place: Place) -> RecordLocation {
    if isAsRead, case .reference(let number)? = place.cached { return RecordLocation(record: number) }
    return location(ofKey: key)
  }

  func location(ofKey key: CacheKey) -> RecordLocation {
    // The record may have another key than the model tells, where an app published it.
    baseline?.location(ofKey: key) ?? RecordLocation(record: table.number(for: key))
  }

  /// The key that a model gives an object. If copies differ, a copy that was changed takes precedence, and the
  /// unchanged copies are ignored.
  private mutating func key(of object: inout ModelObject, _ path: [PathComponent]) throws -> CacheKey? {
    let keys = object.keys(&identity)
    guard keys.count > 1, !isAsRead else { return keys.first }
    let new = keys.filter { baseline?.location(ofKey: $0) == nil }
    if new.count == 1 {
      for key in keys where key != new[0] {
        guard let old = baseline?.location(ofKey: key).flatMap({ baseline?[$0] }) else { continue }
        object.removeCopies { key, value in
          if case .leaf(let old)? = old.value(of: key) { old.isSame(as: value) } else { false }
        }
      }
      return new[0]
    }
    guard let (first, second) = object.difference else { return keys.first }
    throw ApolloStore.ReadWriteTransaction.ConflictingCopiesError(
      first: path + first.map { .field($0) }, second: path + second.map { .field($0) })
  }

  // MARK: Objects without a key

  /// The object that was at a place when the model was read.
  private func oldLocation(at place: Place) -> RecordLocation {
    if case .object(let location)? = place.old { return location }
    if isAsRead, case .reference(let number)? = place.cached { return RecordLocation(record: number) }
    return place.location
  }

  /// True if an object without a key is the one that was at its place before. It is if there was one, and if its type
  /// is equal.
  func isSame(_ object: ModelObject, at place: Place) -> Bool {
    if isAsRead { return true }
    if case .object(let location)? = place.old {
      return !location.isNew && baseline?[location]?.typename == object.typename
    }
    guard place.old == nil, case .object(let cached)? = place.cached else { return false }
    return cached.typename == nil || object.typename == nil || cached.typename == object.typename
  }

  private mutating func list(
    _ elements: [ModelValue], at place: Place, _ path: [PathComponent]
  ) throws -> ModelRecords.Value {
    var elements = elements, keys: [CacheKey?] = []
    for index in elements.indices {
      guard case .object(var object) = elements[index] else {
        keys.append(nil)
        continue
      }
      keys.append(try key(of: &object, path + [.index(index)]))
      elements[index] = .object(object)
    }
    var place = place
    if case .list? = place.old {} else { place.indices = cachedIndices(of: elements, keys, at: place) }
    let former = formerIndices(of: elements, keys, at: place)
    return .list(
      try elements.indices.map { index in
        let path = path + [.index(index)]
        var elementPlace = place.element(index)
        guard case .object(let object) = elements[index] else {
          if former[index] != index {
            (elementPlace.old, elementPlace.cached) = (former[index].flatMap { place.element($0).old }, nil)
          }
          return try value(elements[index], at: elementPlace, path)
        }
        let own = former[index].map { oldLocation(at: place.element($0)) } ?? elementPlace.location.appending(.new)
        let location = location(of: object, keys[index], orElse: own, at: elementPlace)
        return try add(object, key: keys[index], at: location, path, isComputed: place.isComputed)
      })
  }
}

extension ObjectRecord {
  /// The name of the object's type, if it is known.
  var typename: String? {
    if let name = type.name { return name }
    guard case .string(let name)? = value(of: .typename) else { return nil }
    return name
  }
}
