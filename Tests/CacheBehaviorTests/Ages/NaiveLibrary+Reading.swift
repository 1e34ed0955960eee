extension NaiveLibrary {
  /// How old values may be for a read.
  struct Read {
    /// How many seconds too old a value may be; nil: any number.
    var maxStale: Int?
    /// Whether a part is read.
    var isPartial = false
  }

  /// What a read finds.
  struct Finding {
    /// The data; nil if there is none.
    var data: RandomLibrary.Value?
    var isHit = true
    var stale: Set<String> = []
    var earliestExpiry: Int?
    /// When the oldest field came.
    var oldest: Int?
  }

  private struct Missing: Error {}

  /// An object that is being read.
  private struct Object {
    let type: String
    let record: String
    /// The field of the record that it is in, with its value; nil if it is the record.
    var field: (name: String, cell: Cell)?
    /// How old its leaves may be.
    var maxAge: Int?
    let members: [String: Value]
  }

  func read(_ query: [Selection], _ read: Read) -> Finding {
    var finding = Finding()
    let root = Object(
      type: "Query", record: "QUERY_ROOT", members: records["QUERY_ROOT"]?.fields.mapValues(\.value) ?? [:])
    do { finding.data = try self.object(root, query, read, &finding) } catch { finding.isHit = false }
    return finding
  }

  private func object(
    _ object: Object, _ selections: [Selection], _ read: Read, _ finding: inout Finding
  ) throws -> RandomLibrary.Value {
    var members: [String: RandomLibrary.Value] = [:], id: Int?
    if RandomLibrary.hasKey(object.type) {
      // What may not be null makes the object null.
      let key = Selection(field: .init(name: "id"), argument: nil, age: .none, selections: [])
      guard case .string(let text) = try field(key, of: object, read, &finding) else { throw Missing() }
      id = Int(text)
    }
    for selection in selections {
      do {
        let value = try field(selection, of: object, read, &finding)
        members[selection.field.name] = try self.value(value, selection, of: object, read, &finding)
      } catch {
        finding.isHit = false
        guard read.isPartial else { throw error }
        members[selection.field.name] = .null
      }
    }
    return .object(type: object.type, id: id, members)
  }

  /// The value of a field, if it is there and not too old.
  private func field(
    _ selection: Selection, of object: Object, _ read: Read, _ finding: inout Finding
  ) throws -> Value {
    guard let value = object.members[selection.key] else { throw Missing() }
    guard let cell = object.field?.cell ?? records[object.record]?.fields[selection.key] else { throw Missing() }
    let maxAge = self.maxAge(
      of: selection, on: object.type, object.maxAge, leadsToObjects: value.leadsToObjects, appAge(ofTypeOf: value))
    if let date = cell.date { finding.oldest = min(date, finding.oldest ?? .max) }
    guard let end = cell.end(maxAge: maxAge, now: now) else { return value }
    if maxAge != 0, end > cell.date ?? 0 { finding.earliestExpiry = min(end, finding.earliestExpiry ?? .max) }
    guard now >= end else { return value }
    guard let maxStale = read.maxStale else {
      finding.stale.insert("\(object.record).\(object.field?.name ?? selection.key)")
      return value
    }
    guard end > 0, now - end < maxStale else { throw Missing() }
    finding.stale.insert("\(object.record).\(object.field?.name ?? selection.key)")
    return value
  }

  private func value(
    _ value: Value, _ selection: Selection, of object: Object, _ read: Read, _ finding: inout Finding
  ) throws -> RandomLibrary.Value {
    switch value {
    case .null: return .null
    case .string(let text): return .string(text)
    case .list(let values):
      return .list(
        try values.map { element in
          // An object that was removed is null in a list.
          if case .reference(let key) = element, records[key] == nil { return .null }
          do { return try self.value(element, selection, of: object, read, &finding) } catch {
            finding.isHit = false
            guard read.isPartial else { throw error }
            return .null
          }
        })
    case .reference(let key):
      guard let record = records[key] else { throw Missing() }
      let next = Object(
        type: record.type, record: key, maxAge: maxAge(inside: selection, on: object.type, object.maxAge, record.type),
        members: record.fields.mapValues(\.value))
      return try self.object(next, selection.selections, read, &finding)
    case .object(let type, let members):
      let cell = object.field?.cell ?? records[object.record]?.fields[selection.key]
      let next = Object(
        type: type, record: object.record,
        field: object.field ?? cell.map { (selection.key, $0) },
        maxAge: maxAge(inside: selection, on: object.type, object.maxAge, type),
        members: members)
      return try self.object(next, selection.selections, read, &finding)
    }
  }
}

extension NaiveLibrary {
  // MARK: Ages

  /// How old the value of a field may be.
  ///
  /// - Parameters:
  ///   - selection: The field.
  ///   - type: The type of its object.
  ///   - objectAge: How old the leaves of the object may be.
  ///   - leadsToObjects: Whether the value is an object, or has one.
  ///   - appAge: What the app says of the type of that object.
  func maxAge(
    of selection: Selection, on type: String, _ objectAge: Int?, leadsToObjects: Bool, _ appAge: Int?
  ) -> Int? {
    var maxAge: Int?
    switch fieldMark(selection, on: type) {
    case .seconds(let seconds): maxAge = seconds
    case .type(let seconds): maxAge = appAge ?? seconds
    case .inherited: maxAge = objectAge ?? defaultMaxAge
    case .none: maxAge = (leadsToObjects ? appAge : objectAge) ?? defaultMaxAge
    }
    return lowest(maxAge, within: objectAge)
  }

  /// How old the leaves of an object may be.
  ///
  /// - Parameters:
  ///   - selection: The field that leads to it.
  ///   - outer: The type of the object that has the field.
  ///   - objectAge: How old the leaves of that object may be.
  ///   - type: The type of the object.
  func maxAge(inside selection: Selection, on outer: String, _ objectAge: Int?, _ type: String) -> Int? {
    var maxAge: Int?
    switch fieldMark(selection, on: outer) {
    case .seconds(let seconds): maxAge = seconds
    case .inherited: maxAge = objectAge
    case .type(let seconds): maxAge = appAges?[type] ?? seconds
    case .none: maxAge = appAges?[type]
    }
    return lowest(maxAge, within: objectAge)
  }

  private func fieldMark(_ selection: Selection, on type: String) -> Mark {
    if let app = appAges?["\(type).\(selection.field.name)"] { return .seconds(app) }
    return mark(selection, on: type)
  }

  private func lowest(_ maxAge: Int?, within outer: Int?) -> Int? {
    guard library.isLowestOnPath, let outer else { return maxAge }
    return min(maxAge ?? outer, outer)
  }
}

extension NaiveLibrary {
  // MARK: Removing

  /// Removes an object, and what is removed with it.
  mutating func remove(_ key: String, cascade: Bool) {
    guard records[key] != nil else { return }
    var removed: Set<String> = [], waiting = [key]
    while let next = waiting.popLast() {
      guard next != "QUERY_ROOT", let record = records[next], removed.insert(next).inserted else { continue }
      let value = Value.object(type: record.type, record.fields.mapValues(\.value))
      waiting += cascade ? value.references : library.cascades ? cascading(value) : []
    }
    for key in removed { records[key] = nil }
  }

  /// The objects that are deleted with an object, by what the schema says.
  private func cascading(_ value: Value) -> [String] {
    switch value {
    case .null, .string, .reference: []
    case .list(let values): values.flatMap(cascading)
    case .object(let type, let members):
      members.flatMap { key, value -> [String] in
        let isNamed = RandomLibrary.cascadingFields[type]?.contains(String(key.prefix { $0 != "(" })) == true
        return (isNamed ? Self.direct(value) : []) + cascading(value)
      }
    }
  }

  private static func direct(_ value: Value) -> [String] {
    switch value {
    case .reference(let key): [key]
    case .list(let values): values.flatMap(direct)
    case .null, .string, .object: []
    }
  }

  // MARK: Collecting

  /// Removes fields that are too old by what the server and the app say.
  mutating func removeStaleFields(maxStale: Int) {
    let records = records
    for (key, record) in records {
      for (name, cell) in record.fields {
        let age = appAges == nil ? nil : appAges?["\(record.type).\(name.prefix { $0 != "(" })"]
        let ofType = cell.value.leadsToObjects ? appAge(ofTypeOf: cell.value) : appAges?[record.type]
        guard let end = cell.end(maxAge: age ?? ofType ?? defaultMaxAge, now: now), now >= end else { continue }
        if cell.storage == .notStored || end == 0 || now - end >= maxStale { self.records[key]?.fields[name] = nil }
      }
    }
  }

  mutating func removeDanglingReferences() {
    for (key, record) in records {
      let kept = record.fields.compactMapValues { cell in
        withoutDangling(cell.value).map { Cell(value: $0, date: cell.date, expiry: cell.expiry, storage: cell.storage) }
      }
      records[key]?.fields = kept
    }
  }

  private func withoutDangling(_ value: Value) -> Value? {
    switch value {
    case .null, .string: value
    case .reference(let key): records[key] == nil ? nil : value
    case .list(let values): .list(values.map { withoutDangling($0) ?? .null })
    case .object(let type, let members): .object(type: type, members.compactMapValues(withoutDangling))
    }
  }

  mutating func removeUnreachable() {
    var reached: Set<String> = [], waiting = ["QUERY_ROOT"]
    while let key = waiting.popLast() {
      guard let record = records[key], reached.insert(key).inserted else { continue }
      waiting += record.fields.values.flatMap(\.value.references)
    }
    records = records.filter { reached.contains($0.key) }
  }

  /// What another store finds in the backend.
  mutating func reopen() {
    for (key, record) in records {
      let kept = record.fields.filter(\.value.isForBackend)
      records[key]?.fields = kept
      // A record of which nothing may be stored is not stored. One that has lost its fields before still has a type.
      if kept.isEmpty, !record.fields.isEmpty { records[key] = nil }
    }
  }
}
