import ApolloMocks
import Testing

/// What mutations change and remove, and which objects fields mean.
@Suite("What a mock's mutations and arguments mean")
struct EchoTests {
  private static let shop = """
    type Query {
      cart(id: ID!): Cart
      user(id: ID!): User
      post(id: ID!): Post
      comment(id: ID!): Comment
      seat(number: Int!): Seat
      figure(id: ID!): Figure
      thing(id: ID!): Thing
      hero: Figure
      launch(launch: ID!): Launch
      car(id: Long!): Car
      anyCar: Car
      wheel: Wheel
      viewer: Query
      count: Int!
    }
    type Mutation {
      removeItemFromCart(cartId: ID!, itemId: ID!): Cart!
      removeFriend(userId: ID!, friendId: ID!): User
      deleteComment(id: ID!): Post
      deleteUserById(id: ID!): User
      delete(id: ID!): Post
      deleteSeat(number: Int!): Int
      deletePost(input: DeletePostInput!): DeletePostPayload
      renameFigure(id: ID!, name: String!): Figure
      createReview(review: ReviewInput!): Review
      createPost(input: CreatePostInput!): CreatePostPayload
      createUser(name: String!): User!
      updateUser(input: UpdateUserInput!): User
      recount(count: Int!): RecountPayload
      like(post: ID!, title: String!): Post
    }
    type Cart { id: ID!, items: [Item!]! }
    type Item { id: ID! }
    type User { id: ID!, name: String! }
    type Post { id: ID!, title: String! }
    type Comment { id: ID! }
    type Seat @typePolicy(keyFields: "number") { number: Int! }
    interface Figure { id: ID!, name: String! }
    type Human implements Figure { id: ID!, name: String! }
    type Droid implements Figure { id: ID!, name: String! }
    type Planet { id: ID! }
    union Thing = Planet | Human | Droid
    type Review { stars: Int!, commentary: String, author: User }
    type Launch { id: ID! }
    type Car { id: Long! }
    interface Node { id: ID! }
    type Wheel implements Node @typePolicy(keyFields: "number") { id: ID!, number: Int! }
    type DeletePostPayload { deletedPostId: ID, clientMutationId: String }
    type CreatePostPayload { post: Post, clientMutationId: String }
    type RecountPayload { count: Int!, query: Query }
    input DeletePostInput { id: ID!, clientMutationId: String }
    input CreatePostInput { title: String!, clientMutationId: String }
    input UpdateUserInput { id: ID!, name: String }
    input ReviewInput { stars: Int!, commentary: String }
    scalar Long
    """

  @Test("What is removed", arguments: removals)
  func removal(_ claim: Claim) async throws { try await claim.check() }

  static let removals: [Claim] = [
    Claim("What something is removed from stays") { () async throws in
      let schema = try MockSchema(shop)
      _ = await schema.json("mutation { removeItemFromCart(cartId: 1, itemId: 2) { id } }")
      _ = await schema.json("mutation { removeFriend(userId: 3, friendId: 4) { id } }")
      #expect(
        await schema.json("{ cart(id: 1) { id } user(id: 3) { id } }") == #"{"cart":{"id":"1"},"user":{"id":"3"}}"#)
    },
    Claim("The name of the field says what is removed, and not what it returns") { () async throws in
      let schema = try MockSchema(shop)
      _ = await schema.json("mutation { deleteComment(id: 5) { title } }")
      #expect(
        await schema.json("{ comment(id: 5) { id } post(id: 5) { id } }") == #"{"comment":null,"post":{"id":"5"}}"#)
    },
    Claim("The name may say by what, or nothing") { () async throws in
      let schema = try MockSchema(shop)
      _ = await schema.json("mutation { deleteUserById(id: 3) { id } delete(id: 6) { id } }")
      #expect(await schema.json("{ user(id: 3) { id } post(id: 6) { id } }") == #"{"user":null,"post":null}"#)
    },
    Claim("A leaf is the key that was sent") { () async throws in
      let schema = try MockSchema(shop)
      #expect(await schema.json("mutation { deleteSeat(number: 7) }") == #"{"deleteSeat":7}"#)
      #expect(await schema.json("{ seat(number: 7) { number } }") == #"{"seat":null}"#)
    },
    Claim("A payload has the key, and what else was sent") { () async throws in
      let schema = try MockSchema(shop)
      #expect(
        await schema.json(
          "mutation { deletePost(input: { id: 9, clientMutationId: \"c\" }) { deletedPostId clientMutationId } }")
          == #"{"deletePost":{"deletedPostId":"9","clientMutationId":"c"}}"#)
      #expect(await schema.json("{ post(id: 9) { id } }") == #"{"post":null}"#)
    },
    Claim("A deletion that an app refuses removes nothing") { () async throws in
      let refusals: [(String, @Sendable (MockSchema) throws -> MockSchema)] = [
        ("@mock(value: false)", { $0 }), ("@mock(error: \"No.\")", { $0 }),
        ("", { try $0.mocking("Mutation") { _ in ["deleteUser": false] } }),
        ("", { try $0.failing("Mutation.deleteUser") }),
      ]
      for (mock, refused) in refusals {
        let whole = try MockSchema(
          """
          type Query { user(id: ID!): User }
          type User { id: ID! }
          type Mutation { deleteUser(id: ID!): Boolean! \(mock) }
          """)
        let schema = try refused(whole)
        let result = await schema.execute("mutation { deleteUser(id: 1) }")
        #expect(result.data?["deleteUser"] != true, "\(mock)")
        #expect(await schema.json("{ user(id: 1) { id } }") == #"{"user":{"id":"1"}}"#, "\(mock)")
      }
    },
    Claim("What is said of a deletion is what it returns, and null is a refusal") { () async throws in
      let schema = try MockSchema(shop)
      try schema.store.set("Mutation", ["deleteSeat": nil, "deleteUserById": nil])
      #expect(
        await schema.json("mutation { deleteSeat(number: 7) deleteUserById(id: 3) { id } }")
          == #"{"deleteSeat":null,"deleteUserById":null}"#)
      #expect(
        await schema.json("{ seat(number: 7) { number } user(id: 3) { id } }")
          == #"{"seat":{"number":7},"user":{"id":"3"}}"#)
      try schema.store.set("Mutation", ["deleteSeat": 70])
      #expect(await schema.json("mutation { deleteSeat(number: 7) }") == #"{"deleteSeat":70}"#)
      #expect(await schema.json("{ seat(number: 7) { number } }") == #"{"seat":null}"#)
    },
  ]

  @Test("What is echoed", arguments: echoes)
  func echo(_ claim: Claim) async throws { try await claim.check() }

  static let echoes: [Claim] = [
    Claim("An object without a key has what was sent, and is not listed") { () async throws in
      let schema = try MockSchema(shop)
      #expect(
        await schema.json(
          "mutation { createReview(review: { stars: 5, commentary: \"Great\" }) { stars commentary } }")
          == #"{"createReview":{"stars":5,"commentary":"Great"}}"#)
      #expect(try schema.store.all("Review") == [])
    },
    Claim("So has a payload, and the object in it") { () async throws in
      let schema = try MockSchema(shop)
      let data = await schema.data(
        "mutation { createPost(input: { title: \"T\", clientMutationId: \"c\" }) { post { title } clientMutationId } }")
      #expect(data["createPost"] == ["post": ["title": "T"], "clientMutationId": "c"])
    },
    Claim("What a mutation makes is none of the objects that queries have") { () async throws in
      let schema = try MockSchema(shop)
      for name in ["A", "B", "C", "D", "E"] {
        let data = await schema.data(
          "mutation { createUser(name: \"\(name)\") { id } createPost(input: { title: \"\(name)\" }) { post { id } } }")
        let ids = [data["createUser"]?["id"], data["createPost"]?["post"]?["id"]].map { Int($0?.string ?? "") ?? 0 }
        #expect(ids.allSatisfy { $0 >= 1_000 }, "\(ids)")
      }
    },
    Claim("The key may be in the only input object") { () async throws in
      let schema = try MockSchema(shop)
      #expect(
        await schema.json("mutation { updateUser(input: { id: 4, name: \"Dan\" }) { id name } }")
          == #"{"updateUser":{"id":"4","name":"Dan"}}"#)
    },
    Claim("A field with the type of the root is the root, and mutations do not change it") { () async throws in
      let schema = try MockSchema(shop)
      try schema.store.set("Query", ["count": 5])
      #expect(await schema.json("{ viewer { viewer { count } } }") == #"{"viewer":{"viewer":{"count":5}}}"#)
      #expect(
        await schema.json("mutation { recount(count: 3) { count query { count } } }")
          == #"{"recount":{"count":3,"query":{"count":5}}}"#)
    },
  ]

  @Test("Which object is meant", arguments: keys)
  func key(_ claim: Claim) async throws { try await claim.check() }

  static let keys: [Claim] = [
    Claim("Fields of an interface with one key lead to one object") { () async throws in
      let schema = try MockSchema(shop)
      for id in 1...20 {
        let found = await schema.data("{ figure(id: \(id)) { __typename } }")["figure"]
        let renamed = await schema.data("mutation { renameFigure(id: \(id), name: \"B\") { __typename } }")
        #expect(found != nil && renamed["renameFigure"] == found)
      }
    },
    Claim("A reference without a type means the same object") { () async throws in
      for id in 1...20 {
        let schema = try MockSchema(shop)
        try schema.store.set("Query", ["hero": ["id": .string("\(id)")]])
        let data = await schema.data("{ hero { __typename } figure(id: \(id)) { __typename } }")
        #expect(data["hero"] != nil && data["hero"] == data["figure"])
      }
    },
    Claim("A union leads to the object of an interface, or to one that only the union has") { () async throws in
      let schema = try MockSchema(shop)
      for id in 1...20 {
        let data = await schema.data("{ thing(id: \(id)) { __typename } figure(id: \(id)) { __typename } }")
        #expect(data["thing"] == data["figure"] || data["thing"] == ["__typename": "Planet"])
      }
    },
    Claim("An argument with the name of the type names the object") { () async throws in
      let schema = try MockSchema(shop)
      #expect(await schema.json("{ launch(launch: 7) { id } }") == #"{"launch":{"id":"7"}}"#)
      #expect(
        await schema.json("mutation { like(post: 8, title: \"L\") { id title } }")
          == #"{"like":{"id":"8","title":"L"}}"#)
    },
    Claim("The key of a scalar of numbers is a number") { () async throws in
      let schema = try MockSchema(shop).scalar("Long") { _ in 5 }
      // (A rule that says the same of all cars does not make keys.)
      let data = await schema.data("{ car(id: 7) { id } anyCar { id } }")
      #expect(data["car"] == ["id": 7] && data["anyCar"]?["id"]?.int != nil)
      let others = try MockSchema(shop).scalar("Long") { context in .int(context.number(in: 1_000...9_999)) }
      #expect(await others.data("{ anyCar { id } }")["anyCar"]?["id"]?.int ?? 0 >= 1_000)
      let plain = try MockSchema(shop)
      #expect(await plain.json("{ car(id: \"7\") { id } }") == #"{"car":{"id":"7"}}"#)
    },
    Claim("A generated key that is a number has no name of a type") { () async throws in
      let data = try await MockSchema(shop).data("{ wheel { number } }")
      #expect(data["wheel"]?["number"]?.int != nil)
    },
  ]
}
