// The key under which the cache keeps an object of a model.

extension ModelObject {
  /// The keys that the object may have: one, or none. There are several where copies of a field differ of which the key
  /// is made.
  package func keys(_ identity: inout ObjectIdentity) -> [String] {
    var keys: [String] = []
    if isEmbedded { return keys }
    for source in [nil] + sourcesThatDiffer.map({ Optional($0) }) {
      if let key = key(&identity, preferring: source), !keys.contains(key) { keys.append(key) }
    }
    return keys
  }

  /// The names that lead to two copies of a scalar that differ; nil if all copies are equal.
  package var difference: (first: [String], second: [String])? {
    for (index, member) in members.enumerated() {
      if let first = members[..<index].first(where: { $0.differs(from: member) }) {
        return (first.names, member.names)
      }
    }
    return nil
  }

  /// Removes copies of scalars, of which there are others with other values.
  package mutating func removeCopies(where isUnchanged: (FieldKey, RecordValue) -> Bool) {
    let all = members
    members = all.filter { member in
      guard case .leaf(let value) = member.value, isUnchanged(member.key, value) else { return true }
      return !all.contains { $0.differs(from: member) }
    }
  }

  private var sourcesThatDiffer: [Int] {
    guard members.contains(where: { $0.source != 0 }) else { return [] }
    var sources: [Int] = []
    for (index, member) in members.enumerated() where !sources.contains(member.source) {
      if members[..<index].contains(where: { $0.differs(from: member) }) { sources.append(member.source) }
    }
    return sources
  }

  private func key(_ identity: inout ObjectIdentity, preferring source: Int?) -> String? {
    if let keyForObject = identity.cacheKeyForObject {
      switch keyForObject(json(preferring: source)) {
      case nil, is JSONNull: break
      case let key as String: return key
      case let value?:
        var writer = __JSONWriter()
        writer.writeJSON(value)
        return writer.text
      }
    } else if identity.schema != nil {
      let record = record(&identity, preferring: source)
      if let key = identity.configuredKey(of: record) { return key }
    }
    return declaredKey(preferring: source)
  }

  /// The key that the key fields make.
  private func declaredKey(preferring source: Int?) -> String? {
    guard let typename else { return nil }
    let keyFields = self.keyFields.isEmpty ? keyFields(ofType: typename) : self.keyFields
    if keyFields.isEmpty { return nil }
    var parts: [String] = []
    for field in keyFields {
      switch member(field, preferring: source)?.value {
      case .leaf(.string(let value)): parts.append(CacheKeyEscaping.escaped(value))
      case .leaf(.int(let value)): parts.append(String(value))
      case .leaf(.bool(let value)): parts.append(String(value))
      case .leaf(.double(let value)): parts.append(CacheKeyEscaping.escaped(String(value)))
      case .leaf(let value):
        guard let digits = value.wideInteger else { return nil }
        parts.append(digits)
      default: return nil
      }
    }
    return typename + ":" + parts.joined(separator: "+")
  }

  /// The fields that make the key of an object of a type, where that depends on the type.
  private func keyFields(ofType typename: String) -> [FieldKey] {
    if typeKeys.isEmpty { return [] }
    let type = TypeSymbol.lookUp(typename)
    return typeKeys.first { $0.types.contains(type) }?.fields.array ?? []
  }

  private func member(_ key: FieldKey, preferring source: Int?) -> Member? {
    if let source, let member = members.first(where: { $0.key == key && $0.source == source }) { return member }
    return members.first { $0.key == key }
  }

  // MARK: What an app is asked with

  /// The object as a record: objects in it that have a key of their own are references to nothing.
  private func record(_ identity: inout ObjectIdentity, preferring source: Int?) -> ObjectRecord {
    var fields: [ObjectRecord.Field] = []
    for member in members where !fields.contains(where: { $0.key == member.key }) {
      let value = self.member(member.key, preferring: source)?.value ?? member.value
      fields.append(ObjectRecord.Field(member.key, Self.recordValue(value, &identity)))
    }
    let type = typename.map { TypeSymbol.lookUp($0) } ?? .unknown
    if type == .unknown, let typename { fields.append(ObjectRecord.Field(.typename, .string(typename))) }
    let record = ObjectRecord.make(type: type, capacity: fields.count)
    for field in fields { record.append(field) }
    return record
  }

  private static func recordValue(_ value: ModelValue, _ identity: inout ObjectIdentity) -> RecordValue {
    switch value {
    case .leaf(let value): return value
    case .list(let values): return .list(values.map { recordValue($0, &identity) })
    case .object(let object):
      let record = object.record(&identity, preferring: nil)
      if object.isEmbedded { return .object(record) }
      let key = identity.configuredKey(of: record) ?? object.declaredKey(preferring: nil)
      return key == nil ? .object(record) : .reference(-1)
    }
  }

  /// The object as a server would send it.
  private func json(preferring source: Int?) -> JSONObject {
    var object: JSONObject = [:]
    if let typename { object["__typename"] = typename }
    for member in members {
      guard let name = member.names.last else { continue }
      let value = Self.json(self.member(member.key, preferring: source)?.value ?? member.value)
      guard let earlier = object[name] else {
        object[name] = value
        continue
      }
      if let earlier = earlier as? JSONObject, let other = Self.json(member.value) as? JSONObject {
        object[name] = earlier.merging(other) { first, _ in first }
      }
    }
    return object
  }

  private static func json(_ value: ModelValue) -> JSONValue {
    switch value {
    case .object(let object): object.json(preferring: nil)
    case .list(let values): values.map(json)
    case .leaf(let value): ObjectData.value(value) ?? JSONNull()
    }
  }
}

extension ModelObject.Member {
  /// True for a copy of an equal scalar with another value.
  fileprivate func differs(from other: Self) -> Bool {
    guard key == other.key, case .leaf(let a) = value, case .leaf(let b) = other.value else { return false }
    return !a.isSame(as: b)
  }
}
