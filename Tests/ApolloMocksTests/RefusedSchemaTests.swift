import ApolloMocks
import Foundation
import Testing

@Suite("What a mock is told that does not fit its schema")
struct RefusedSchemaTests {
  @Test(
    "A schema that does not build is an error with its lines",
    arguments: [
      ("type Query { hero: Hero }", "schema:1:"), ("type Query {", "schema:1:"), ("", "schema:1:1"),
      ("type User { a: Int }", "Query"), ("type Query { a: E } enum E", "E"), ("type Query { a: U } union U", "U"),
      ("type Query { a: Int } type Query { b: Int }", "schema:1:"),
      ("type Query { a(b: Query): Int }", "schema:1:"),
      ("type Query { a: Int @mock(value: \"x\") }", "@mock of Query.a cannot be \"x\": its type is Int."),
      ("type Query { a: Int @mock(list: 2) }", "\"list\" is for lists and connections"),
      ("type Query { a: [Int] @mock(list: [3, 1]) }", "\"list\" cannot be [3, 1]"),
      ("type Query { a: Int @mock(examples: []) }", "\"examples\" cannot be []"),
      ("type Query { a: Int @mock(vaule: 1) }", "@mock of Query.a has no argument \"vaule\""),
    ])
  func schemas(_ definitions: String, _ expected: String) {
    let text = message { _ = try MockSchema(definitions) }
    #expect(text.contains(expected), "\(text)")
  }

  @Test("Defects that published schemas have keep none from being mocked")
  func defects() async throws {
    let schema = try MockSchema(
      """
      directive @a on OBJECT
      interface Node { id: ID! }
      type Query { item: Item @cost(weight: 3) }
      type Item implements Node @b { id: ID! @deprecated(reason: "x"), name: String @a }
      """)
    #expect(await schema.data("{ item { name } }")["item"]?["name"]?.string != nil)
  }

  @Test("A default value that needs itself fails what needs it, and nothing else")
  func cyclicDefaults() async throws {
    let schema = try MockSchema("type Query { e(a: A = {}): Int, f: String } input A { a: A = {}, b: A = {} }")
    let reason = "The default value of \"A.a\" needs itself."
    #expect(await schema.data("{ f }")["f"]?.string != nil)
    #expect(await schema.errors("{ e(a: { a: null, b: null }) }") == "")
    #expect(await schema.errors("{ e }").contains(reason))
    #expect(message { _ = try schema.store.get("Query", "e", arguments: ["a": [:]]) }.contains(reason))
  }

  @Test("Names that are not in the schema are errors that suggest others")
  func names() throws {
    let schema = try MockSchema(library)
    #expect(message { _ = try schema.resolving("Query.mee") { _ in 1 } }.contains("Did you mean \"Query.me\""))
    #expect(message { _ = try schema.resolving("Qery.me") { _ in 1 } }.contains("Did you mean \"Query\"?"))
    #expect(message { _ = try schema.resolving("me") { _ in 1 } }.contains("is not the coordinate of a field"))
    #expect(message { _ = try schema.mocking("Usre") { _ in [:] } }.contains("Did you mean \"User\"?"))
    #expect(message { _ = try schema.scalar("Secrte") { _ in 1 } }.contains("Did you mean \"Secret\"?"))
    #expect(message { _ = try schema.lists(1...2, at: "User.freinds") }.contains("User.friends"))
    #expect(message { _ = try schema.lists(-1...2) }.contains("cannot have -1"))
    #expect(message { _ = try schema.failing("User.nope") }.contains("User.nope"))
    #expect(message { _ = try schema.failing("User.name", every: 0) }.contains("every 0"))
    #expect(message { _ = try schema.nulls(2) }.contains("from 0 to 1"))
    #expect(message { _ = try schema.latency(.seconds(1), at: "User.nope") }.contains("User.nope"))
    #expect(message { _ = try schema.emitting("Query.me", every: .seconds(1)) }.contains("subscription"))
    #expect(message { try schema.store.publish("tock", 1) }.contains("Did you mean \"tick\""))
    #expect(message { try schema.store.publish("tick", "x") }.contains("Subscription.tick cannot be \"x\""))
    #expect(message { try schema.store.remove("Address", "1") }.contains("have no key"))
    #expect(message { _ = try schema.store.get("User", "1", "nam") }.contains("Did you mean \"User.name\""))
    #expect(message { _ = try schema.store.all("Usr") }.contains("Did you mean \"User\"?"))
  }

  @Test("Files are read, as SDL or as an introspection")
  func files() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mocks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sdl = folder.appendingPathComponent("schema.graphqls"), more = folder.appendingPathComponent("mocks.graphqls")
    try Data(library.utf8).write(to: sdl)
    try Data("extend type User { name: String! @mock(value: \"File\") }".utf8).write(to: more)
    let schema = try MockSchema(contentsOf: sdl, more)
    #expect(await schema.json("{ me { name } }") == #"{"me":{"name":"File"}}"#)

    let json = folder.appendingPathComponent("schema.json")
    try Data((await schema.execute(introspection)).json).write(to: json)
    let read = try MockSchema(contentsOf: json)
    #expect(await read.json("{ user(id: 3) { name } }") == #"{"user":{"name":"name of User 3"}}"#)

    try Data("{".utf8).write(to: json)
    #expect(message { _ = try MockSchema(contentsOf: json) }.contains("schema.json is not the introspection"))
    #expect(!message { _ = try MockSchema(contentsOf: folder.appendingPathComponent("none.graphqls")) }.isEmpty)
  }
}

private let introspection = """
  { __schema { queryType { name } mutationType { name } subscriptionType { name }
    types { kind name fields(includeDeprecated: true) { name args { ...input } type { ...type } }
      inputFields { ...input } interfaces { ...type } enumValues { name } possibleTypes { ...type } }
    directives { name locations args { ...input } } } }
  fragment input on __InputValue { name type { ...type } defaultValue }
  fragment type on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } }
  """
