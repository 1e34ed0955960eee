import ApolloMocks
import Testing

/// By the behaviour of graphql-tools, and directives by that of graphql-faker.
@Suite("Mutations, connections and directives of a mock")
struct MutationTests {
  @Test("Mutations", arguments: mutations)
  func mutation(_ claim: Claim) async throws { try await claim.check() }

  static let mutations: [Claim] = [
    Claim("What is sent is in the object that is returned, and everywhere else") { () async throws in
      let schema = try MockSchema(library)
      #expect(
        await schema.json("mutation { renameUser(id: 7, name: \"Bea\") { id name } }")
          == #"{"renameUser":{"id":"7","name":"Bea"}}"#)
      #expect(await schema.json("{ user(id: 7) { name } }") == #"{"user":{"name":"Bea"}}"#)
    },
    Claim("The fields of an input object are found in the object of a payload") { () async throws in
      let schema = try MockSchema(library)
      let data = await schema.data(
        "mutation ($input: UserInput!) { updateUser(input: $input) { user { id nick age mood } } }",
        ["input": ["id": "8", "nick": "B", "age": 9, "mood": "BAD"]])
      #expect(data["updateUser"]?["user"] == ["id": "8", "nick": "B", "age": 9, "mood": "BAD"])
      #expect(await schema.json("{ user(id: 8) { nick } }") == #"{"user":{"nick":"B"}}"#)
    },
    Claim("What has the name of a field and another type changes nothing") { () async throws in
      let schema = try MockSchema(library)
      _ = await schema.json(
        "mutation { updateUser(input: { id: 8, address: \"Elm\" }) { user { address { street } } } }")
      #expect(await schema.json("{ user(id: 8) { address { street } } }").contains("street of address"))
    },
    Claim("What was not sent stays as it was") { () async throws in
      let schema = try MockSchema(library)
      let before = await schema.json("{ user(id: 8) { name age } }")
      _ = await schema.json("mutation { updateUser(input: { id: 8, nick: \"N\" }) { ok } }")
      #expect(await schema.json("{ user(id: 8) { name age } }") == before)
    },
    Claim("The same mutation twice returns the same object") { () async throws in
      let schema = try MockSchema(library)
      let text = "mutation { createUser(name: \"A\") { id name } }"
      #expect(await schema.json(text) == schema.json(text))
    },
    Claim("Objects that are created differ if what was sent differs") { () async throws in
      let schema = try MockSchema(library)
      let ids = await ["A", "B", "C", "D", "E", "F"].asyncMap {
        await schema.data("mutation { createUser(name: \"\($0)\") { id } }")["createUser"]?["id"]?.string
      }
      #expect(Set(ids).count > 1)
    },
    Claim("A mutation that deletes returns the identifier and removes the object") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["users": [["id": "1"], ["id": "2"]]])
      #expect(await schema.json("mutation { deleteUser(id: 1) }") == #"{"deleteUser":"1"}"#)
      #expect(await schema.json("{ users { id } }") == #"{"users":[{"id":"2"}]}"#)
    },
    Claim("A mutation that removes may return the object") { () async throws in
      let schema = try MockSchema(library)
      #expect(await schema.json("mutation { removeUser(userId: 3) { id } }") == #"{"removeUser":{"id":"3"}}"#)
      #expect(await schema.json("{ user(id: 3) { id } }") == #"{"user":null}"#)
    },
    Claim("A mutation that deletes by a key of several fields returns true") { () async throws in
      let schema = try MockSchema(library)
      #expect(await schema.json("mutation { deleteBook(isbn: \"x\", edition: 1) }") == #"{"deleteBook":true}"#)
      #expect(await schema.json("{ book(isbn: \"x\", edition: 1) { title } }") == #"{"book":null}"#)
    },
    Claim("With a function of its own nothing is echoed") { () async throws in
      let schema = try MockSchema(library).resolving("Mutation.renameUser") { _ in ["id": "7", "name": "Fixed"] }
      #expect(
        await schema.json("mutation { renameUser(id: 7, name: \"Bea\") { name } }")
          == #"{"renameUser":{"name":"Fixed"}}"#)
      #expect(await schema.json("{ user(id: 7) { name } }") == #"{"user":{"name":"name of User 7"}}"#)
    },
    Claim("The echo can be turned off") { () async throws in
      let schema = try MockSchema(library).echo(false)
      _ = await schema.json("mutation { renameUser(id: 7, name: \"Bea\") { name } }")
      #expect(await schema.json("{ user(id: 7) { name } }") == #"{"user":{"name":"name of User 7"}}"#)
    },
    Claim("Payloads may contain each other, and only the first object of one has the key that was sent") {
      () async throws in
      let schema = try MockSchema(
        """
        type Query { post(id: ID!): Post }
        type Mutation { updatePost(id: ID!, title: String!, authorId: ID): Payload }
        type Payload { post: Post, writer: Writer, more: More }
        type More { back: Payload, post: Post }
        type Post { id: ID!, title: String! }
        type Writer { id: ID!, title: String! }
        """)
      let data = await schema.data(
        "mutation { updatePost(id: 500, title: \"T\") { post { id title } writer { id } more { back { post { id } } } } }"
      )["updatePost"]
      #expect(data?["post"] == ["id": "500", "title": "T"])
      #expect(data?["writer"]?["id"] != "500")
      #expect(await schema.json("{ post(id: 500) { title } }") == #"{"post":{"title":"T"}}"#)
    },
    Claim("Mutations of one request run in order") { () async throws in
      let schema = try MockSchema(library)
      let data = await schema.data(
        "mutation { a: renameUser(id: 7, name: \"A\") { name } b: renameUser(id: 7, name: \"B\") { name } }")
      #expect(data == ["a": ["name": "A"], "b": ["name": "B"]])
      #expect(await schema.json("{ user(id: 7) { name } }") == #"{"user":{"name":"B"}}"#)
    },
  ]

  @Test("Connections", arguments: connections)
  func connection(_ claim: Claim) async throws { try await claim.check() }

  static let connections: [Claim] = [
    Claim("A connection has thirty nodes, all of which come without arguments") { () async throws in
      let data = try await MockSchema(library).data("{ shelf { totalCount edges { node { isbn } } } }")
      #expect(data["shelf"]?["totalCount"] == 30)
      #expect(data["shelf"]?["edges"]?.list?.count == 30)
    },
    Claim("It has as many as is asked for") { () async throws in
      let schema = try MockSchema(library).lists(4...4, at: "Query.shelf")
      #expect(await schema.json("{ shelf { totalCount } }") == #"{"shelf":{"totalCount":4}}"#)
    },
    Claim("The first ones come, and there are more") { () async throws in
      let data = try await MockSchema(library).data(
        "{ shelf(first: 2) { nodes { isbn } pageInfo { hasNextPage hasPreviousPage } } }")
      #expect(data["shelf"]?["nodes"]?.list?.count == 2)
      #expect(data["shelf"]?["pageInfo"] == ["hasNextPage": true, "hasPreviousPage": false])
    },
    Claim("The last ones come, and there are some before") { () async throws in
      let data = try await MockSchema(library).data(
        "{ shelf(last: 2) { nodes { isbn } pageInfo { hasNextPage hasPreviousPage } } }")
      #expect(data["shelf"]?["pageInfo"] == ["hasNextPage": false, "hasPreviousPage": true])
    },
    Claim("All pages one after the other are the whole list") { () async throws in
      let schema = try MockSchema(library)
      let whole = await schema.data("{ shelf { edges { node { isbn } } } }")["shelf"]?["edges"]?.list
      var pages: [GraphQLValue] = [], cursor = GraphQLValue.null, hasNext = true
      while hasNext, pages.count < 100 {
        let data = await schema.data(
          "query ($after: String) { shelf(first: 7, after: $after) { edges { node { isbn } } pageInfo { hasNextPage endCursor } } }",
          ["after": cursor])
        pages += data["shelf"]?["edges"]?.list ?? []
        hasNext = data["shelf"]?["pageInfo"]?["hasNextPage"]?.bool ?? false
        cursor = data["shelf"]?["pageInfo"]?["endCursor"] ?? .null
      }
      #expect(pages == whole)
    },
    Claim("And backwards") { () async throws in
      let schema = try MockSchema(library)
      let whole = await schema.data("{ shelf { nodes { isbn } } }")["shelf"]?["nodes"]?.list
      var pages: [GraphQLValue] = [], cursor = GraphQLValue.null, hasMore = true
      while hasMore, pages.count < 100 {
        let data = await schema.data(
          "query ($before: String) { shelf(last: 7, before: $before) { nodes { isbn } pageInfo { hasPreviousPage startCursor } } }",
          ["before": cursor])
        pages = (data["shelf"]?["nodes"]?.list ?? []) + pages
        hasMore = data["shelf"]?["pageInfo"]?["hasPreviousPage"]?.bool ?? false
        cursor = data["shelf"]?["pageInfo"]?["startCursor"] ?? .null
      }
      #expect(pages == whole)
    },
    Claim("Other arguments make another list") { () async throws in
      let data = try await MockSchema(library).data(
        "{ a: shelf(name: \"a\", first: 3) { nodes { isbn } } b: shelf(name: \"b\", first: 3) { nodes { isbn } } }")
      #expect(data["a"] != data["b"])
    },
    Claim("The cursors of edges are those of the page") { () async throws in
      let data = try await MockSchema(library).data(
        "{ shelf(first: 3) { edges { cursor } pageInfo { startCursor endCursor } } }")["shelf"]
      #expect(data?["edges"]?[0]?["cursor"] == data?["pageInfo"]?["startCursor"])
      #expect(data?["edges"]?[2]?["cursor"] == data?["pageInfo"]?["endCursor"])
    },
    Claim("A removed node is on no page") { () async throws in
      let schema = try MockSchema(library)
      let first = await schema.data("{ shelf(first: 2) { nodes { isbn edition } } }")["shelf"]?["nodes"]
      let key = "\(first?[0]?["isbn"]?.string ?? "")+\(first?[0]?["edition"]?.int ?? 0)"
      try schema.store.remove("Book", key)
      let now = await schema.data("{ shelf(first: 1) { totalCount nodes { isbn edition } } }")["shelf"]
      #expect(now?["nodes"]?[0] == first?[1])
      #expect(now?["totalCount"] == 29)
    },
    Claim("Edges and connections may have keys of their own, which differ") { () async throws in
      let schema = try MockSchema(
        """
        type Query { tags(of: Int): TagConnection! }
        type TagConnection { id: Int!, edges: [TagEdge!]!, pageInfo: PageInfo! }
        type TagEdge { id: Int!, cursor: Int!, node: Tag! }
        type Tag { id: Int!, name: String! }
        type PageInfo { hasNextPage: Boolean!, endCursor: Int }
        """)
      let data = await schema.data(
        "{ a: tags(of: 1) { id edges { id cursor } pageInfo { endCursor } } b: tags(of: 2) { id edges { id } } }")
      #expect(data["a"]?["id"]?.int != nil && data["a"]?["id"] != data["b"]?["id"])
      let ids = ["a", "b"].flatMap { data[$0]?["edges"]?.list?.compactMap { $0["id"]?.int } ?? [] }
      #expect(Set(ids).count == 60)
      #expect(data["a"]?["edges"]?[29]?["cursor"] == data["a"]?["pageInfo"]?["endCursor"])
      let page = await schema.data("{ tags(of: 1) { edges { cursor } } }")["tags"]
      #expect(page?["edges"]?.list?.count == 30)
    },
    Claim("No node at all is an empty page") { () async throws in
      let schema = try MockSchema(library).lists(0...0, at: "Query.shelf")
      #expect(
        await schema.json("{ shelf(first: 3) { edges { cursor } pageInfo { hasNextPage endCursor } } }")
          == #"{"shelf":{"edges":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}"#)
    },
    Claim("First and last together, a negative number and an unknown cursor are errors") { () async throws in
      let schema = try MockSchema(library)
      #expect(await schema.errors("{ shelf(first: 1, last: 1) { nodes { isbn } } }").contains("exclude each other"))
      #expect(await schema.errors("{ shelf(first: -1) { nodes { isbn } } }").contains("\"first\" cannot be -1"))
      #expect(
        await schema.errors("{ shelf(after: \"nowhere\") { nodes { isbn } } }").contains("the cursor \"nowhere\""))
    },
  ]

  @Test("Directives in an extension", arguments: directives)
  func directive(_ claim: Claim) async throws { try await claim.check() }

  static let directives: [Claim] = [
    Claim("@mock has the value of a field") { () async throws in
      let schema = try MockSchema(library, "extend type User { name: String! @mock(value: \"Always\") }")
      #expect(await schema.json("{ me { name } }") == #"{"me":{"name":"Always"}}"#)
    },
    Claim("@mock has examples, of which each place has one") { () async throws in
      let schema = try MockSchema(library, "extend type User { name: String! @mock(examples: [\"Ann\", \"Ben\"]) }")
      let users = (1...20).map { "u\($0): user(id: \($0)) { name }" }.joined(separator: " ")
      let names = await schema.data("{ \(users) }").object?.compactMap { $0.value["name"]?.string } ?? []
      #expect(Set(names) == ["Ann", "Ben"])
    },
    Claim("@mock has the size of a list or of a connection") { () async throws in
      let schema = try MockSchema(
        library,
        """
        extend type User { friends: [User!]! @mock(list: [5, 5]) }
        extend type Query { shelf(name: String, first: Int, last: Int, after: String, before: String): BookConnection! @mock(list: 3) }
        """)
      let data = await schema.data("{ me { friends { id } } shelf { totalCount } }")
      #expect(data["me"]?["friends"]?.list?.count == 5)
      #expect(data["shelf"]?["totalCount"] == 3)
    },
    Claim("@mock has an error") { () async throws in
      let schema = try MockSchema(library, "extend type User { nick: String @mock(error: \"broken\") }")
      #expect(await schema.errors("{ me { nick } }") == "broken")
    },
    Claim("@mock on a scalar holds for all of its fields") { () async throws in
      let schema = try MockSchema(library, "extend scalar Secret @mock(value: \"***\")")
      #expect(await schema.json("{ secret }") == #"{"secret":"***"}"#)
    },
    Claim("@mock on a field of an interface holds for its types") { () async throws in
      let schema = try MockSchema(library, "extend interface Media { title: String! @mock(value: \"T\") }")
      #expect(await schema.data("{ media { title } }") == ["media": [["title": "T"], ["title": "T"]]])
    },
    Claim("What the app says wins over @mock") { () async throws in
      let schema = try MockSchema(library, "extend type User { name: String! @mock(value: \"Always\") }")
      try schema.store.set("User", "1", ["name": "Set"])
      #expect(await schema.json("{ user(id: 1) { name } }") == #"{"user":{"name":"Set"}}"#)
    },
    Claim("@mock may have values of objects") { () async throws in
      let schema = try MockSchema(library, "extend type Query { me: User @mock(value: { id: 9, name: \"Nine\" }) }")
      #expect(await schema.json("{ me { id name } }") == #"{"me":{"id":"9","name":"Nine"}}"#)
    },
  ]
}

extension Sequence where Self: Sendable, Element: Sendable {
  func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
