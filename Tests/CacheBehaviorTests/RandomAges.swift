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
      switch Int.random(in: 0..<10, using: &random) {
      case 0...4: .none
      case 5 where mayInherit: .inherited
      case 6: .seconds(0)
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

  /// After how many seconds the first value is too old, if all came at one time; nil: never.
  var expected: Int? { lowest(root, of: "Query", around: nil) }

  private func lowest(_ selections: [Selection], of type: String, around outer: Int?) -> Int? {
    selections.compactMap { selection -> Int? in
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
      let inner = selection.selections.isEmpty ? nil : lowest(selection.selections, of: target ?? "", around: age)
      return [age, inner].compactMap(\.self).min()
    }.min()
  }
}
