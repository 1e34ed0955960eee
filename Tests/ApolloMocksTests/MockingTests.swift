import ApolloMocks
import Testing

/// By the behaviour of `addMocksToSchema` of graphql-tools, of its tests of compatibility, and of Relay's generator of payloads.
@Suite("Queries, mutations and functions of a mock")
struct MockingTests {
  @Test("Queries", arguments: queries)
  func query(_ claim: Claim) async throws { try await claim.check() }

  static let queries: [Claim] = [
    Claim("Every built-in scalar has a value of its kind") { () async throws in
      let data = try await MockSchema(library).data("{ me { id name age } ratio isOpen count(of: \"a\") }")
      #expect(data["me"]?["id"]?.string != nil)
      #expect(data["me"]?["name"]?.string != nil)
      #expect(data["me"]?["age"]?.int != nil)
      #expect(data["ratio"]?.double != nil)
      #expect(data["isOpen"]?.bool != nil)
    },
    Claim("An enum has one of its values") { () async throws in
      let data = try await MockSchema(library).data("{ today }")
      #expect(["MON", "TUE", "WED"].contains(data["today"]?.string))
    },
    Claim("A list has two elements, and lists of lists two of two") { () async throws in
      let data = try await MockSchema(library).data("{ users { id } matrix }")
      #expect(data["users"]?.list?.count == 2)
      #expect(data["matrix"]?.list?.map { $0.list?.count } == [2, 2])
    },
    Claim("Aliases of one field have one value") { () async throws in
      let data = try await MockSchema(library).data("{ me { a: age b: age } }")
      #expect(data["me"]?["a"] == data["me"]?["b"])
    },
    Claim("An object that is found by its key is the one with that key") { () async throws in
      let schema = try MockSchema(library)
      #expect(await schema.json("{ user(id: 7) { id } }") == #"{"user":{"id":"7"}}"#)
    },
    Claim("A key of several arguments is found as well") { () async throws in
      let schema = try MockSchema(library)
      #expect(
        await schema.json("{ book(isbn: \"x\", edition: 3) { isbn edition } }")
          == #"{"book":{"isbn":"x","edition":3}}"#)
    },
    Claim("Two ways to one object lead to the same fields") { () async throws in
      let schema = try MockSchema(library)
      let key = await schema.data("{ me { id } }")["me"]?["id"]?.string ?? ""
      let data = await schema.data("query ($id: ID!) { me { name age } user(id: $id) { name age } }", ["id": .string(key)])
      #expect(data["me"] == data["user"])
    },
    Claim("An interface has objects of its types, which tell their type") { () async throws in
      let types = try await MockSchema(library).lists(20...20).data("{ media { __typename } }")["media"]?.list ?? []
      #expect(Set(types.compactMap { $0["__typename"]?.string }) == ["Film", "Song"])
    },
    Claim("A union has objects of its types, also those without a key") { () async throws in
      let schema = try MockSchema(library)
      #expect(await schema.data("{ anything { __typename } }")["anything"]?["__typename"]?.string != nil)
    },
    Claim("The type of an object does not depend on the fragments that ask for it") { () async throws in
      let schema = try MockSchema(library)
      let types = await schema.data("{ anything { __typename } }")["anything"]?["__typename"]
      let other = await schema.data("{ anything { ... on Address { street } ... on User { name } __typename } }")
      #expect(other["anything"]?["__typename"] == types)
    },
    Claim("A key that names its type leads to it through an interface") { () async throws in
      let schema = try MockSchema(library)
      #expect(
        await schema.json("{ a: node(id: \"Letter-7\") { __typename id } b: node(id: \"Parcel-7\") { __typename } }")
          == #"{"a":{"__typename":"Letter","id":"Letter-7"},"b":{"__typename":"Parcel"}}"#)
    },
    Claim("Introspection is answered") { () async throws in
      let schema = try MockSchema(library)
      #expect(
        await schema.json("{ __type(name: \"Mood\") { kind enumValues { name } } }").contains("UNKNOWN"))
    },
    Claim("Variables and their defaults reach the fields") { () async throws in
      let schema = try MockSchema(library).resolving("Query.page") { context in
        .string("\(context.arguments["of"]?.string ?? "")/\(context.arguments["size"]?.int ?? 0)")
      }
      #expect(await schema.json("query ($of: String) { page(of: $of) }", ["of": "x"]) == #"{"page":"x/3"}"#)
      #expect(await schema.json("query ($of: String) { page(of: $of) }") == #"{"page":"news/3"}"#)
    },
    Claim("Strings say what they are") { () async throws in
      let schema = try MockSchema(library)
      #expect(
        await schema.json("{ user(id: 3) { name address { street city { name } } } }")
          == #"{"user":{"name":"name of User 3","address":{"street":"street of address of User 3","city":{"name":"name of city of address of User 3"}}}}"#
      )
    },
    Claim("A function gives a field its value") { () async throws in
      let schema = try MockSchema(library).resolving("Query.count") { _ in 42 }
      #expect(await schema.json("{ count }") == #"{"count":42}"#)
    },
    Claim("A function that returns nothing leaves the field as it was") { () async throws in
      let plain = try MockSchema(library)
      let schema = try plain.resolving("Query.count") { _ in nil }
      #expect(await schema.json("{ count }") == plain.json("{ count }"))
    },
    Claim("A function may give an object some of its fields, and the others are made up") { () async throws in
      let schema = try MockSchema(library).resolving("Query.me") { _ in ["id": "7", "name": "Me"] }
      let data = await schema.data("{ me { id name age } user(id: 7) { age } }")
      #expect(data["me"]?["name"] == "Me")
      #expect(data["me"]?["age"] == data["user"]?["age"])
    },
    Claim("A function may return a list of objects") { () async throws in
      let schema = try MockSchema(library).resolving("Query.users") { _ in [["id": "1"], ["id": "2", "name": "Two"]] }
      #expect(
        await schema.json("{ users { id name } }")
          == #"{"users":[{"id":"1","name":"name of User 1"},{"id":"2","name":"Two"}]}"#)
    },
    Claim("A function of an interface's field is that of all of its types") { () async throws in
      let schema = try MockSchema(library).resolving("Media.title") { context in .string(context.typename) }
      let media = await schema.data("{ media { __typename title } }")["media"]?.list ?? []
      #expect(!media.isEmpty && media.allSatisfy { $0["__typename"] == $0["title"] })
    },
    Claim("A function may throw, and its field has the error") { () async throws in
      let schema = try MockSchema(library).resolving("User.nick") { _ in throw ExecutionError("no nick") }
      let result = await schema.execute("{ me { nick age } }")
      #expect(result.errors.map(\.message) == ["no nick"])
      #expect(result.errors.first?.path == ["me", "nick"])
      #expect(result.data?["me"]?["age"]?.int != nil)
    },
    Claim("A function knows type, key, arguments and coordinate") { () async throws in
      let schema = try MockSchema(library).resolving("User.name") { context in
        .string("\(context.coordinate) \(context.typename) \(context.key)")
      }
      #expect(await schema.json("{ user(id: 5) { name } }") == #"{"user":{"name":"User.name User 5"}}"#)
    },
    Claim("A function chooses by the seed and the place") { () async throws in
      let schema = try MockSchema(library).resolving("User.name") { context in
        .string(context.element(of: ["Ann", "Ben", "Cem"]) ?? "")
      }.resolving("User.age") { .int($0.number(in: 18...20)) }
      let users = (1...30).map { "u\($0): user(id: \($0)) { name age }" }.joined(separator: " ")
      let text = await schema.json("{ \(users) }")
      #expect(await schema.json("{ \(users) }") == text)
      for part in ["Ann", "Ben", "Cem", "18", "19", "20"] { #expect(text.contains(part)) }
    },
    Claim("A function reads and changes the store") { () async throws in
      let schema = try MockSchema(library).resolving("Mutation.touch") { context in
        try context.store.set("Query", ["isOpen": true])
        return true
      }
      #expect(await schema.json("mutation { touch }") == #"{"touch":true}"#)
      #expect(await schema.json("{ isOpen }") == #"{"isOpen":true}"#)
    },
    Claim("What is set in the store wins over a function of the field") { () async throws in
      let schema = try MockSchema(library).resolving("Query.count") { _ in 1 }
      try schema.store.set("Query", ["count": 2])
      #expect(await schema.json("{ count }") == #"{"count":2}"#)
    },
    Claim("A later function replaces an earlier one") { () async throws in
      let schema = try MockSchema(library).resolving("Query.count") { _ in 1 }.resolving("Query.count") { _ in 2 }
      #expect(await schema.json("{ count }") == #"{"count":2}"#)
    },
    Claim("A scalar that is known by its name has values") { () async throws in
      let names = [
        "DateTime", "Date", "Time", "URL", "URI", "UUID", "Email", "JSON", "Long", "BigInt", "Decimal",
      ]
      let fields = names.map { "f\($0): \($0)!" }.joined(separator: " ")
      let schema = try MockSchema("type Query { \(fields) } " + names.map { "scalar \($0)" }.joined(separator: " "))
      let data = await schema.data("{ \(names.map { "f\($0)" }.joined(separator: " ")) }")
      for name in names { #expect(data["f\(name)"] != nil && data["f\(name)"] != .null, "\(name)") }
      #expect(try /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.wholeMatch(in: data["fDateTime"]?.string ?? "") != nil)
      #expect(try /\d{4}-\d\d-\d\d/.wholeMatch(in: data["fDate"]?.string ?? "") != nil)
      #expect(try /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(in: data["fUUID"]?.string ?? "") != nil)
    },
    Claim("Another scalar is an error that shows what to write") { () async throws in
      let text = try await MockSchema(library).errors("{ secret }")
      #expect(text.contains("Query.secret: the mock has no value for the scalar \"Secret\""))
      #expect(text.contains(".scalar(\"Secret\") { context in … }"))
    },
    Claim("A function gives a scalar its values") { () async throws in
      let schema = try MockSchema(library).scalar("Secret") { context in .string("hidden \(context.coordinate)") }
      #expect(await schema.json("{ secret }") == #"{"secret":"hidden Query.secret"}"#)
    },
    Claim("Built-in scalars can be given other values as well") { () async throws in
      let schema = try MockSchema(library).scalar("Int") { _ in 55 }
      #expect(await schema.json("{ count }") == #"{"count":55}"#)
    },
    Claim("Lists have the size that is asked for") { () async throws in
      let schema = try MockSchema(library).lists(3...3).lists(0...0, at: "User.friends")
      let data = await schema.data("{ users { friends { id } } matrix }")
      #expect(data["users"]?.list?.count == 3)
      #expect(data["users"]?.list?.allSatisfy { $0["friends"]?.list?.isEmpty == true } == true)
      #expect(data["matrix"]?.list?.count == 3)
    },
    Claim("The size of a list is in its range, and each place has its own") { () async throws in
      let schema = try MockSchema(library).lists(1...4, at: "User.friends")
      let users = (1...30).map { "u\($0): user(id: \($0)) { friends { id } }" }.joined(separator: " ")
      let sizes = await schema.data("{ \(users) }").object?.compactMap { $0.value["friends"]?.list?.count } ?? []
      #expect(Set(sizes) == [1, 2, 3, 4])
    },
    Claim("The elements of a list differ") { () async throws in
      let data = try await MockSchema(library).lists(40...40).data("{ users { id } }")
      #expect(Set(data["users"]?.list?.compactMap { $0["id"]?.string } ?? []).count == 40)
    },
    Claim("Nothing is null by default, and everything that may be if that is asked for") { () async throws in
      let schema = try MockSchema(library)
      #expect(!(await schema.json("{ me { nick best { id } address { city { name } } } ratio }")).contains("null"))
      #expect(try await schema.nulls(1).json("{ me { id } ratio count }").hasPrefix(#"{"me":null,"ratio":null,"count":"#))
    },
    Claim("A share of the values is null") { () async throws in
      let schema = try MockSchema(library).nulls(0.5)
      let users = (1...100).map { "u\($0): user(id: \($0)) { nick }" }.joined(separator: " ")
      let all = await schema.data("{ \(users) }").object ?? [:]
      let nulls = all.count { $0.value.isNull }
      #expect(30...70 ~= nulls, "\(nulls)")
    },
    Claim("A field fails") { () async throws in
      let schema = try MockSchema(library).failing("User.nick", message: "down")
      let result = await schema.execute("{ me { nick name } }")
      #expect(result.errors.map(\.message) == ["down"])
      #expect(result.data?["me"]?["nick"] == .null)
    },
    Claim("A field fails every third time") { () async throws in
      let schema = try MockSchema(library).failing("Query.ratio", message: "down", every: 3)
      var outcomes: [Int] = []
      for _ in 0..<6 { outcomes.append(await schema.execute("{ ratio }").errors.count) }
      #expect(outcomes == [0, 0, 1, 0, 0, 1])
    },
    Claim("A field that may not be null takes the object with it when it fails") { () async throws in
      let schema = try MockSchema(library).failing("User.name")
      #expect(await schema.data("{ me { name } }") == ["me": nil])
    },
    Claim("A request that does not fit the schema has errors and no data") { () async throws in
      let result = try await MockSchema(library).execute("{ nothing }")
      #expect(result.data == nil)
      #expect(result.errors.first?.message.contains("nothing") == true)
    },
    Claim("The values of a function of a type may depend on the key") { () async throws in
      let schema = try MockSchema(library).mocking("Media") { context in ["title": .string("\(context.typename) \(context.key)")] }
      let media = await schema.data("{ media { __typename id title } }")["media"]?.list ?? []
      #expect(media.allSatisfy { $0["title"]?.string == "\($0["__typename"]?.string ?? "") \($0["id"]?.string ?? "")" })
    },
    Claim("A function of a type that returns what does not fit is an error that names the field") { () async throws in
      let schema = try MockSchema(library).mocking("User") { _ in ["name": 5] }
      #expect(await schema.errors("{ me { nick } }").contains("User.name cannot be 5"))
      let other = try MockSchema(library).mocking("User") { _ in ["nam": "x"] }
      #expect(await other.errors("{ me { nick } }").contains("User.nam"))
    },
    Claim("A function of a field that returns what does not fit is an error that names the field") { () async throws in
      let schema = try MockSchema(library).resolving("User.age") { _ in "old" }
        .resolving("Query.users") { _ in ["id": "1"] }
      #expect(await schema.errors("{ me { age } }").contains("User.age cannot be \"old\": its type is Int!."))
      #expect(await schema.errors("{ users { id } }").contains("Query.users cannot be"))
    },
  ]

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
        await schema.json("mutation { renameUser(id: 7, name: \"Bea\") { name } }") == #"{"renameUser":{"name":"Fixed"}}"#)
      #expect(await schema.json("{ user(id: 7) { name } }") == #"{"user":{"name":"name of User 7"}}"#)
    },
    Claim("The echo can be turned off") { () async throws in
      let schema = try MockSchema(library).echo(false)
      _ = await schema.json("mutation { renameUser(id: 7, name: \"Bea\") { name } }")
      #expect(await schema.json("{ user(id: 7) { name } }") == #"{"user":{"name":"name of User 7"}}"#)
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
      #expect(await schema.errors("{ shelf(after: \"nowhere\") { nodes { isbn } } }").contains("the cursor \"nowhere\""))
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
