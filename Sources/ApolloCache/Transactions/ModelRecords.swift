import ApolloAPI

/// The objects of the cache that a model consists of, each with all copies of its fields.
struct ModelRecords {
  /// The value of a field.
  indirect enum Value {
    case leaf(RecordValue)
    case list([Value])
    case object(RecordLocation)

    var isNull: Bool {
      if case .leaf(.null) = self { true } else { false }
    }

    /// Whether it is a list with an element that is null or an error, at some level.
    var holdsNulls: Bool {
      guard case .list(let values) = self else { return false }
      return values.contains { $0.isNullOrError || $0.holdsNulls }
    }

    /// Whether there is no value, or an error in its place. It may stand for an object in which something is not there.
    var isNullOrError: Bool {
      switch self {
      case .leaf(.null), .leaf(.error): true
      default: false
      }
    }

    /// The value, with that of another copy where it is nil or an error.
    fileprivate func completed(by other: Value) -> Value {
      switch (self, other) {
      case (.leaf(.null), _): other
      case (.leaf(.error), _): other.isNull ? self : other
      case (.list(let a), .list(let b)) where a.count == b.count: .list(zip(a, b).map { $0.completed(by: $1) })
      default: self
      }
    }

    func isSame(as other: Value) -> Bool {
      switch (self, other) {
      // The server tells the failure of a field once for each place that selects it.
      case (.leaf(.error(let a)), .leaf(.error(let b))): a.isSameFailure(as: b)
      case (.leaf(let a), .leaf(let b)): a.isSame(as: b)
      case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
      case (.object(let a), .object(let b)): a == b
      default: false
      }
    }
  }

  /// One copy of a field, and where it is in the model.
  struct Copy {
    let value: Value
    /// Whether a function of the app has made the value, or an object or a list around it, of what the cache has.
    var isComputed = false
    /// The path of the object that has the copy, and the names that lead from the object to the copy.
    let object: [PathComponent], names: [String]

    var path: [PathComponent] { object + names.map { .field($0) } }

    /// Whether the names of both paths are equal: they say what is selected, whatever the indices.
    fileprivate func isOfSameSelection(as other: Copy) -> Bool {
      var others = other.object.lazy.compactMap(\.fieldName).makeIterator()
      for name in object.lazy.compactMap(\.fieldName) where others.next() != name { return false }
      return others.next() == nil && names == other.names
    }
  }

  struct Object {
    struct Field {
      let key: FieldKey
      private let first: Copy
      private var others: [Copy] = []
      /// The value of the copies. They are equal in a model as it was read, but for those that are nil, or an error,
      /// because something inside of the value is not there (`@required`, or `@catch`).
      private(set) var value: Value

      fileprivate init(key: FieldKey, _ copy: Copy) {
        (self.key, first, value) = (key, copy, copy.value)
      }

      fileprivate mutating func add(_ copy: Copy) {
        others.append(copy)
        value = value.completed(by: copy.value)
      }

      var copies: [Copy] { others.isEmpty ? [first] : [first] + others }

      var isComputed: Bool { first.isComputed || others.contains { $0.isComputed } }

      /// The copies that have another value than they had in a field which is as it was read, and what they had. Without
      /// that field these are all of them, and they had nothing.
      func changes(since former: Field?) -> [(copy: Copy, base: Value?)] {
        guard let former else { return copies.map { ($0, nil) } }
        if others.isEmpty, former.others.isEmpty {
          return first.value.isSame(as: former.value) ? [] : [(first, former.value)]
        }
        return copies.enumerated().compactMap { index, copy in
          if copy.value.isSame(as: former.value) { return nil }
          if former.others.isEmpty { return (copy, former.value) }
          // (One that was read elsewhere had what any copy had.)
          guard let base = former.copy(likeFormer: copy, near: index)?.value else {
            return former.copies.contains { $0.value.isSame(as: copy.value) } ? nil : (copy, former.value)
          }
          return base.isSame(as: copy.value) ? nil : (copy, base)
        }
      }

      /// A copy as it was in this field, which is as it was read; nil if it was read elsewhere. It is one that was selected
      /// in the same way, whatever its indices: all of these were read alike.
      ///
      /// - Parameters:
      ///   - copy: The copy.
      ///   - index: Its index among the copies, which it mostly had before. So many copies do not take long.
      /// - Returns: The copy as it was.
      private func copy(likeFormer copy: Copy, near index: Int) -> Copy? {
        if index > 0, index <= others.count, others[index - 1].isOfSameSelection(as: copy) { return others[index - 1] }
        return self.copy { $0.isOfSameSelection(as: copy) } ?? self.copy { $0.names == copy.names }
      }

      private func copy(where isSought: (Copy) -> Bool) -> Copy? {
        isSought(first) ? first : others.first(where: isSought)
      }
    }

    /// The fields, in the order of the model; `__typename` is one of them.
    private(set) var fields: [Field] = []
    /// The keys of the fields, in their order. (To look through the fields would copy each of them.)
    private var keys: [FieldKey] = []

    /// The value of a field. It is meant for models as they were read.
    func value(of key: FieldKey) -> Value? { keys.firstIndex(of: key).map { fields[$0].value } }

    /// A field; nil if the object does not have it.
    func field(_ key: FieldKey) -> Field? { keys.firstIndex(of: key).map { fields[$0] } }

    var typename: String? {
      if case .leaf(.string(let name))? = value(of: .typename) { name } else { nil }
    }

    /// Adds a copy of a field.
    ///
    /// - Returns: Whether it differs from the copies that are there.
    mutating func add(_ copy: Copy, of key: FieldKey) -> Bool {
      guard let index = keys.firstIndex(of: key) else {
        keys.append(key)
        fields.append(Field(key: key, copy))
        return false
      }
      let differs = !fields[index].value.isSame(as: copy.value)
      fields[index].add(copy)
      return differs
    }
  }

  /// The objects, in the order of the model.
  private(set) var locations: [RecordLocation] = []
  private var objects: [RecordLocation: Object] = [:]
  /// The fields whose copies differ in some object. In a model as it was read, one copy has a null or an error where another
  /// one has something.
  private(set) var partlyNullFields: Set<FieldKey> = []
  /// The objects whose keys the model tells, by the bytes of the key: keys are equal only if their bytes are.
  private var locationsByKey: [[UInt8]: RecordLocation] = [:]

  subscript(location: RecordLocation) -> Object? { objects[location] }

  mutating func note(_ key: CacheKey, at location: RecordLocation) { locationsByKey[Array(key.utf8)] = location }

  /// The object whose key the model tells.
  func location(ofKey key: CacheKey) -> RecordLocation? {
    locationsByKey.isEmpty ? nil : locationsByKey[Array(key.utf8)]
  }

  mutating func addObject(at location: RecordLocation) {
    guard objects[location] == nil else { return }
    objects[location] = Object()
    locations.append(location)
  }

  mutating func add(_ copy: Copy, of key: FieldKey, at location: RecordLocation) {
    if objects[location]?.add(copy, of: key) == true { partlyNullFields.insert(key) }
  }
}

extension PathComponent {
  fileprivate var fieldName: String? { if case .field(let name) = self { name } else { nil } }
}

extension RecordLocation {
  /// Whether the object is a new one, or inside of a new one.
  var isNew: Bool { steps.contains(.new) }
}
