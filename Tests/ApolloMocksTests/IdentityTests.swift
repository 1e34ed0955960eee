import ApolloMocks
import Foundation
import Testing

/// An object is the one with its key, whatever an app says of it.
@Suite("What a mock's keys and cursors are")
struct IdentityTests {
  @Test("Keys", arguments: keys)
  func key(_ claim: Claim) async throws { try await claim.check() }

  static let keys: [Claim] = [
    Claim("A function of a type cannot change the key of its objects") { () async throws in
      let schema = try MockSchema(library).mocking("User") { _ in ["id": "x", "name": "Ann"] }
      #expect(await schema.errors("{ users { name } }").contains("User.id is the key of User:"))
      let same = try MockSchema(library).mocking("User") { context in ["id": .string(context.key), "nick": "N"] }
      #expect(await same.json("{ user(id: 4) { id nick } }") == #"{"user":{"id":"4","nick":"N"}}"#)
    },
    Claim("Nor can a function of the key field") { () async throws in
      let schema = try MockSchema(library).resolving("User.id") { _ in "x" }
      #expect(await schema.errors("{ user(id: 4) { id } }").contains("User.id is the key of User:4"))
      let same = try MockSchema(library).resolving("User.id") { context in .string(context.key) }
      #expect(await same.json("{ user(id: 4) { id } }") == #"{"user":{"id":"4"}}"#)
    },
    Claim("A function can say that an object has no key, where the key may be null") { () async throws in
      let schema = try MockSchema("type Query { post: Post! } type Post { id: ID, title: String }")
        .resolving("Post.id") { _ in .null }
      #expect(await schema.json("{ post { id } }") == #"{"post":{"id":null}}"#)
    },
    Claim("@mock on a key field is an error") { () async throws in
      let text = message { _ = try MockSchema(library, "extend type User { id: ID! @mock(value: \"1\") }") }
      #expect(text.contains("@mock of User.id: the field is the key of its object."), "\(text)")
    },
    Claim("@mock on a scalar makes no keys of its values, but says of what kind they are") { () async throws in
      let schema = try MockSchema(
        """
        type Query { users: [users!]!, cars: [Car!]! }
        type users { id: uuid!, org: uuid! }
        type Car { id: Long! }
        scalar uuid
        scalar Long
        """, "extend scalar uuid @mock(value: \"c0\") extend scalar Long @mock(examples: [5, 6])")
      let data = try await schema.lists(5...5).data("{ users { id org } cars { id } }")
      let users = data["users"]?.list ?? [], cars = data["cars"]?.list ?? []
      #expect(Set(users.compactMap { $0["id"]?.string }).count == 5)
      #expect(users.allSatisfy { $0["org"] == "c0" })
      #expect(Set(cars.compactMap { $0["id"]?.int }).count == 5)
    },
    Claim("What a mutation has removed is returned as it was, and forgotten when it is back") { () async throws in
      let schema = try MockSchema(
        """
        type Query { post(id: ID!): Post }
        type Mutation { deletePost(id: ID!): Post }
        type Post { id: ID!, title: String! }
        """)
      try schema.store.set("Post", "1", ["title": "Hello"])
      #expect(
        await schema.json("mutation { deletePost(id: 1) { id title } }")
          == #"{"deletePost":{"id":"1","title":"Hello"}}"#)
      #expect(await schema.json("{ post(id: 1) { title } }") == #"{"post":null}"#)
      try schema.store.set("Post", "1", ["id": "1"])
      #expect(await schema.json("{ post(id: 1) { title } }") == #"{"post":{"title":"title of Post 1"}}"#)
    },
  ]

  private static let pages = """
    type Query {
      slots(first: Int, after: String): SlotConnection!
      days(first: Int, after: Int): DayConnection!
      users(first: Int, after: String): UserConnection!
    }
    type SlotConnection { edges: [SlotEdge!]!, pageInfo: PageInfo! }
    type SlotEdge { cursor: String!, node: Slot! }
    type Slot { id: Day! }
    enum Day { MON, TUE }
    type DayConnection { edges: [DayEdge!]!, pageInfo: DayInfo! }
    type DayEdge { cursor: Int!, node: Slot! }
    type DayInfo { hasNextPage: Boolean!, endCursor: Int }
    type UserConnection { edges: [UserEdge!]!, pageInfo: PageInfo! }
    type UserEdge { cursor: String!, node: User! }
    type User { id: uuid! }
    type PageInfo { hasNextPage: Boolean!, endCursor: String }
    scalar uuid
    """

  @Test("All pages have an end, also where nodes have equal keys", arguments: ["slots", "days", "users"])
  func paging(_ field: String) async throws {
    let schema = try MockSchema(Self.pages, "extend scalar uuid @mock(examples: [\"a\", \"b\"])")
    let type = field == "days" ? "Int" : "String"
    var cursors: [GraphQLValue] = [], after = GraphQLValue.null, hasNext = true
    while hasNext, cursors.count < 100 {
      let page = await schema.data(
        "query ($after: \(type)) { page: \(field)(first: 7, after: $after) { edges { cursor } pageInfo { hasNextPage endCursor } } }",
        ["after": after])["page"]
      cursors += page?["edges"]?.list?.compactMap { $0["cursor"] } ?? []
      hasNext = page?["pageInfo"]?["hasNextPage"]?.bool ?? false
      after = page?["pageInfo"]?["endCursor"] ?? .null
    }
    #expect(cursors.count == 30 && Set(cursors.map(\.description)).count == 30)
  }

  @Test("A size of a page may be any number")
  func largestSize() async throws {
    let definitions = Self.pages.replacingOccurrences(of: "first: Int", with: "first: BigInt") + "\nscalar BigInt"
    let schema = try MockSchema(definitions)
    let info = await schema.data("{ users(first: 3) { pageInfo { endCursor } } }")["users"]?["pageInfo"]
    let rest = await schema.data(
      "query ($id: String) { users(first: \(Int.max), after: $id) { edges { cursor } pageInfo { hasNextPage } } }",
      ["id": info?["endCursor"] ?? .null])["users"]
    #expect(rest?["edges"]?.list?.count == 27 && rest?["pageInfo"] == ["hasNextPage": false])
  }

  @Test("A connection whose nodes are connections is as deep as it is asked for")
  func folders() async throws {
    let schema = try MockSchema(
      """
      type Query { root: Folder }
      type Folder { id: ID!, nodes: [Folder!]!, pageInfo: PageInfo! }
      type PageInfo { hasNextPage: Boolean! }
      """
    ).lists(2...2, at: "Query.root")
    let root = await schema.data("{ root { pageInfo { hasNextPage } nodes { nodes { id } } } }")["root"]
    #expect(root?["pageInfo"] == ["hasNextPage": false])
    #expect(root?["nodes"]?.list?.map { $0["nodes"]?.list?.count } == [2, 2])
  }

  @Test("Times that are below zero, and events without a time between them, are errors")
  func times() throws {
    let schema = try MockSchema(library)
    #expect(message { _ = try schema.latency(.seconds(-1)) }.contains("A latency is zero or more"))
    #expect(message { _ = try schema.latency(.zero) } == "")
    #expect(message { _ = try schema.emitting(every: .zero) }.contains("is more than zero"))
    #expect(message { _ = try schema.emitting("Subscription.tick", every: .seconds(-1)) }.contains("is more than zero"))
  }
}
