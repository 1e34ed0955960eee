import ApolloAPI

/// Where a key points: a record, or an object without a key somewhere inside of one.
struct RecordLocation {
  enum Step {
    case field(FieldKey)
    case index(Int)
  }

  var record: Int32
  var steps: [Step] = []
}

extension RecordTable {
  /// What a key points to: a record, or by a path such as `QUERY_ROOT.hero.friends.0` what the fields lead to.
  func location(of key: CacheKey) -> RecordLocation? {
    if let number = records.number(of: key), records[number] != nil { return RecordLocation(record: number) }
    let components = CacheKeyPath.components(of: key)
    for count in (1..<max(1, components.count)).reversed() {
      let prefix = components[..<count].joined(separator: ".")
      guard let number = records.number(of: prefix), records[number] != nil else { continue }
      return location(from: number, components[count...])
    }
    return nil
  }

  private func location(from number: Int32, _ components: ArraySlice<String>) -> RecordLocation? {
    var location = RecordLocation(record: number)
    var value = records[number].map { RecordValue.object($0) }
    for component in components {
      switch value {
      case .object(let record):
        guard let key = FieldKey.find(component), let next = record.value(of: key) else { return nil }
        location.steps.append(.field(key))
        value = next
      case .list(let values):
        guard let index = Int(component), values.indices.contains(index) else { return nil }
        location.steps.append(.index(index))
        value = values[index]
      case .references(let numbers):
        guard let index = Int(component), numbers.indices.contains(index) else { return nil }
        value = .reference(numbers[index])
      default: return nil
      }
      if case .reference(let number) = value {
        guard let record = records[number] else { return nil }
        location = RecordLocation(record: number)
        value = .object(record)
      }
    }
    guard case .object = value else { return nil }
    return location
  }

  /// The object at a place.
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

  /// Merges an object into the one at a place inside of a record.
  mutating func merge(
    _ object: ObjectRecord, at location: RecordLocation, rules: MergeRules, _ changes: inout ChangeSet
  ) {
    guard let record = records[location.record], case .field(let key)? = location.steps.first,
      let value = record.value(of: key)?.replacing(location.steps.dropFirst(), by: object)
    else { return merge(object, into: location.record, date: 0, rules: rules, &changes) }
    let wrapper = ObjectRecord.make(type: record.type, capacity: 1)
    wrapper.append(ObjectRecord.Field(key, value))
    merge(wrapper, into: location.record, date: 0, rules: rules, &changes)
  }

  /// Removes the object at a place. One in a list goes with its list.
  mutating func remove(_ location: RecordLocation) -> ChangeSet {
    let fields = location.steps.compactMap { step -> FieldKey? in if case .field(let key) = step { key } else { nil } }
    guard let field = fields.first else { return remove(location.record) }
    return remove([field], from: location.record)
  }
}

extension RecordValue {
  /// The value with another object at the end of the steps; everything beside them stays.
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

/// The components of a path of keys. Dots count only outside of arguments.
package enum CacheKeyPath {
  package static func components(of key: CacheKey) -> [String] {
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
