/// A cache of a library in dictionaries, with a date for each field.
struct NaiveLibrary {
  typealias Selection = RandomLibrary.Selection

  indirect enum Value: Equatable {
    case null
    case string(String)
    case reference(String)
    case list([Value])
    case object(type: String, [String: Value])

    var references: [String] {
      switch self {
      case .null, .string: []
      case .reference(let key): [key]
      case .list(let values): values.flatMap(\.references)
      case .object(_, let members): members.values.flatMap(\.references)
      }
    }

    /// Whether it is an object, or a list with objects.
    var leadsToObjects: Bool {
      switch self {
      case .null, .string: false
      case .reference, .object: true
      case .list(let values): values.contains { $0.leadsToObjects }
      }
    }
  }

  enum Storage { case normal, notStored, inMemory }

  /// How long what a response brings may be kept.
  enum Lifetime: Equatable {
    case forEver, notStored, inMemory
    case seconds(Int)
  }

  /// The value of a field.
  struct Cell {
    var value: Value
    /// When a server sent it; nil: never.
    var date: Int?
    /// From when on it is too old, by what the server said.
    var expiry: Int?
    var storage = Storage.normal

    /// Whether a backend may have it.
    var isForBackend: Bool { storage == .normal && (expiry.map { $0 > date ?? 0 } ?? true) }

    /// From when on it is too old. nil: never; 0: always.
    func end(maxAge: Int?, now: Int) -> Int? {
      if storage == .notStored { return 0 }
      guard let date else { return expiry ?? (maxAge == nil ? nil : 0) }
      guard let limit = [maxAge, expiry.map { $0 - date }].compactMap(\.self).min() else { return nil }
      // A date from the future is believed if it is nearer than the limit.
      if date > now, date - now >= limit { return limit == 0 ? now : 0 }
      return date + limit
    }
  }

  struct Record {
    var type: String
    var fields: [String: Cell] = [:]
  }

  let library: RandomLibrary
  let hasBackend: Bool
  var records: [String: Record] = [:]
  var now = 1_000_000
  var defaultMaxAge: Int?
  /// What the app says, by schema coordinates; nil if it is not asked.
  var appAges: [String: Int]?
  /// The fields that the last response has written.
  private var written: Set<[String]> = []

  init(_ library: RandomLibrary, hasBackend: Bool) {
    self.library = library
    self.hasBackend = hasBackend
  }

  // MARK: Ages

  enum Mark {
    case none, inherited
    case seconds(Int)
    /// The type of the objects says it, and not the field.
    case type(Int)
  }

  /// What the schema and the operation say of a field.
  func mark(_ selection: Selection, on type: String) -> Mark {
    if case .seconds(let seconds) = selection.age { return .seconds(seconds) }
    switch library.ages["\(type).\(selection.field.name)"] ?? .none {
    case .seconds(let seconds): return .seconds(seconds)
    case .inherited: return .inherited
    case .none: break
    }
    switch selection.field.type.flatMap({ library.ages[$0] }) ?? .none {
    case .seconds(let seconds): return .type(seconds)
    case .inherited: return .inherited
    case .none: return .none
    }
  }

  /// What the app says of the type of the objects that a value is, or leads to.
  func appAge(ofTypeOf value: Value) -> Int? {
    func type(_ value: Value) -> String? {
      switch value {
      case .null, .string: nil
      case .reference(let key): records[key]?.type
      case .object(let type, _): type
      // The first object counts.
      case .list(let values):
        values.contains { if case .object = $0 { true } else { false } }
          ? values.lazy.compactMap(type).first : values.first { $0 != .null }.flatMap(type)
      }
    }
    return appAges == nil ? nil : type(value).flatMap { appAges?[$0] }
  }

  // MARK: Writing

  /// Writes a response.
  mutating func write(
    _ answer: RandomLibrary.Value, _ query: [Selection], _ lifetime: Lifetime, merges: Bool = false
  ) {
    let old = records
    defer { if merges { mergeWritten(over: old) } }
    written = []
    guard case .object(_, _, let members) = answer else { return }
    var zero: Set<String> = []
    var rules = self
    // What the app says is asked for where there is something to keep values out of.
    if !hasBackend { (rules.appAges, rules.defaultMaxAge) = (nil, nil) }
    rules.findZeroAges(query, members, "Query", nil, "QUERY_ROOT", field: nil, &zero)
    write(members, query, "Query", "QUERY_ROOT", lifetime, zero)
  }

  /// Finds the fields that may have no age at all, which are kept in memory only, as `record.field`.
  private func findZeroAges(
    _ selections: [Selection], _ members: [String: RandomLibrary.Value], _ type: String, _ maxAge: Int?,
    _ record: String, field: String?, _ zero: inout Set<String>
  ) {
    if RandomLibrary.hasKey(type), field == nil {
      let id = Selection(field: .init(name: "id"), argument: nil, age: .none, selections: [])
      if self.maxAge(of: id, on: type, maxAge, leadsToObjects: false, nil) == 0 { zero.insert("\(record).id") }
    }
    for selection in selections {
      guard let value = members[selection.field.name] else { continue }
      let types = value.elements.compactMap { if case .object(let type, _, _) = $0 { type } else { nil } }
      let age = self.maxAge(
        of: selection, on: type, maxAge, leadsToObjects: !types.isEmpty, types.first.flatMap { appAges?[$0] })
      if age == 0 { zero.insert("\(record).\(field ?? selection.key)") }
      for case .object(let inside, let id, let inner) in value.elements {
        let key = id.map { "\(inside):\($0)" }
        findZeroAges(
          selection.selections, inner, inside, self.maxAge(inside: selection, on: type, maxAge, inside), key ?? record,
          field: key == nil ? field ?? selection.key : nil, &zero)
      }
    }
  }

  private mutating func write(
    _ members: [String: RandomLibrary.Value], _ selections: [Selection], _ type: String, _ key: String,
    _ lifetime: Lifetime, _ zero: Set<String>
  ) {
    records[key, default: Record(type: type)].type = type
    if key != "QUERY_ROOT" { set(.string(String(key.split(separator: ":")[1])), "id", of: key, lifetime, zero) }
    for selection in selections {
      guard let value = members[selection.field.name] else { continue }
      set(normalize(value, selection, lifetime, zero), selection.key, of: key, lifetime, zero)
    }
  }

  private mutating func set(
    _ value: Value, _ field: String, of key: String, _ lifetime: Lifetime, _ zero: Set<String>
  ) {
    let merged = Self.merge(value, into: records[key]?.fields[field]?.value)
    var cell = Cell(value: merged, date: now)
    switch lifetime {
    case .notStored: cell.storage = .notStored
    case _ where zero.contains("\(key).\(field)"): cell.storage = .inMemory
    case .inMemory: cell.storage = .inMemory
    case .seconds(let seconds): cell.expiry = now + seconds
    case .forEver: break
    }
    records[key]?.fields[field] = cell
    written.insert([key, field])
  }

  /// Does what functions of an app do with some fields of a response.
  private mutating func mergeWritten(over old: [String: Record]) {
    for place in written {
      guard let record = records[place[0]], let new = record.fields[place[1]]?.value,
        let cell = old[place[0]]?.fields[place[1]]
      else { continue }
      let merged: Value? =
        switch ("\(record.type).\(place[1].prefix { $0 != "(" })", cell.value, new) {
        case ("Book.title", .string(let a), .string(let b)):
          Self.keeps(a, of: cell.date ?? 0, over: b, of: now) ? cell.value : nil
        case ("Author.books", .list(let a), .list(let b)): .list(b + a.filter { !b.contains($0) })
        default: nil
        }
      if let merged { records[place[0]]?.fields[place[1]]?.value = merged }
    }
  }

  /// Whether an old text stays when a new one comes.
  static func keeps(_ old: String, of oldSeconds: Int, over new: String, of newSeconds: Int) -> Bool {
    old > new && newSeconds - oldSeconds < 60
  }

  private mutating func normalize(
    _ value: RandomLibrary.Value, _ selection: Selection, _ lifetime: Lifetime, _ zero: Set<String>
  ) -> Value {
    switch value {
    case .null: return .null
    case .int(let value): return .string("\(value)")
    case .string(let text): return .string(text)
    case .list(let values): return .list(values.map { normalize($0, selection, lifetime, zero) })
    case .object(let type, let id?, let members):
      write(members, selection.selections, type, "\(type):\(id)", lifetime, zero)
      return .reference("\(type):\(id)")
    case .object(let type, nil, let members):
      return .object(
        type: type,
        Dictionary(
          uniqueKeysWithValues: selection.selections.compactMap { inner in
            members[inner.field.name].map { (inner.key, normalize($0, inner, lifetime, zero)) }
          }))
    }
  }

  private static func merge(_ new: Value, into old: Value?) -> Value {
    guard case .object(let type, let members) = new, case .object(_, let known)? = old else { return new }
    return .object(type: type, known.merging(members) { $1 })
  }

  /// What an app writes itself has no date, and changes none.
  mutating func writeLocally(_ value: Value, _ field: String, of key: String, _ type: String) {
    records[key, default: Record(type: type)].fields[field, default: Cell(value: value)].value = value
  }
}

extension RandomLibrary.Value {
  /// The value itself, or the elements of the list.
  fileprivate var elements: [RandomLibrary.Value] {
    if case .list(let values) = self { values } else { [self] }
  }
}
