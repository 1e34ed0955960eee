import ApolloCodegenLib
import StyledTests

/// A schema and an operation with random ages, and how old the data may be, by the rules as they are documented.
struct RandomAges {
  private enum Age {
    case none, inherited
    case seconds(Int)

    var directive: String {
      switch self {
      case .none: ""
      case .inherited: " @cacheControl(inheritMaxAge: true)"
      case .seconds(let seconds): " @cacheControl(maxAge: \(seconds))"
      }
    }
  }

  private final class Selection {
    let name: String
    let age: Age
    let selections: [Selection]

    init(_ name: String, _ age: Age, _ selections: [Selection] = []) {
      self.name = name
      self.age = age
      self.selections = selections
    }
  }

  private static let fields = [
    "Query": [("count", "Int"), ("book", "Book")],
    "Book": [("id", "ID!"), ("title", "String"), ("price", "Int"), ("author", "Author"), ("next", "Book")],
    "Author": [("id", "ID!"), ("name", "String"), ("books", "[Book]")],
  ]

  let rule: RenderingOptions.MaxAgeRule
  private var types: [String: Age] = [:]
  private var declared: [String: Age] = [:]
  private var root: [Selection] = []
  /// The name of the field whose selections are in a fragment.
  private let hasFragment: Bool
  private let hasKeys: Bool

  init(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    func age(mayInherit: Bool) -> Age {
      switch Int.random(in: 0..<50, using: &random) {
      case 0...24: .none
      case 25...32 where mayInherit: .inherited
      case 33: .seconds(0)
      default: .seconds(Int.random(in: 1...9, using: &random) * 100 + Int.random(in: 0..<100, using: &random))
      }
    }
    rule = seed % 3 == 0 ? .lowestOnPath : .mostSpecific
    hasFragment = Bool.random(using: &random)
    hasKeys = Bool.random(using: &random)
    for type in ["Book", "Author"] { types[type] = age(mayInherit: true) }
    for (type, fields) in Self.fields.sorted(by: { $0.key < $1.key }) {
      for (name, target) in fields where name != "id" {
        let isComposite = target.contains("Book") || target.contains("Author")
        declared["\(type).\(name)"] = age(mayInherit: isComposite)
      }
    }
    func operationAge() -> Age {
      guard Int.random(in: 0..<4, using: &random) == 0 else { return .none }
      return age(mayInherit: false)
    }
    func leaf(_ name: String) -> Selection { Selection(name, operationAge()) }
    let inner = [leaf("price"), Selection("author", operationAge(), [leaf("name")])]
    let books = Selection("books", operationAge(), [leaf("title"), leaf("price")])
    let next = Selection("next", operationAge(), inner)
    let author = Selection("author", operationAge(), [leaf("name"), books])
    root = [Selection("book", operationAge(), [leaf("title"), author, next])]
    if Bool.random(using: &random) { root.append(leaf("count")) }
  }

  var schema: String {
    Self.fields.sorted { $0.key > $1.key }.map { type, fields in
      let members = fields.map { "\($0.0): \($0.1)\(declared["\(type).\($0.0)"]?.directive ?? "")" }
      return "type \(type)\(types[type]?.directive ?? "") { \(members.joined(separator: " ")) }"
    }.joined(separator: "\n")
      + (hasKeys
        ? """
        \nextend type Book @typePolicy(keyFields: "id")
        extend type Author @typePolicy(keyFields: "id")
        """ : "")
  }

  /// All that ``query`` reads, without ages.
  let fullQuery = """
    query Full {
      __typename count
      book {
        __typename id title price author { __typename id name books { __typename id title price } }
        next { __typename id price author { __typename id name } }
      }
    }
    """

  let data = """
    {"__typename":"Query","count":7,"book":{"__typename":"Book","id":"1","title":"T","price":3,
    "author":{"__typename":"Author","id":"9","name":"N","books":[{"__typename":"Book","id":"2","title":"U","price":4}]},
    "next":{"__typename":"Book","id":"3","price":5,"author":{"__typename":"Author","id":"9","name":"N"}}}}
    """

  var query: String {
    var fragment: String?
    func text(_ selections: [Selection]) -> String {
      selections.map { selection in
        var inner = selection.selections.isEmpty ? "" : " { \(text(selection.selections)) }"
        if hasFragment, selection.name == "next" {
          fragment = " fragment F on Book\(inner)"
          inner = " { ...F }"
        }
        return selection.name + selection.age.directive + inner
      }.joined(separator: " ")
    }
    return "query Q { \(text(root)) }" + (fragment ?? "")
  }

  /// After how many seconds each field of a record is too old, if all came at one time, by `record.field`. Fields that
  /// are never too old are not there.
  var expected: [String: Int] { ages.mapValues { $0.min() ?? 0 } }

  /// After how many seconds the first value is too old. Values that always are do not count.
  var earliestExpiry: Int? { ages.values.joined().filter { $0 > 0 }.min() }

  private var ages: [String: [Int]] {
    var ages: [String: [Int]] = [:]
    add(root, of: "Query", in: "QUERY_ROOT", field: nil, around: nil, to: &ages)
    return ages
  }

  /// Adds the ages of the fields of one object.
  ///
  /// - Parameters:
  ///   - selections: What is read of it.
  ///   - type: Its type.
  ///   - record: The key of its record, or of the record that it is in.
  ///   - field: The field of the record that it is in; nil if it has a record.
  ///   - outer: How old it may be.
  ///   - ages: Takes the ages.
  private func add(
    _ selections: [Selection], of type: String, in record: String, field: String?, around outer: Int?,
    to ages: inout [String: [Int]]
  ) {
    // Generated code reads the key as well.
    if hasKeys, type != "Query", let outer { ages["\(record).id", default: []].append(outer) }
    for selection in selections {
      let target = Self.fields[type]?.first { $0.0 == selection.name }?.1.filter(\.isLetter)
      var age: Int?
      switch (selection.age, declared["\(type).\(selection.name)"] ?? .none) {
      case (.seconds(let seconds), _), (.none, .seconds(let seconds)): age = seconds
      case (.inherited, _), (.none, .inherited): age = outer
      case (.none, .none):
        if selection.selections.isEmpty {
          age = outer
        } else {
          switch target.flatMap({ types[$0] }) ?? .none {
          case .seconds(let seconds): age = seconds
          case .inherited: age = outer
          case .none: age = nil
          }
        }
      }
      if rule == .lowestOnPath, let outer { age = min(age ?? outer, outer) }
      let path = field ?? selection.name
      if let age { ages["\(record).\(path)", default: []].append(age) }
      guard !selection.selections.isEmpty else { continue }
      let keys = ["book": "Book:1", "author": "Author:9", "books": "Book:2", "next": "Book:3"]
      add(
        selection.selections, of: target ?? "", in: hasKeys ? keys[selection.name] ?? "" : record,
        field: hasKeys ? nil : path, around: age, to: &ages)
    }
  }
}
