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
      let data = await schema.data(
        "query ($id: ID!) { me { name age } user(id: $id) { name age } }", ["id": .string(key)])
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
    Claim("Strings may be words, each place its own") { () async throws in
      let schema = try MockSchema(library).words()
      let users = (1...40).map { "u\($0): user(id: \($0)) { id name }" }.joined(separator: " ")
      let names = await schema.data("{ \(users) }").object?.compactMap { $0.value["name"]?.string } ?? []
      #expect(Set(names).count > 35)
      #expect(try names.allSatisfy { try /[A-Z][a-z]*( [a-z]+){1,3}/.wholeMatch(in: $0) != nil })
      #expect(await schema.json("{ user(id: 3) { id } }") == #"{"user":{"id":"3"}}"#)
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
      #expect(
        try /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.wholeMatch(
          in: data["fUUID"]?.string ?? "") != nil)
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
      #expect(
        try await schema.nulls(1).json("{ me { id } ratio count }").hasPrefix(#"{"me":null,"ratio":null,"count":"#))
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
      let schema = try MockSchema(library).mocking("Media") { context in
        ["title": .string("\(context.typename) \(context.key)")]
      }
      let media = await schema.data("{ media { __typename id title } }")["media"]?.list ?? []
      #expect(media.allSatisfy { $0["title"]?.string == "\($0["__typename"]?.string ?? "") \($0["id"]?.string ?? "")" })
    },
    Claim("A function that asks the store for what it is to tell does not ask without end") { () async throws in
      let schema = try MockSchema(library).mocking("User") { context in
        let name = try context.store.get("User", context.key, "name").string ?? ""
        return ["nick": .string("nick of \(name)")]
      }
      #expect(await schema.json("{ user(id: 3) { nick } }") == #"{"user":{"nick":"nick of name of User 3"}}"#)
      let other = try MockSchema(library).scalar("Int") { context in try context.store.get("Query", "count") }
      #expect(await other.errors("{ count }").contains("asks for Query.count, which it is to tell"))
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
}
