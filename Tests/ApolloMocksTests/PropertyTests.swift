import ApolloMocks
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import RandomDocuments
import Testing

/// What holds for every query, over random ones.
@Suite("Values depend on the seed and the place alone")
struct PropertyTests {
  /// Selections on the root, which a query may have in any number and order.
  static let selections = [
    "me { id name age mood friends { id name friends { age } } address { street city { name } } }",
    "user(id: 7) { id name nick best { name age } }", "users { id age mood }", "users(order: \"a\") { id name }",
    "book(isbn: \"x\", edition: 2) { title writer { id name } }",
    "media { __typename id title ... on Film { minutes } }",
    "anything { __typename ... on User { name } ... on Address { street } }",
    "node(id: \"Letter-3\") { id ... on Letter { text } }",
    "count(of: \"a\")", "count", "ratio", "isOpen", "today", "page(of: \"b\")", "matrix",
    "shelf(first: 3) { totalCount edges { cursor node { title } } pageInfo { endCursor hasNextPage } }",
    "shelf(last: 2, name: \"s\") { nodes { isbn title } }",
  ]

  private static func query(_ indices: [Int]) -> String {
    "{ " + indices.map { "f\($0): \(selections[$0])" }.joined(separator: " ") + " }"
  }

  @Test("The same query twice has the same bytes, also from another server with the same seed", arguments: 1...20)
  func sameBytes(_ seed: Int) async throws {
    let first = try MockSchema(library, seed: UInt64(seed)), second = try MockSchema(library, seed: UInt64(seed))
    let query = Self.query(Array(Self.selections.indices))
    let result = await first.execute(query), bytes = result.json
    #expect(result.errors.isEmpty && result.data?.object?.count == Self.selections.count, "\(result.errors)")
    #expect(await first.execute(query).json == bytes)
    #expect(await second.execute(query).json == bytes)
    if seed > 1 { #expect(try await MockSchema(library).execute(query).json != bytes) }
  }

  /// What a change of the values would break: the screenshots and recordings of apps.
  @Test("The values of a seed stay what they are")
  func golden() async throws {
    let schema = try MockSchema(library)
    let text = await schema.json(
      "{ me { id name age mood } users { id } media { __typename id } ratio today matrix page }")
    let expected =
      #"{"me":{"id":"9","name":"name of User 9","age":777,"mood":"BAD"},"users":[{"id":"1"},{"id":"2"}],"media":[{"__typename":"Song","id":"5"},{"__typename":"Song","id":"6"}],"ratio":575.3,"today":"MON","matrix":[[617,837],[111,654]],"page":"page(of:\"news\",size:3)"}"#
    #expect(text == expected)
  }

  @Test("Any split of a query into two has the same values", arguments: 1...60)
  func split(_ seed: Int) async throws {
    var random = SeededGenerator(UInt64(seed))
    let all = Self.selections.indices.shuffled(using: &random)
    let cut = Int.random(in: 0...all.count, using: &random)
    let whole = await (try MockSchema(library)).data(Self.query(Array(all)))
    let other = try MockSchema(library)
    var joined = GraphQLValue.Object()
    for part in [Array(all[cut...]), Array(all[..<cut])] where !part.isEmpty {
      for (key, value) in await other.data(Self.query(part)).object ?? [:] { joined[key] = value }
    }
    #expect(.object(joined) == whole)
  }

  @Test("The order of fields and their aliases do not matter", arguments: 1...20)
  func order(_ seed: Int) async throws {
    var random = SeededGenerator(UInt64(seed))
    let fields = ["id", "name", "age", "mood", "nick", "friends { name }", "address { street }", "best { age }"]
    let schema = try MockSchema(library)
    let plain = await schema.data("{ user(id: \(seed)) { \(fields.joined(separator: " ")) } }")["user"]
    let shuffled = fields.shuffled(using: &random)
    let aliased = shuffled.enumerated().map { "a\($0): \($1)" }.joined(separator: " ")
    let data = await schema.data("{ x: user(id: \(seed)) { \(aliased) } }")["x"]
    for (index, field) in shuffled.enumerated() {
      #expect(data?["a\(index)"] == plain?[String(field.prefix { $0 != " " })])
    }
  }

  @Test("After a value is set, every query that reaches the object sees it", arguments: 1...30)
  func set(_ number: Int) async throws {
    let schema = try MockSchema(library, seed: UInt64(number))
    let name = "set \(number)"
    let paths = [
      "me { id name }", "users { id name }", "me { friends { id name } }",
      "users { best { id name friends { id name } } }",
      "shelf { nodes { writer { id name } } }", "book(isbn: \"a\", edition: 1) { writer { id name } }",
    ]
    for path in paths {
      let before = await schema.data("{ \(path) }")
      for id in before.users.map(\.id) {
        try schema.store.set("User", id, ["name": .string(name)])
      }
      #expect(!before.users.isEmpty)
    }
    for path in paths {
      for user in await schema.data("{ \(path) }").users { #expect(user.name == name) }
    }
  }

  @Test("Random documents over random schemas are answered without errors", arguments: 1...40)
  func randomDocuments(_ seed: Int) async throws {
    let sdl = RandomSchema.text(seed: UInt64(seed))
    let schema = try sdl.contains("scalar Stamp") ? MockSchema(sdl).scalar("Stamp") { _ in 7 } : MockSchema(sdl)
    let parsed = try Schema.build(from: [Source(sdl, name: "random")]).get()
    let server = try ConsistentServer(parsed, seed: 1, failsSometimes: false)
    for number in 0..<5 {
      let text = RandomDocument(parsed).text(seed: UInt64(seed * 100 + number))
      for operation in try Parser.parse(text).get().operations where operation.operation == .query {
        let variables = server.variables(of: operation, seed: UInt64(number)).sent
        let result = await schema.execute(text, operationName: operation.name?.value, variables: variables)
        // (Variables that only left out selections would use are in the documents as well.)
        let errors = result.errors.filter { !$0.message.contains("is never used") }
        #expect(errors.isEmpty, "\(errors)\n\(text)")
        let again = await schema.execute(text, operationName: operation.name?.value, variables: variables)
        #expect(again.json == result.json)
      }
    }
  }
}

extension GraphQLValue {
  /// All objects in it that have a key and a name.
  fileprivate var users: [(id: String, name: String)] {
    if let elements = list { return elements.flatMap(\.users) }
    guard let members = object else { return [] }
    let own = self["id"]?.string.flatMap { id in self["name"]?.string.map { (id, $0) } }
    return (own.map { [$0] } ?? []) + members.flatMap { $0.value.users }
  }
}

struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
