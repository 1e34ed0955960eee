import ApolloAPI

/// Finds the objects that are removed together with another one.
struct Cascade {
  /// nil: all objects to which it refers are. Otherwise those to which fields with `@onDelete(cascade: true)` lead.
  private let schemas: KnownSchemas?
  private let table: RecordTable
  private var fields: [TypeSymbol: Set<String>] = [:]
  private var found: Set<Int32> = []
  private var waiting: [Int32] = []

  init(followingAll followsAll: Bool, _ schemas: KnownSchemas, in table: RecordTable) {
    self.schemas = followsAll ? nil : schemas
    self.table = table
  }

  /// The records that are removed together with an object, and together with these, and so on, without roots.
  mutating func records(with object: ObjectRecord) -> Set<Int32> {
    visit(object)
    while let number = waiting.popLast() { if let record = table[number] { visit(record) } }
    return found
  }

  private mutating func insert(_ number: Int32) {
    if number >= 0, !table.isRoot(number), found.insert(number).inserted { waiting.append(number) }
  }

  private mutating func visit(_ object: ObjectRecord) {
    guard schemas != nil else { return object.forEachReference { insert($0) } }
    let cascading = cascadingFields(of: object)
    object.forEachField { field in
      guard field.value.holdsReferences else { return }
      let name = table.records.text(of: field.key).prefix { $0 != "(" }
      visit(field.value, isCascading: cascading.contains(String(name)))
    }
  }

  /// (What is inside of a record is removed with it. So the directives of the objects there count as well.)
  private mutating func visit(_ value: RecordValue, isCascading: Bool) {
    switch value {
    case .reference(let number): if isCascading { insert(number) }
    case .references(let numbers): if isCascading { for number in numbers { insert(number) } }
    case .object(let object): visit(object)
    case .list(let values): for value in values { visit(value, isCascading: isCascading) }
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: break
    }
  }

  private mutating func cascadingFields(of object: ObjectRecord) -> Set<String> {
    let type = object.type
    if let known = fields[type] { return known }
    let names = type.name.flatMap { schemas?.cascadingFields(of: $0) } ?? []
    fields[type] = names
    return names
  }
}

extension RecordValue {
  /// Whether it may hold references. A leaf never does.
  fileprivate var holdsReferences: Bool {
    switch self {
    case .reference, .references, .object, .list: true
    case .null, .bool, .int, .double, .string, .json, .error, .incoming: false
    }
  }
}
