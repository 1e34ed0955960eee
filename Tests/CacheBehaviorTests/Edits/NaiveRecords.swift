@testable import ApolloAPI
@testable import ApolloCache

/// Where an object is: a record, or by names of fields and indices inside of one.
struct NaivePlace: Hashable, Sendable {
  var record: CacheKey
  var steps: [String] = []
  /// An object without a key that is not there yet.
  var isNew = false

  subscript(_ step: String) -> NaivePlace {
    NaivePlace(record: record, steps: steps + [step], isNew: isNew)
  }
}

/// What a field of a tree holds, for ``NaiveRecords``.
indirect enum NaiveValue: Hashable, Sendable {
  case leaf(Record.Value)
  case list([NaiveValue])
  case object(NaivePlace)
}

/// Says what the cache has to be after an edit. It knows which object each part of a tree is, because the parts are marked
/// when the tree was read, and keep the mark wherever they are moved.
struct NaiveRecords: Sendable {
  typealias Claims = [NaivePlace: [String: [NaiveValue]]]

  var records: [CacheKey: Record.Fields]
  let variables: Variables

  init(_ records: RecordSet, variables: Variables) {
    self.records = records.storage.mapValues(\.fields)
    self.variables = variables
  }

  init(_ table: RecordTable, variables: Variables) {
    records = [:]
    for number in table.numbers {
      if let record = table.exported(number) { records[record.key] = record.fields }
    }
    self.variables = variables
  }

  static func == (a: NaiveRecords, b: NaiveRecords) -> Bool { a.records == b.records }

  /// The name under which the cache keeps a field.
  func fieldName(_ position: Int, in plan: ModelPlan) -> String {
    let table = plan.table.storage
    guard let (_, name, text) = table.arguments.first(where: { $0.field == position }) else {
      return table.staticKeys[position].name
    }
    return CanonicalArguments.fieldKey(
      name: name, arguments: text, policy: table.policies[position], variables: variables)
  }

  // MARK: Marking

  func marked(_ object: Tree.Object, at place: NaivePlace) -> Tree.Object {
    var object = object
    object.place = place
    guard let plan = object.plan else { return object }
    for index in object.members.indices {
      switch object.members[index].place {
      case .fragment:
        if case .object(let fragment) = object.members[index].value {
          object.members[index].value = .object(marked(fragment, at: place))
        }
      case .field(let position):
        let name = fieldName(position, in: plan)
        object.members[index].value = marked(object.members[index].value, fields(at: place)[name], place[name])
      case .keyField: break
      }
    }
    return object
  }

  private func marked(_ value: Tree, _ stored: Record.Value?, _ place: NaivePlace) -> Tree {
    switch (value, stored) {
    case (.object(let object), .reference(let key)?): return .object(marked(object, at: NaivePlace(record: key)))
    case (.object(let object), _): return .object(marked(object, at: place))
    case (.list(let elements), .list(let values)?):
      return .list(
        elements.enumerated().map { index, element in
          marked(element, values.indices.contains(index) ? values[index] : nil, place["\(index)"])
        })
    default: return value
    }
  }

  /// The fields of an object; none if there is no such object.
  func fields(at place: NaivePlace) -> Record.Fields {
    guard !place.isNew, var value = records[place.record].map({ Record.Value.object($0) }) else { return [:] }
    for step in place.steps {
      switch value {
      case .object(let fields): value = fields[step] ?? .null
      case .list(let values):
        guard let index = Int(step), values.indices.contains(index) else { return [:] }
        value = values[index]
      default: return [:]
      }
    }
    if case .object(let fields) = value { return fields }
    return [:]
  }

  // MARK: What a tree says

  /// The values of all copies of all fields.
  func claims(of object: Tree.Object, at place: NaivePlace) -> Claims {
    var claims: Claims = [:]
    add(object, at: place, to: &claims)
    return claims
  }

  private func add(_ object: Tree.Object, at place: NaivePlace, isPart: Bool = false, to claims: inout Claims) {
    guard let plan = object.plan else { return }
    if let typename = object.typename, !isPart, plan.table.storage.hasTypename {
      claims[place, default: [:]]["__typename", default: []].append(.leaf(.string(typename)))
    }
    for member in object.members {
      switch (member.place, member.value) {
      case (.fragment, .object(let fragment)): add(fragment, at: place, isPart: true, to: &claims)
      case (.fragment, _): break
      case (.field(let position), let value), (.keyField(let position), let value):
        let name = fieldName(position, in: plan)
        guard name != "__typename" else { continue }
        let value = self.value(value, at: place[name], to: &claims)
        claims[place, default: [:]][name, default: []].append(value)
      }
    }
  }

  private func value(_ tree: Tree, at place: NaivePlace, to claims: inout Claims) -> NaiveValue {
    switch tree {
    case .null: return .leaf(.null)
    case .bool(let value): return .leaf(.bool(value))
    case .int(let value): return .leaf(.int(value))
    case .double(let value): return .leaf(.double(value))
    case .string(let value): return .leaf(.string(value))
    case .list(let elements):
      return .list(elements.enumerated().map { value($1, at: place["\($0)"], to: &claims) })
    case .object(let object):
      var own = place
      own.isNew = true
      let place = object.place ?? own
      add(object, at: place, to: &claims)
      return .object(place)
    }
  }

  // MARK: Changes

  struct Conflict: Error {}

  /// The store after an edit.
  ///
  /// - Throws: ``Conflict`` if copies were changed to different values.
  func applying(_ new: Claims, insteadOf old: Claims) throws -> NaiveRecords {
    var changes: [NaivePlace: [String: NaiveValue]] = [:]
    for (place, fields) in new {
      let isThere = !self.fields(at: place).isEmpty
      for (name, copies) in fields {
        let base = old[place]?[name]?.first
        var changed = Set(copies.filter { $0 != base })
        if base == nil, changed.count > 1 { changed.remove(.leaf(.null)) }
        guard changed.count <= 1 else { throw Conflict() }
        guard let value = changed.first else { continue }
        if base == nil, value == .leaf(.null), isThere {
          // It was not set.
          switch self.fields(at: place)[name] {
          case nil, .null?, .error?: continue
          default: break
          }
        }
        changes[place, default: [:]][name] = value
      }
    }
    var result = self
    let touched = Set(changes.keys.map(\.record))
    for record in touched {
      result.records[record] = object(at: NaivePlace(record: record), changes)
    }
    return result
  }

  private func object(at place: NaivePlace, _ changes: [NaivePlace: [String: NaiveValue]]) -> Record.Fields {
    let changed = changes[place] ?? [:]
    var result: Record.Fields = [:]
    for (name, value) in fields(at: place) where changed[name] == nil {
      result[name] = rebuilt(value, at: place[name], changes)
    }
    for (name, value) in changed { result[name] = stored(value, changes) }
    return result
  }

  private func rebuilt(
    _ value: Record.Value, at place: NaivePlace, _ changes: [NaivePlace: [String: NaiveValue]]
  ) -> Record.Value {
    switch value {
    case .object: .object(object(at: place, changes))
    case .list(let values): .list(values.enumerated().map { rebuilt($1, at: place["\($0)"], changes) })
    default: value
    }
  }

  private func stored(_ value: NaiveValue, _ changes: [NaivePlace: [String: NaiveValue]]) -> Record.Value {
    switch value {
    case .leaf(let value): value
    case .list(let values): .list(values.map { stored($0, changes) })
    case .object(let place):
      place.steps.isEmpty ? .reference(place.record) : .object(object(at: place, changes))
    }
  }
}
