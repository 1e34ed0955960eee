import ApolloAPI

/// The location of an object: a record, or an object without a key inside of a record.
struct RecordLocation: Hashable {
  enum Step: Hashable {
    case field(FieldKey)
    case index(Int)
    /// A new object at a place, which replaces the one that is there.
    case new
  }

  var record: Int32
  var steps: [Step] = []

  func appending(_ step: Step) -> RecordLocation { RecordLocation(record: record, steps: steps + [step]) }
}

extension RecordTable {
  /// The location that a key or a path leads to. A path, such as `QUERY_ROOT.hero.friends.0`, is followed from field to
  /// field.
  ///
  /// The key of a record may be any text. So a record whose key is the whole text comes first, and then the record
  /// whose key is the longest prefix of it. A text that begins with the key of a root is a path.
  func location(of key: CacheKey) -> RecordLocation? { walk(to: key)?.location }

  /// The fields that lead from a record to what a path names; empty if it is not there, or is named by a key.
  func fields(onPathTo key: CacheKey) -> [(record: Int32, key: FieldKey)] { walk(to: key)?.fields ?? [] }

  private func walk(to key: CacheKey) -> PathWalk? {
    if let (root, rest) = CacheKeyPath.root(of: key), let number = records.number(of: root),
      case let found = walk(from: number, rest), found.location != nil
    {
      return found
    }
    if let number = records.number(of: key), records[number] != nil {
      return PathWalk(location: RecordLocation(record: number))
    }
    for (prefix, rest) in CacheKeyPath.divisions(of: key) {
      guard let number = records.number(of: prefix), records[number] != nil,
        case let found = walk(from: number, rest), found.location != nil
      else { continue }
      return found
    }
    return nil
  }

  /// The records that must be loaded from a backend before the location of a key is known.
  func unloaded(on key: CacheKey) -> Set<Int32> {
    guard location(of: key) == nil else { return [] }
    var unloaded = [number(for: key)]
    for (prefix, rest) in CacheKeyPath.divisions(of: key) {
      let number = number(for: prefix)
      unloaded.append(number)
      // The last record on the path may be the one that is missing.
      if records[number] != nil, let missing = walk(from: number, rest).missing { unloaded.append(missing) }
    }
    return Set(unloaded.filter { !isLoaded($0) })
  }

  /// What came of following a path.
  private struct PathWalk {
    /// Where the path leads; nil if it leads to no object.
    var location: RecordLocation?
    /// The record at which it ends too early, because that is not in memory.
    var missing: Int32?
    /// The fields of records that it went through.
    var fields: [(record: Int32, key: FieldKey)] = []
  }

  private func walk(from number: Int32, _ path: String) -> PathWalk {
    var walk = PathWalk(), location = RecordLocation(record: number)
    var value = records[number].map { RecordValue.object($0) }
    for component in CacheKeyPath.components(of: path) {
      switch value {
      case .object(let record):
        guard let key = records.fieldKey(of: component), let next = record.value(of: key) else { return walk }
        if location.steps.isEmpty { walk.fields.append((location.record, key)) }
        location.steps.append(.field(key))
        value = next
      case .list(let values):
        guard let index = Int(component), values.indices.contains(index) else { return walk }
        location.steps.append(.index(index))
        value = values[index]
      case .references(let numbers):
        guard let index = Int(component), numbers.indices.contains(index) else { return walk }
        value = .reference(numbers[index])
      default: return walk
      }
      if case .reference(let number) = value {
        guard let record = records[number] else {
          if number >= 0 { walk.missing = number }
          return walk
        }
        location = RecordLocation(record: number)
        value = .object(record)
      }
    }
    if case .object = value { walk.location = location }
    return walk
  }

  /// The object at a location.
  func object(at location: RecordLocation) -> ObjectRecord? {
    var value = records[location.record].map { RecordValue.object($0) }
    for step in location.steps {
      switch (step, value) {
      case (.field(let key), .object(let record)): value = record.value(of: key)
      case (.index(let index), .list(let values)) where values.indices.contains(index): value = values[index]
      default: return nil
      }
    }
    guard case .object(let record) = value else { return nil }
    return record
  }

  /// Merges an object into the one at a location inside of a record.
  mutating func merge(
    _ object: ObjectRecord, at location: RecordLocation, dates: RecordDates, rules: MergeRules,
    _ changes: inout ChangeSet
  ) {
    let object = rules.isShared ? object.removing(dates.keysOfNotStored(in: object)) : object
    guard let record = records[location.record], case .field(let key)? = location.steps.first,
      let value = record.value(of: key)?.replacing(location.steps.dropFirst(), by: object)
    else { return merge(object, into: location.record, dates: dates, rules: rules, hasErrors: true, &changes) }
    let wrapper = ObjectRecord.make(type: record.type, capacity: 1)
    wrapper.append(ObjectRecord.Field(key, value))
    merge(wrapper, into: location.record, dates: RecordDates(), rules: rules, &changes)
  }

  /// Removes the object at a location. An object in a list is removed together with the list.
  mutating func remove(_ location: RecordLocation) -> ChangeSet {
    let fields = location.steps.compactMap { step -> FieldKey? in if case .field(let key) = step { key } else { nil } }
    guard let field = fields.first else { return remove(location.record) }
    return remove([field], from: location.record)
  }
}

extension RecordValue {
  /// The value with another object at the end of the steps; all other parts stay.
  fileprivate func replacing(_ steps: ArraySlice<RecordLocation.Step>, by object: ObjectRecord) -> RecordValue {
    guard let step = steps.first else { return .object(object) }
    switch (step, self) {
    case (.field(let key), .object(let record)):
      let wrapper = ObjectRecord.make(type: record.type, capacity: 1)
      let value = record.value(of: key) ?? .null
      wrapper.append(ObjectRecord.Field(key, value.replacing(steps.dropFirst(), by: object)))
      return .object(wrapper)
    case (.index(let index), .list(var values)):
      values[index] = values[index].replacing(steps.dropFirst(), by: object)
      return .list(values)
    default: return self
    }
  }
}

/// The components of a path. Dots in arguments do not divide components.
enum CacheKeyPath {
  /// How many dots from the start of a key, and how many from its end, may divide it. A key may have text of a server
  /// in it, with any number of dots.
  static let dotLimit = 16

  /// The two sides of each dot that may divide a key into the key of a record and a path, from the last to the first.
  static func divisions(of key: CacheKey) -> [(prefix: String, rest: String)] {
    var dots = key.utf8.indices.filter { key.utf8[$0] == UInt8(ascii: ".") && $0 != key.startIndex }
    if dots.count > 2 * dotLimit { dots.removeSubrange(dotLimit..<dots.count - dotLimit) }
    return dots.reversed().map { dot in
      (String(key[..<dot]), String(key[key.utf8.index(after: dot)...]))
    }
  }

  /// A path from a root: the key of the root, and the fields that lead from there.
  static func root(of key: CacheKey) -> (root: String, rest: String)? {
    for root in GraphQLOperationType.allCases.map(\.rootKey) where key.utf8.starts(with: root.utf8) {
      let rest = key.utf8.dropFirst(root.utf8.count)
      if rest.first == UInt8(ascii: ".") { return (root, String(Substring(rest.dropFirst()))) }
    }
    return nil
  }

  /// Whether a text may be a field: a name, or a name with arguments.
  static func isField(_ text: String) -> Bool {
    text.hasSuffix(")") == text.contains("(") && components(of: text).count == 1
  }

  static func components(of key: CacheKey) -> [String] {
    var components: [[UInt8]] = [[]]
    var depth = 0, isQuoted = false, isEscaped = false
    for byte in key.utf8 {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\"") where depth > 0: isQuoted.toggle()
      case UInt8(ascii: "(") where !isQuoted: depth += 1
      case UInt8(ascii: ")") where !isQuoted: depth = max(0, depth - 1)
      case UInt8(ascii: ".") where !isQuoted && depth == 0:
        components.append([])
        continue
      default: break
      }
      components[components.count - 1].append(byte)
    }
    return components.map { String(decoding: $0, as: UTF8.self) }
  }
}
