public import ApolloAPI

/// What a model does that was not generated: it reads anything anywhere, in any order.
public final class Script: @unchecked Sendable {
  public indirect enum Step {
    /// Reads a field of one of the leaf types, or a condition, and passes on its error.
    case leaf(Int, Int)
    /// Reads a field of one of the leaf types, and goes on if that is an error.
    case tried(Int, Int)
    /// Reads a field as an object, a list of objects, or what may be null.
    case value(Int, [Step]), list(Int, [Step]), optional(Int, [Step])
    case includes(Int)
    /// Reads a fragment on the same object.
    case fragment([Step])
    /// Reads an object where no field is.
    case anywhere([Step])
    case typename, isType
  }

  public static let tables: [StaticString] = [
    "__typename id!# name ...", "__typename id# name ... !Droid:id,name", "name alias:id size(unit:\"M\") ?$full",
    "friends friends2:friends(first:$first) ... ?!$full",
    "", "not a-table", "hero other __typename", "a_name_that_is_longer_than_two_words_of_memory hero",
  ]

  /// Tables of version 2, with ages, embedded objects and field policies.
  public static let agingTables: [StaticString] = [
    "__typename<60> id!# name<0> friends~<:30> ...", "<10> <min> hero<=> other<5> name",
    "<0> name friends(first:$first)@first:Droid|Human<=> id!1# name2:name!0", "hero~ other~<9> ?$full",
    "friends(text:\"<1>~\")<4294967295> hero@:Droid<:0>", "name<> hero<-1>", "<min> name<4294967296>",
  ]

  public static let responses = [
    #"{"hero":{"__typename":"Droid","id":"1","name":"R2","friends":[{"id":2,"name":"Luke"},null]},"other":{}}"#,
    #"{ "__typename": "Query", "friends": [[], [{"id": "1"}]], "hero": {"friends2": [], "size": 1e3, "alias": true} }"#,
    #"{"a_name_that_is_longer_than_two_words_of_memory":{"hero":[1,2.5,"x",null,{"a":{}}]},"other":0}"#,
    "{}", #"{"hero":null,"hero":{"name":"twice"}}"#,
  ]

  @TaskLocal public static var current: Script?

  private var steps: [[Step]]
  private let tables: [__FieldTable]
  /// The one before the first is asked for the variables of a fragment.
  private var nextTable = -1
  public private(set) var included: [Bool] = []

  public init(steps: [Step], tables: [StaticString] = Script.tables, version: Int = 1) {
    self.steps = [steps]
    self.tables = tables.map { __FieldTable(version: version, $0) }
  }

  fileprivate func table() -> __FieldTable {
    defer { nextTable += 1 }
    return tables[(nextTable + tables.count) % tables.count]
  }

  // MARK: Running

  fileprivate func run(_ object: inout __ObjectReader) throws(__ReadError) {
    for step in steps.last ?? [] { try run(step, &object) }
  }

  private func run(_ step: Step, _ object: inout __ObjectReader) throws(__ReadError) {
    switch step {
    case .leaf(let type, let position): try leaf(type, position, &object)
    case .tried(let type, let position): do { try leaf(type, position, &object) } catch {}
    case .value(let position, let steps):
      try inside(steps) { () throws(__ReadError) in _ = try object.read(position) as HostileModel }
    case .list(let position, let steps):
      try inside(steps) { () throws(__ReadError) in _ = try object.read(position) as [HostileModel?] }
    case .optional(let position, let steps):
      try inside(steps) { () throws(__ReadError) in _ = try object.read(position) as HostileModel? }
    case .includes(let position): included.append(object.includes(position))
    case .fragment(let steps): try inside(steps) { () throws(__ReadError) in _ = try object.fragment() as HostileModel }
    case .anywhere(let steps):
      try inside(steps) { () throws(__ReadError) in _ = try HostileModel.__read(from: &object) }
    case .typename: _ = try object.typename()
    case .isType: _ = try object.isType(Self.droid)
    }
  }

  private static let droid = __TypeSet("Droid")

  private func inside(_ inner: [Step], _ body: () throws(__ReadError) -> Void) throws(__ReadError) {
    steps.append(inner)
    defer { steps.removeLast() }
    try body()
  }

  private func leaf(_ type: Int, _ i: Int, _ object: inout __ObjectReader) throws(__ReadError) {
    switch type {
    case 0: _ = try object.read(i) as String
    case 1: _ = try object.read(i) as String?
    case 2: _ = try object.read(i) as Int
    case 3: _ = try object.read(i) as Int?
    case 4: _ = try object.read(i) as Double
    case 5: _ = try object.read(i) as Double?
    case 6: _ = try object.read(i) as Bool
    case 7: _ = try object.read(i) as Bool?
    case 8: _ = try object.readKey(i) as String?
    default: _ = try object.read(i) as [[String]?]
    }
  }

  // MARK: Chance

  public static func steps(_ random: inout some RandomNumberGenerator, depth: Int) -> [Step] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in
      let position = [0, 0, 1, 1, 2, 3, 4, 99, -1, .max, .min].randomElement(using: &random) ?? 0
      let kind = Int.random(in: 0...(depth > 0 ? 9 : 4), using: &random)
      if kind > 4 {
        let inner = steps(&random, depth: depth - 1)
        switch kind {
        case 5: return .value(position, inner)
        case 6: return .list(position, inner)
        case 7: return .optional(position, inner)
        case 8: return .fragment(inner)
        default: return .anywhere(inner)
        }
      }
      switch kind {
      case 0: return .leaf(Int.random(in: 0...9, using: &random), position)
      case 1: return .tried(Int.random(in: 0...9, using: &random), position)
      case 2: return .includes(position)
      case 3: return .typename
      default: return .isType
      }
    }
  }
}

public struct HostileModel: SelectionSet {
  public static var __fields: __FieldTable { Script.current?.table() ?? __FieldTable(version: 1, "") }

  public init(__reading object: inout __ObjectReader) throws(__ReadError) { try Script.current?.run(&object) }
  public func __writeFields(to writer: inout __JSONWriter) {}
}

public struct HostileQuery: GraphQLQuery {
  public static let operationName = "Hostile"
  public static let operationDocument = OperationDocument("query Hostile { hero { __typename } }")

  public init() {}

  public func __writeVariables(to writer: inout __JSONWriter) {}

  public typealias Data = HostileModel
}
