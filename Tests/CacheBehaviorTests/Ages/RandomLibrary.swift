import ApolloCodegenLib
import StyledTests

/// A library whose schema has random ages, with random queries of it and random answers to them.
struct RandomLibrary {
  enum Age {
    case none, inherited
    case seconds(Int)

    fileprivate var directive: String {
      switch self {
      case .none: ""
      case .inherited: " @cacheControl(inheritMaxAge: true)"
      case .seconds(let seconds): " @cacheControl(maxAge: \(seconds))"
      }
    }
  }

  /// A field of a type.
  struct Field {
    let name: String
    /// The type of the objects that it leads to; nil for a leaf.
    var type: String?
    var isList = false
    var hasArgument = false
  }

  /// A field of a query.
  struct Selection {
    let field: Field
    let argument: Int?
    let age: Age
    let selections: [Selection]

    /// What the cache calls the field.
    var key: String { field.name + (argument.map { "(n:\($0))" } ?? "") }
  }

  /// A part of an answer.
  indirect enum Value: Equatable {
    case null
    case int(Int)
    case string(String)
    case list([Value])
    /// An object of a type with an id has a record of its own.
    case object(type: String, id: Int?, [String: Value])

    var json: String {
      switch self {
      case .null: "null"
      case .int(let value): "\(value)"
      case .string(let value): "\"\(value)\""
      case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
      case .object(let type, let id, let members):
        "{"
          + (["\"__typename\":\"\(type)\""] + (id.map { ["\"id\":\"\($0)\""] } ?? [])
          + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.json)" }).joined(separator: ",") + "}"
      }
    }
  }

  static let fields: [String: [Field]] = [
    "Query": [
      Field(name: "count"), Field(name: "book", type: "Book", hasArgument: true),
      Field(name: "books", type: "Book", isList: true, hasArgument: true),
    ],
    "Book": [
      Field(name: "title"), Field(name: "price"), Field(name: "author", type: "Author"),
      Field(name: "next", type: "Book"), Field(name: "size", type: "Size"),
    ],
    "Author": [Field(name: "name"), Field(name: "books", type: "Book", isList: true, hasArgument: true)],
    // It has no key, so it belongs to the field that it is in.
    "Size": [Field(name: "width"), Field(name: "unit"), Field(name: "owner", type: "Author")],
  ]

  /// The fields whose objects are deleted with the object, if that is said.
  static let cascadingFields: [String: Set<String>] = ["Book": ["author"], "Author": ["books"], "Size": ["owner"]]

  static func hasKey(_ type: String) -> Bool { type == "Book" || type == "Author" }

  let rule: RenderingOptions.MaxAgeRule
  var isLowestOnPath: Bool { rule == .lowestOnPath }
  let cascades: Bool
  /// Whether functions of the app merge some fields.
  let merges: Bool
  /// What the schema says of types, and of fields as `Type.field`.
  private(set) var ages: [String: Age] = [:]
  private(set) var queries: [[Selection]] = []

  init(_ random: inout SplitMix) {
    rule = Int.random(in: 0..<3, using: &random) == 0 ? .lowestOnPath : .mostSpecific
    cascades = Bool.random(using: &random)
    merges = Bool.random(using: &random)
    for (type, fields) in Self.fields.sorted(by: { $0.key < $1.key }) {
      if type != "Query" { ages[type] = Self.age(mayInherit: true, &random) }
      for field in fields { ages["\(type).\(field.name)"] = Self.age(mayInherit: field.type != nil, &random) }
    }
    queries = (0..<6).map { _ in selections(of: "Query", depth: 3, &random) }
  }

  private static func age(mayInherit: Bool, _ random: inout SplitMix) -> Age {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...11: .none
    case 12, 13: mayInherit ? .inherited : .none
    case 14: .seconds(0)
    default: .seconds(Int.random(in: 1..<8, using: &random) * 50)
    }
  }

  private func selections(of type: String, depth: Int, _ random: inout SplitMix) -> [Selection] {
    var result: [Selection] = []
    for field in Self.fields[type] ?? [] where field.type == nil || depth > 0 {
      guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
      let isAged = Int.random(in: 0..<6, using: &random) == 0
      result.append(
        Selection(
          field: field, argument: field.hasArgument ? Int.random(in: 0..<3, using: &random) : nil,
          age: isAged ? Self.age(mayInherit: false, &random) : .none,
          selections: field.type.map { selections(of: $0, depth: depth - 1, &random) } ?? []))
    }
    // An object without a key has at least one leaf, as all others have.
    if type == "Size", !result.contains(where: { $0.field.type == nil }), let leaf = Self.fields[type]?.first {
      result.append(Selection(field: leaf, argument: nil, age: .none, selections: []))
    }
    return result
  }

  // MARK: Texts

  var schema: String {
    Self.fields.sorted { $0.key < $1.key }.map { type, fields in
      let members = fields.map { field in
        let named = field.type ?? "String"
        return "\(field.name)\(field.hasArgument ? "(n: Int)" : ""): \(field.isList ? "[\(named)]" : named)"
          + (ages["\(type).\(field.name)"]?.directive ?? "")
      }
      return "type \(type)\(ages[type]?.directive ?? "") { \(Self.hasKey(type) ? "id: ID! " : "")"
        + members.joined(separator: " ") + " }"
    }.joined(separator: "\n")
      + """
      \nextend type Book @typePolicy(keyFields: "id")
      extend type Author @typePolicy(keyFields: "id")
      """
  }

  static func text(_ query: [Selection]) -> String { "query Q " + text(query, of: "Query") }

  private static func text(_ selections: [Selection], of type: String) -> String {
    let members = selections.map { selection in
      selection.field.name + (selection.argument.map { "(n: \($0))" } ?? "") + selection.age.directive
        + (selection.field.type.map { " " + text(selection.selections, of: $0) } ?? "")
    }
    return "{ __typename \(hasKey(type) ? "id " : "")" + members.joined(separator: " ") + " }"
  }

  // MARK: Answers

  /// An answer in which each field of each object has one value, wherever it is.
  static func answer(_ query: [Selection], _ random: inout SplitMix) -> Value {
    var answers = Answers(random: random)
    defer { random = answers.random }
    return answers.object("Query", nil, "QUERY_ROOT", query)
  }

  private struct Answers {
    var random: SplitMix
    /// The values of leaves, by record and field.
    private var leaves: [String: Value] = [:]
    /// The ids of the objects that a field leads to, by record and field. nil is null.
    private var targets: [String: [Int?]?] = [:]

    init(random: SplitMix) { self.random = random }

    mutating func object(_ type: String, _ id: Int?, _ place: String, _ selections: [Selection]) -> Value {
      var members: [String: Value] = [:]
      for selection in selections {
        members[selection.field.name] = value(selection, "\(place).\(selection.key)")
      }
      return .object(type: type, id: id, members)
    }

    private mutating func value(_ selection: Selection, _ place: String) -> Value {
      guard let type = selection.field.type else { return leaf(place) }
      guard let ids = ids(of: selection.field, place) else { return .null }
      let values = ids.map { id -> Value in
        guard let id else { return .null }
        let hasKey = RandomLibrary.hasKey(type)
        return object(type, hasKey ? id : nil, hasKey ? "\(type):\(id)" : place, selection.selections)
      }
      return selection.field.isList ? .list(values) : values.first ?? .null
    }

    private mutating func leaf(_ place: String) -> Value {
      if let known = leaves[place] { return known }
      let number = Int.random(in: 0..<4, using: &random)
      let value = number == 0 ? Value.null : .string("\(number)")
      leaves[place] = value
      return value
    }

    private mutating func ids(of field: Field, _ place: String) -> [Int?]? {
      if let known = targets[place] { return known }
      let count = field.isList ? Int.random(in: -1..<4, using: &random) : 1
      let ids: [Int?]? =
        count < 0
        ? nil
        : (0..<count).map { _ -> Int? in
          Int.random(in: 0..<6, using: &random) == 0 ? nil : Int.random(in: 1...4, using: &random)
        }
      targets[place] = .some(ids)
      return ids
    }
  }
}
