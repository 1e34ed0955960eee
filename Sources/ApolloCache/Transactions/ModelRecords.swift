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
    /// The path of the object that has the copy, and the names that lead from the object to the copy.
    let object: [PathComponent], names: [String]

    var path: [PathComponent] { object + names.map { .field($0) } }
  }

  struct Object {
    struct Field {
      let key: FieldKey
      fileprivate let first: Copy
      fileprivate var others: [Copy] = []

      var copies: [Copy] { others.isEmpty ? [first] : [first] + others }
    }

    /// The fields, in the order of the model; `__typename` is one of them.
    private(set) var fields: [Field] = []

    /// The value of a field. It is meant for models as they were read, in which all copies of a field are equal.
    func value(of key: FieldKey) -> Value? { fields.first { $0.key == key }?.first.value }

    var typename: String? {
      if case .leaf(.string(let name))? = value(of: .typename) { name } else { nil }
    }

    mutating func add(_ copy: Copy, of key: FieldKey) {
      if let index = fields.firstIndex(where: { $0.key == key }) {
        fields[index].others.append(copy)
      } else {
        fields.append(Field(key: key, first: copy))
      }
    }
  }

  /// The objects, in the order of the model.
  private(set) var locations: [RecordLocation] = []
  private var objects: [RecordLocation: Object] = [:]
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
    objects[location]?.add(copy, of: key)
  }
}

extension RecordLocation {
  /// Whether the object is a new one, or inside of a new one.
  var isNew: Bool { steps.contains(.new) }
}
