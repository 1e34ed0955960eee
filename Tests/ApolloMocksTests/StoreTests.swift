import ApolloMocks
import Testing

/// By the behaviour of the store of graphql-tools.
@Suite("The store of a mock")
struct StoreTests {
  @Test("Reading, setting and removing", arguments: claims)
  func store(_ claim: Claim) async throws { try await claim.check() }

  static let claims: [Claim] = [
    Claim("A field that was not set has a value that fits its type") { () async throws in
      let store = try MockSchema(library).store
      #expect(try store.get("User", "1", "name").string != nil)
      #expect(try store.get("User", "1", "age").int != nil)
    },
    Claim("It is the same value each time") { () async throws in
      let store = try MockSchema(library).store
      #expect(try store.get("User", "1", "age") == store.get("User", "1", "age"))
    },
    Claim("Different keys have different values") { () async throws in
      let store = try MockSchema(library).store
      let ages = try (1...20).map { try store.get("User", "\($0)", "age").int }
      #expect(Set(ages).count > 10)
    },
    Claim("A value depends on arguments") { () async throws in
      let store = try MockSchema(library).store
      let counts = try ["a", "b", "c", "d"].map { try store.get("Query", "count", arguments: ["of": .string($0)]) }
      #expect(Set(counts.map(\.description)).count > 1)
    },
    Claim("Equal arguments are one, whatever their order, and none are as good as an empty list") { () async throws in
      let store = try MockSchema(library).store
      #expect(
        try store.get("Query", "page", arguments: ["of": "a", "size": 1])
          == store.get("Query", "page", arguments: ["size": 1, "of": "a"]))
      #expect(try store.get("Query", "count") == store.get("Query", "count", arguments: [:]))
    },
    Claim("What is set is read") { () async throws in
      let store = try MockSchema(library).store
      try store.set("User", "1", ["name": "Bea"])
      #expect(try store.get("User", "1", "name") == "Bea")
      #expect(try store.get("User", "2", "name") != "Bea")
    },
    Claim("Several fields are set at once") { () async throws in
      let store = try MockSchema(library).store
      try store.set("User", "1", ["name": "Bea", "age": 7, "mood": "BAD", "nick": nil])
      #expect(try store.get("User", "1", "age") == 7)
      #expect(try store.get("User", "1", "mood") == "BAD")
      #expect(try store.get("User", "1", "nick") == GraphQLValue.null)
    },
    Claim("A value can be set for some arguments alone") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["count": 1], arguments: ["of": "a"])
      try schema.store.set("Query", ["count": 2])
      #expect(await schema.json("{ a: count(of: \"a\") b: count(of: \"b\") c: count }") == #"{"a":1,"b":2,"c":2}"#)
    },
    Claim("The root object has no key") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["isOpen": true])
      #expect(await schema.json("{ isOpen }") == #"{"isOpen":true}"#)
      #expect(message { try schema.store.set("Query", "1", ["isOpen": true]) }.contains("root type"))
    },
    Claim("The key field has the key") { () async throws in
      let store = try MockSchema(library).store
      #expect(try store.get("User", "17", "id") == "17")
    },
    Claim("The key cannot be set to another one") { () async throws in
      let store = try MockSchema(library).store
      #expect(message { try store.set("User", "1", ["id": "2"]) }.contains("User.id is the key of User:1"))
      #expect(message { try store.set("User", "1", ["id": "1"]) } == "")
      #expect(message { try store.set("User", "1", ["id": 1]) } == "")
    },
    Claim("A key of several fields has all of them") { () async throws in
      let store = try MockSchema(library).store
      #expect(try store.get("Book", "978+2", "isbn") == "978")
      #expect(try store.get("Book", "978+2", "edition") == 2)
    },
    Claim("An object is read as a reference, with its type and key") { () async throws in
      let store = try MockSchema(library).store
      try store.set("User", "1", ["best": ["id": "9"]])
      #expect(try store.get("User", "1", "best") == ["__typename": "User", "id": "9"])
    },
    Claim("Fields of an object that is set are set on the object itself") { () async throws in
      let store = try MockSchema(library).store
      try store.set("User", "1", ["best": ["id": "9", "name": "Nine"]])
      #expect(try store.get("User", "9", "name") == "Nine")
    },
    Claim("An object without a key is the one that stands at its place") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("User", "1", ["address": ["street": "Elm", "city": ["name": "Ulm"]]])
      #expect(
        await schema.json("{ user(id: 1) { address { street city { name } } } }")
          == #"{"user":{"address":{"street":"Elm","city":{"name":"Ulm"}}}}"#)
    },
    Claim("An object of a type with keys that is set without one is the one that stands there") { () async throws in
      let schema = try MockSchema(library)
      let key = try schema.store.get("User", "1", "best")["id"]?.string ?? ""
      try schema.store.set("User", "1", ["best": ["name": "Best"]])
      #expect(try schema.store.get("User", key, "name") == "Best")
    },
    Claim("A list of objects is a list of references") { () async throws in
      let store = try MockSchema(library).store
      try store.set("User", "1", ["friends": [["id": "2", "name": "Two"], ["id": "3"]]])
      #expect(
        try store.get("User", "1", "friends")
          == [["__typename": "User", "id": "2"], ["__typename": "User", "id": "3"]])
      #expect(try store.get("User", "2", "name") == "Two")
    },
    Claim("An empty list is empty") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["users": []])
      #expect(await schema.json("{ users { id } }") == #"{"users":[]}"#)
    },
    Claim("Null can be set where it may stand, and objects can be null") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["me": nil])
      #expect(await schema.json("{ me { id } }") == #"{"me":null}"#)
    },
    Claim("An object of an interface tells its type") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set(
        "Query", ["media": [["__typename": "Song", "id": "1"], ["__typename": "Film", "id": "1"]]])
      #expect(
        await schema.json("{ media { __typename id } }")
          == #"{"media":[{"__typename":"Song","id":"1"},{"__typename":"Film","id":"1"}]}"#)
    },
    Claim("The fields of an object of an interface tell its type as well") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["media": [["id": "1", "minutes": 90]]])
      #expect(await schema.json("{ media { __typename } }") == #"{"media":[{"__typename":"Film"}]}"#)
    },
    Claim("What was reached or set is listed") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("User", "12", ["name": "A"])
      try schema.store.set("User", "3", ["name": "B"])
      #expect(try schema.store.all("User") == ["3", "12"])
      _ = await schema.json("{ user(id: 5) { name } }")
      #expect(try schema.store.all("User") == ["3", "5", "12"])
    },
    Claim("What is removed is in no list, and null where it stood alone") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["users": [["id": "1"], ["id": "2"]], "me": ["id": "1"]])
      try schema.store.remove("User", "1")
      #expect(await schema.json("{ me { id } users { id } }") == #"{"me":null,"users":[{"id":"2"}]}"#)
      #expect(try schema.store.all("User") == ["2"])
    },
    Claim("What is removed leaves the lists that the seed makes") { () async throws in
      let schema = try MockSchema(library)
      let keys = await schema.data("{ users { id } }")["users"]?.list?.compactMap { $0["id"]?.string } ?? []
      try schema.store.remove("User", keys[0])
      let left = await schema.data("{ users { id } }")["users"]?.list?.compactMap { $0["id"]?.string }
      #expect(left == [keys[1]])
    },
    Claim("Setting a field of a removed object brings it back") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.remove("User", "1")
      try schema.store.set("User", "1", ["name": "Back"])
      #expect(await schema.json("{ user(id: 1) { name } }") == #"{"user":{"name":"Back"}}"#)
    },
    Claim("After a reset everything is as it was at the beginning") { () async throws in
      let schema = try MockSchema(library)
      let before = await schema.json("{ user(id: 1) { name age } me { id } }")
      try schema.store.set("User", "1", ["name": "Bea"])
      try schema.store.set("Query", ["me": nil])
      schema.store.reset()
      #expect(await schema.json("{ user(id: 1) { name age } me { id } }") == before)
    },
    Claim("Copies of a schema share one store") { () async throws in
      let schema = try MockSchema(library), other = try schema.lists(5...5)
      try schema.store.set("User", "1", ["name": "Bea"])
      #expect(await other.json("{ user(id: 1) { name } }") == #"{"user":{"name":"Bea"}}"#)
    },
    Claim("A function for a type fills several fields of one object, once") { () async throws in
      let calls = Counter()
      let schema = try MockSchema(library).mocking("User") { context in
        calls.add()
        return ["name": .string("U\(context.key)"), "nick": .string("N\(context.key)")]
      }
      #expect(try schema.store.get("User", "4", "name") == "U4")
      #expect(await schema.json("{ user(id: 4) { name nick } }") == #"{"user":{"name":"U4","nick":"N4"}}"#)
      #expect(calls.value == 1)
    },
    Claim("What is set wins over a function for a type") { () async throws in
      let schema = try MockSchema(library).mocking("User") { _ in ["name": "typical", "nick": "n"] }
      try schema.store.set("User", "1", ["name": "set"])
      #expect(await schema.json("{ user(id: 1) { name nick } }") == #"{"user":{"name":"set","nick":"n"}}"#)
    },
    Claim("A connection has the nodes that were set") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set(
        "Query", ["shelf": [["isbn": "1", "edition": 1, "title": "A"], ["isbn": "2", "edition": 1, "title": "B"]]])
      #expect(
        await schema.json("{ shelf(first: 1) { totalCount nodes { title } pageInfo { hasNextPage } } }")
          == #"{"shelf":{"totalCount":2,"nodes":[{"title":"A"}],"pageInfo":{"hasNextPage":true}}}"#)
    },
    Claim("A connection whose fields were set still has pages, and no nodes that were removed") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["shelf": ["totalCount": 99]])
      let query = "{ shelf(first: 2) { totalCount nodes { isbn edition } } }"
      let before = await schema.data(query)["shelf"]
      #expect(before?["totalCount"] == 99 && before?["nodes"]?.list?.count == 2)
      let first = before?["nodes"]?[0]
      try schema.store.remove("Book", "\(first?["isbn"]?.string ?? "")+\(first?["edition"]?.int ?? 0)")
      #expect(await schema.data(query)["shelf"]?["nodes"]?[0] == before?["nodes"]?[1])
    },
    Claim("Arguments become what an operation has: with the types and the defaults of the schema") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.set("Query", ["user": ["id": "9"]], arguments: ["id": 7])
      try schema.store.set("Query", ["page": "set"], arguments: ["of": "x"])
      #expect(await schema.json("{ user(id: 7) { id } page(of: \"x\") }") == #"{"user":{"id":"9"},"page":"set"}"#)
      #expect(try await schema.data("{ page }")["page"] == schema.store.get("Query", "page"))
    },
    Claim("An argument that a field does not have is an error that names it") { () async throws in
      let store = try MockSchema(library).store
      let text = message { try store.set("Query", ["count": 1], arguments: ["off": "a"]) }
      #expect(text.contains("The schema has no argument \"Query.count(off:)\"."), "\(text)")
      #expect(message { _ = try store.get("Query", "count", arguments: ["off": "a"]) }.contains("Query.count(off:)"))
      #expect(
        message { _ = try store.publish("userChanged", nil, arguments: ["key": "4"]) }.contains(
          "Subscription.userChanged(key:)"))
      #expect(message { _ = try store.get("Query", "count", arguments: ["of": 1]) }.contains("Query.count(of:)"))
    },
    Claim("An event reaches the subscriptions whose arguments are equal by their type") { () async throws in
      let schema = try MockSchema(library)
      let request = ExecutionRequest(query: "subscription { userChanged(id: 4) { id } }")
      guard case .stream(let stream) = await schema.respond(to: request) else { return #expect(Bool(false)) }
      #expect(try schema.store.publish("userChanged", ["id": "4"], arguments: ["id": 4]) == 1)
      withExtendedLifetime(stream) {}
    },
    Claim("Objects inside of an event without a key are set") { () async throws in
      let schema = try MockSchema(
        """
        type Query { user(id: ID!): User }
        type Subscription { changed: Event }
        type Event { note: String, users: [User!] }
        type User { id: ID!, name: String! }
        """)
      try schema.store.publish("changed", ["note": "n", "users": [["id": "4", "name": "Four"]]])
      #expect(await schema.json("{ user(id: 4) { name } }") == #"{"user":{"name":"Four"}}"#)
    },
    Claim("Naming a removed object brings it back") { () async throws in
      let schema = try MockSchema(library)
      try schema.store.remove("User", "1")
      try schema.store.set("User", "1", ["id": "1"])
      #expect(await schema.json("{ user(id: 1) { id } }") == #"{"user":{"id":"1"}}"#)
      try schema.store.remove("User", "1")
      try schema.store.set("Query", ["users": [["id": "1"]]])
      #expect(await schema.json("{ users { id } }") == #"{"users":[{"id":"1"}]}"#)
    },
    Claim("Copies with different functions for a type have their own values") { () async throws in
      let schema = try MockSchema(library)
      for name in ["one", "two"] as [GraphQLValue] {
        let copy = try schema.mocking("User") { _ in ["name": name] }
        #expect(await copy.data("{ user(id: 1) { name } }")["user"]?["name"] == name)
      }
    },
  ]

  @Test("What does not fit is an error that names the field", arguments: unfit)
  func refused(_ case: Unfit) throws {
    let store = try MockSchema(library).store
    let text = message {
      if let key = `case`.key {
        try store.set(`case`.type, key, `case`.members)
      } else {
        try store.set(`case`.type, `case`.members)
      }
    }
    #expect(text.contains(`case`.expected), "\(text)")
    #expect(try store.all("User") == [])
  }

  struct Unfit: Sendable {
    let type: String, key: String?, members: GraphQLValue.Object, expected: String

    init(_ type: String, _ key: String?, _ members: GraphQLValue.Object, _ expected: String) {
      (self.type, self.key, self.members, self.expected) = (type, key, members, expected)
    }
  }

  static let unfit = [
    Unfit("User", "1", ["name": nil], "User.name cannot be null: its type is String!."),
    Unfit("User", "1", ["name": 1], "User.name cannot be 1: its type is String!."),
    Unfit("User", "1", ["age": "old"], "User.age cannot be \"old\": its type is Int!."),
    Unfit("User", "1", ["age": 3_000_000_000], "User.age cannot be 3000000000"),
    Unfit("User", "1", ["mood": "SAD"], "the enum Mood has GOOD, BAD, UNKNOWN."),
    Unfit("User", "1", ["friends": ["id": "1"]], "User.friends cannot be { id: \"1\" }: its type is [User!]!."),
    Unfit("User", "1", ["friends": [["id": "1"], nil]], "User.friends[1] cannot be null"),
    Unfit("User", "1", ["address": [["street": "x"]]], "User.address cannot be [{ street: \"x\" }]"),
    Unfit("User", "1", ["address": "x"], "User.address cannot be \"x\": its type is Address."),
    Unfit("User", "1", ["address": ["street": 5]], "Address.street cannot be 5"),
    Unfit("User", "1", ["nam": "x"], "The schema has no field \"User.nam\". Did you mean \"User.name\""),
    Unfit("Usr", "1", ["name": "x"], "The schema has no object type \"Usr\". Did you mean \"User\"?"),
    Unfit("Media", "1", ["title": "x"], "The schema has no object type \"Media\"."),
    Unfit("User", nil, ["name": "x"], "An object of User has a key"),
    Unfit("Address", "1", ["street": "x"], "Objects of Address have no key"),
    Unfit(
      "Query", nil, ["media": [["__typename": "User", "id": "1"]]],
      "\"User\" is not an object type that a Media can be."),
  ]
}
