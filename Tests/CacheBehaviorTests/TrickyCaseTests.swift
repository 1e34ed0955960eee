@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import GraphQLExecution
import StyledTests
import Testing

extension CacheBehaviorTests {
  /// Cases that caches are known to get wrong.
  @Suite("Tricky cases", .everyStyle)
  struct TrickyCaseTests {
    static let schema = """
      enum Episode { NEWHOPE EMPIRE JEDI }
      interface Character @typePolicy(keyFields: "id") { id: ID! name: String friends: [Character] nickname: String }
      type Human implements Character { id: ID! name: String friends: [Character] nickname: String home: Planet }
      type Droid implements Character { id: ID! name: String friends: [Character] nickname: String function: String }
      type Planet { name: String moons: [Planet!] sun: Star }
      type Star { name: String mass: Float }
      interface Pet { id: ID! name: String! }
      type Dog implements Pet @typePolicy(keyFields: "id name") { id: ID! name: String! age(unit: String): Int }
      type Fish implements Pet { id: ID! name: String! }
      interface Coded @typePolicy(keyFields: "code") { code: String! id: ID! }
      type Cat implements Coded @typePolicy(keyFields: "id") { code: String! id: ID! }
      type Book implements Coded { code: String! id: ID! }
      union Being = Human | Droid | Dog
      input Filter { foo: Int, bar: Int, list: [Int], inner: Filter }
      type Query {
        hero(episode: Episode): Character
        heroes(episodes: [Episode], first: Int = 3): [Character]
        search(filter: Filter, text: String, ratio: Float): [Being!]
        dog: Dog
        pet: Pet
        cat: Cat
        coded: Coded
        grid: [[Character]]
        cube: [[[Int]]]
        planet: Planet
      }
      """

    let scenario: Scenario

    init() throws { scenario = try Scenario(Self.schema) }

    // MARK: Fields and arguments

    @Test("Two aliases of a field are one field of the record, and two members of the data")
    func aliases() async throws {
      let query = "query A { r2: hero { id n: name } hero { nickname } }"
      let r2 = #"{"__typename":"Droid","id":"1","n":"R2"}"#
      try await scenario.write(query, #"{"r2":\#(r2),"hero":{"__typename":"Droid","id":"1","nickname":"x"}}"#)
      #expect(scenario.fields() == ["hero"])
      #expect(scenario.fields(of: "Droid:1") == ["id", "name", "nickname"])
      #expect(try await scenario.read("query B { hero { name nickname } }").contains(#""name":"R2","nickname":"x""#))
      #expect(try await scenario.read(query).hasPrefix(#"{"r2":\#(r2)"#))
    }

    @Test("An aliased __typename is read and kept like any field, as the first of a root as well")
    func aliasedTypename() async throws {
      let query = "query A { t: __typename hero { kind: __typename ... on Droid { function k: __typename } } }"
      let data =
        #"{"t":"Query","hero":{"__typename":"Droid","id":"1","kind":"Droid","function":null,"k":"Droid"}}"#
      try await scenario.write(query, data)
      #expect(try await scenario.read(query) == data)
      // Here the type is known of another operation.
      try await scenario.write("query B { hero(episode: JEDI) { id } }", #"{"hero":{"__typename":"Human","id":"2"}}"#)
      #expect(
        try await scenario.read("query C { hero(episode: JEDI) { type: __typename } }")
          == #"{"hero":{"__typename":"Human","id":"2","type":"Human"}}"#)
    }

    @Test(
      "A field that is left out here, and selected there under another name, does not keep an object from the cache")
    func leftOutAndAliased() async throws {
      let query =
        "query A($v: Boolean!) { planet { name @skip(if: $v) label: name sun { name } } ...P } "
        + "fragment P on Query { planet { name } }"
      let data =
        #"{"planet":{"__typename":"Planet","label":"Tatooine","sun":{"__typename":"Star","name":"Tatoo"},"name":"Tatooine"}}"#
      try await scenario.write(query, data, ["v": .bool(true)])
      #expect(try await scenario.read(query, ["v": .bool(true)]).contains(#""name":"Tatooine""#))
    }

    @Test("An absent argument, a null and a value are three fields")
    func absentAndNull() async throws {
      let query = "query A($e: Episode) { hero(episode: $e) { name } }"
      for (name, variables) in [("none", [:]), ("null", ["e": .null]), ("jedi", ["e": "JEDI"])]
        as [(String, GraphQLValue.Object)]
      {
        try await scenario.write(
          query, #"{"hero":{"__typename":"Droid","id":"\#(name)","name":"\#(name)"}}"#, variables)
      }
      #expect(scenario.fields() == ["hero", "hero(episode:\"JEDI\")", "hero(episode:null)"])
      #expect(try await scenario.read(query).contains(#""name":"none""#))
      #expect(try await scenario.read(query, ["e": .null]).contains(#""name":"null""#))
      #expect(try await scenario.read("query B { hero(episode: JEDI) { name } }").contains(#""name":"jedi""#))
    }

    @Test("Arguments have one form: sorted, with members of input objects sorted, and variables in their place")
    func arguments() async throws {
      let spellings: [(String, GraphQLValue.Object)] = [
        (
          #"query A { search(text: "a,b)", filter: {foo: 1, bar: 2, list: [1, 1, 2]}, ratio: 1.5) { __typename } }"#,
          [:]
        ),
        (
          "query A($f: Filter, $t: String, $r: Float) { search(ratio: $r, filter: $f, text: $t) { __typename } }",
          ["f": ["list": [1, 1, 2], "bar": 2, "foo": 1], "t": "a,b)", "r": 1.5]
        ),
        (
          "query A($foo: Int, $none: Int) { search(ratio: 1.5, filter: {bar: 2, foo: $foo, list: [1, $foo, 2]}, text: \"a,b)\") { __typename } }",
          ["foo": 1]
        ),
      ]
      for (query, variables) in spellings.dropLast() {
        try await scenario.write(query, #"{"search":[]}"#, variables)
      }
      #expect(scenario.fields() == [#"search(filter:{"bar":2,"foo":1,"list":[1,1,2]},ratio:1.5,text:"a,b)")"#])
      let again =
        "query A($foo: Int) { search(ratio: 1.5, filter: {bar: 2, foo: $foo, list: [1, $foo, 2]}, text: \"a,b)\") { __typename } }"
      #expect(try await scenario.read(again, ["foo": 1]) == #"{"search":[]}"#)
    }

    @Test(
      "A variable that is absent leaves its argument or its member of an input object out; its default does not")
    func absentVariables() async throws {
      let query =
        "query A($b: Int, $c: Int = 7) { search(filter: {foo: $b, bar: $c, inner: {foo: $b}}) { __typename } }"
      try await scenario.write(query, #"{"search":[]}"#, ["c": 7])
      #expect(scenario.fields() == [#"search(filter:{"bar":7,"inner":{}})"#])
    }

    @Test("Fields with conditions do not overwrite each other")
    func conditions() async throws {
      let query = "query A($a: Boolean!) { hero { id name @include(if: $a) nickname @skip(if: $a) } }"
      try await scenario.write(query, #"{"hero":{"__typename":"Droid","id":"1","name":"R2"}}"#, ["a": true])
      try await scenario.write(query, #"{"hero":{"__typename":"Droid","id":"1","nickname":"x"}}"#, ["a": false])
      #expect(try await scenario.read(query, ["a": true]).contains(#""name":"R2"}"#))
      #expect(try await scenario.read(query, ["a": false]).contains(#""nickname":"x"}"#))
    }

    // MARK: Objects

    @Test("Key fields are joined with +, and + and \\ are escaped in them")
    func escaping() async throws {
      try await scenario.write(
        "query A { dog { id name } }", #"{"dog":{"__typename":"Dog","id":"10","name":"Be\\ag+le"}}"#)
      #expect(scenario.store.keys.contains(#"Dog:10+Be\\ag\+le"#))
      let pairs = [("a+b", "c"), ("a", "b+c"), ("a\\", "b+c"), ("a\\+b", "c"), ("a", "b\\+c")]
      for (id, name) in pairs {
        var writer = __JSONWriter()
        writer.writeObject {
          $0.write("__typename", "Dog"); $0.write("id", id); $0.write("name", name)
        }
        try await scenario.write("query A { dog { id name } }", #"{"dog":\#(writer.text)}"#)
      }
      #expect(Set(scenario.store.keys.filter { $0.hasPrefix("Dog:") }).count == pairs.count + 1)
    }

    @Test("Key fields make one key, in the order of the policy, wherever and in whatever order they are selected")
    func orderOfKeyFields() async throws {
      let selections = [
        "dog { name id }", "dog { name }", "dog { id }", "dog { ...A } } fragment A on Dog { name id",
        "dog { ...B name } } fragment B on Dog { id", "pet { name ... on Dog { id } }",
        "pet { id ... on Dog { name } }",
        "pet { ... on Dog { name id } name }",
        "pet { ... on Pet { name ... on Dog { id } } }", "pet { ...C } } fragment C on Pet { name ... on Dog { id }",
      ]
      for selection in selections {
        try await scenario.store.clearCache()
        let field = selection.prefix(3)
        try await scenario.write(
          "query A { \(selection) }", #"{"\#(field)":{"__typename":"Dog","id":"1","name":"Rex"}}"#)
        #expect(scenario.store.keys == ["Dog:1+Rex", "QUERY_ROOT"], "\(selection)")
      }
    }

    @Test("An observer of an object that is gone is told when it comes again, whatever selects its fields")
    func missingObject() async throws {
      let queries = [
        "dog { id name }", #"dog { age(unit: "y") }"#, "pet { ... on Dog { name } }",
        #"pet { ...A } } fragment A on Dog { age(unit: "y")"#,
      ]
      for query in queries {
        try await scenario.store.clearCache()
        let field = query.prefix(3), dog = #"{"__typename":"Dog","id":"1","name":"Rex","age":3}"#
        try await scenario.write("query A { \(query) }", #"{"\#(field)":\#(dog)}"#)
        try await scenario.store.withinReadWriteTransaction { try $0.removeObject(for: "Dog:1+Rex") }
        for others in [0, 20] {
          let counter = Locked(0)
          var observers: [ObserverID] = []
          for _ in 0...others {
            let observer = scenario.store.addObserver(ignoring: UUID()) { _ in counter.withLock { $0 += 1 } }
            let operation = try scenario.prepare("query A { \(query) }")
            await withCheckedContinuation { done in
              scenario.store.observe(operation, for: observer) { _ in done.resume() }
            }
            observers.append(observer)
          }
          try await scenario.store.publish(records: [
            "Dog:1+Rex": ["__typename": "Dog", "age(unit:\"y\")": 4, "name": "Rex"]
          ])
          await scenario.store.waitUntilTold()
          #expect(counter.withLock { $0 } == others + 1, "\(query)")
          observers.forEach(scenario.store.removeObserver)
          try await scenario.store.withinReadWriteTransaction { try $0.removeObject(for: "Dog:1+Rex") }
        }
      }
    }

    @Test("A type with another key than its interface is never identified by the interface's")
    func policyBesideThatOfTheInterface() async throws {
      let being = #"{"__typename":"Cat","id":"1","code":"2"}"#, other = #"{"__typename":"Cat","id":"2","code":"1"}"#
      try await scenario.write("query A { coded { id code } }", #"{"coded":\#(being)}"#)
      try await scenario.write("query A { cat { id code } }", #"{"cat":\#(other)}"#)
      #expect(try await scenario.read("query A { coded { id code } }").contains(#""id":"1","code":"2""#))
      #expect(scenario.store.keys == ["Cat:1", "Cat:2", "QUERY_ROOT"])
      try await scenario.write("query A { coded { ... on Cat { code } } }", #"{"coded":\#(being)}"#)
      #expect(scenario.store.keys == ["Cat:1", "Cat:2", "QUERY_ROOT"])
    }

    @Test("An object whose type the client does not know has the key of the field's interface")
    func unknownType() async throws {
      let query = "query A { hero { id name ... on Droid { function } } }"
      try await scenario.write(query, #"{"hero":{"__typename":"Ewok","id":"9","name":"Wicket"}}"#)
      #expect(scenario.store.keys == ["Ewok:9", "QUERY_ROOT"])
      #expect(try await scenario.read(query) == #"{"hero":{"__typename":"Ewok","id":"9","name":"Wicket"}}"#)
    }

    @Test("An interface's key is the key of all its types; types of a union have their own")
    func abstractTypes() async throws {
      try await scenario.write(
        "query A { search { ... on Character { called: name } ... on Dog { number: id } } }",
        """
        {"search":[{"__typename":"Human","id":"1","called":"Luke"},{"__typename":"Droid","id":"1","called":"R2"},\
        {"__typename":"Dog","id":"1","name":"Rex","number":"1"}]}
        """)
      #expect(scenario.store.keys == ["Dog:1+Rex", "Droid:1", "Human:1", "QUERY_ROOT"])
    }

    @Test(
      "Embedded objects are merged while their type stays the same, in lists of the same length as well, else replaced")
    func embedded() async throws {
      try await scenario.write(
        "query A { planet { name sun { name } moons { name } } }",
        #"{"planet":{"__typename":"Planet","name":"a","sun":{"__typename":"Star","name":"s"},"moons":[{"__typename":"Planet","name":"m"}]}}"#
      )
      try await scenario.write(
        "query B { planet { sun { mass } moons { sun { mass } } } }",
        #"{"planet":{"__typename":"Planet","sun":{"__typename":"Star","mass":2},"moons":[{"__typename":"Planet","sun":null}]}}"#
      )
      #expect(
        try await scenario.read("query C { planet { name sun { name mass } moons { name sun { name } } } }").contains(
          #""sun":{"__typename":"Star","name":"s","mass":2},"moons":[{"__typename":"Planet","name":"m","sun":null}]"#))
      try await scenario.write(
        "query B { planet { moons { sun { mass } } } }",
        #"{"planet":{"__typename":"Planet","moons":[]}}"#)
      #expect(try await scenario.read("query C { planet { moons { name } } }").contains(#""moons":[]"#))
    }

    @Test("Lists keep their nulls and their depth")
    func lists() async throws {
      let query = "query A { grid { name } cube heroes { name } }"
      let data = """
        {"grid":[[null,{"__typename":"Human","id":"1","name":"Luke"}],null,[]],"cube":[[[1,null],[]],null,[null]],\
        "heroes":[null,{"__typename":"Human","id":"1","name":"Luke"}]}
        """
      try await scenario.write(query, data)
      #expect(try await scenario.read(query) == data.replacing(#""id":"1","#, with: #""id":"1","#))
      #expect(scenario.store.keys == ["Human:1", "QUERY_ROOT"])
    }

    @Test("Cyclic data are read as deep as the query goes, and may refer to themselves")
    func cycles() async throws {
      let inner =
        #"{"__typename":"Human","id":"1","name":"Luke","friends":[{"__typename":"Human","id":"1","name":"Luke"}]}"#
      try await scenario.write("query A { hero { id name friends { name } } }", #"{"hero":\#(inner)}"#)
      let deep = (0..<40).reduce("name") { text, _ in "name friends { \(text) }" }
      #expect(try await scenario.read("query B { hero { \(deep) } }").contains("Luke"))
    }

    @Test("A selection 100 levels deep is written, read, watched and removed")
    func depth() async throws {
      let query = Self.deep("hero", "Character", "friends")
      let data = (0..<100).reduce(#"{"__typename":"Human","id":"x","name":"last"}"#) { text, level in
        #"{"__typename":"Human","id":"\#(level)","friends":[\#(text)]}"#
      }
      try await scenario.write(query, #"{"hero":\#(data)}"#)
      #expect(try await scenario.read(query) == #"{"hero":\#(data)}"#)
      #expect(scenario.store.statistics.recordCount == 102)
      #expect(try await scenario.store.removeUnreachable() == 0)
      try await scenario.store.withinReadWriteTransaction { try $0.removeObject(for: "Human:0") }
      let removed = #"{"__typename":"Human","id":"0","friends":[{"__typename":"Human","id":"x","name":"last"}]}"#
      #expect(try await scenario.read(query) == #"{"hero":\#(data.replacing(removed, with: "null"))}"#)
      let embedded = Self.deep("planet", "Planet", "moons")
      let moons = (0..<100).reduce(#"{"__typename":"Planet","name":"last"}"#) { text, _ in
        #"{"__typename":"Planet","moons":[\#(text)]}"#
      }
      try await scenario.write(embedded, #"{"planet":\#(moons)}"#)
      #expect(try await scenario.read(embedded) == #"{"planet":\#(moons)}"#)
      try await scenario.write(embedded, #"{"planet":\#(moons.replacing("last", with: "new"))}"#)
      #expect(try await scenario.read(embedded).contains("new"))
    }

    /// A query that is 100 levels deep. A document may be nested 64 levels deep, so it takes fragments.
    private static func deep(_ root: String, _ type: String, _ field: String) -> String {
      func levels(_ inner: String) -> String { (0..<25).reduce(inner) { text, _ in "\(field) { \(text) }" } }
      return "query A { \(root) { \(levels("...P1")) } }"
        + (1...3).map { "fragment P\($0) on \(type) { \(levels($0 == 3 ? "name" : "...P\($0 + 1)")) }" }.joined()
    }

    // MARK: What does not fit

    @Test("Values of other types than the schema now has are misses that name record and field, and never trap")
    func otherTypes() async throws {
      let query = "query A { hero { name friends { name } } cube planet { sun { mass } } }"
      let good = """
        {"hero":{"__typename":"Human","id":"1","name":"Luke","friends":[]},"cube":[[[1]]],"planet":{"__typename":"Planet",\
        "sun":{"__typename":"Star","mass":1.5}}}
        """
      let values: [Record.Value] = [
        true, 7, 0.5, "text", .json("[1]"), .reference("Human:2"), .list([.reference("Human:2"), nil]), [[["x"]]],
        ["a": ["b": 1]], .error("{}"),
      ]
      for value in values {
        for (record, field) in [
          ("Human:1", "name"), ("Human:1", "friends"), ("QUERY_ROOT", "hero"), ("QUERY_ROOT", "cube"),
          ("QUERY_ROOT", "planet"),
        ] {
          try await scenario.store.clearCache()
          try await scenario.write(query, good)
          try await scenario.store.publish(records: [record: [field: value]])
          guard let miss = try await scenario.miss(query) else { continue }
          switch miss.reason {
          case .cacheMiss, .cacheMismatch: break
          default: Issue.record("\(value) as \(field): \(miss)")
          }
        }
      }
      try await scenario.store.publish(records: ["Human:1": ["name": true]])
      #expect(try await scenario.miss("query B { hero { name } }") != nil)
      try await scenario.write(query, good)
      try await scenario.store.publish(records: ["Human:1": ["name": true]])
      #expect(try await scenario.miss(query)?.reason == .cacheMismatch(record: "Human:1", field: "name"))
      // What comes from the server takes the place of what did not fit.
      try await scenario.write(query, good)
      #expect(try await scenario.read(query).contains("Luke"))
    }

    @Test("A field that was embedded and becomes a reference, or the other way round, is replaced or missed")
    func reembedded() async throws {
      try await scenario.store.publish(
        records: ["QUERY_ROOT": ["hero": ["__typename": "Human", "name": "Luke"], "planet": .reference("Planet:1")]])
      #expect(
        try await scenario.miss("query A { hero { name } }")?.reason == .cacheMiss(record: "QUERY_ROOT", field: "id"))
      #expect(
        try await scenario.miss("query A { planet { name } }")?.reason
          == .cacheMiss(record: "QUERY_ROOT", field: "planet"))
      try await scenario.write("query A { hero { name } }", #"{"hero":{"__typename":"Human","id":"1","name":"Leia"}}"#)
      #expect(try await scenario.read("query A { hero { name } }").contains("Leia"))
    }

    // MARK: Errors

    @Test("An error comes back with the path of the query that reads it: its aliases, indices and fragments")
    func errorPaths() async throws {
      try await scenario.write(
        "query A { hero { id name friends { id name } } }",
        #"{"hero":{"__typename":"Human","id":"1","name":"Luke","friends":[{"__typename":"Droid","id":"2","name":null}]}}"#,
        errors: #"[{"message":"no name","path":["hero","friends",0,"name"]}]"#)
      try await scenario.write(
        "query L { heroes { id } }",
        #"{"heroes":[{"__typename":"Human","id":"1"},{"__typename":"Droid","id":"2"}]}"#)
      let errors = try await scenario.errors(
        "query B { all: heroes { ...Names } } fragment Names on Character { called: name }")
      #expect(errors.map(\.message) == ["no name"])
      #expect(errors.first?.path == ["all", 1, "called"])
    }

    @Test("The same list with an error in another place, read through different fields, keeps both errors apart")
    func errorsInLists() async throws {
      try await scenario.write(
        "query A { heroes(first: 1) { name } again: heroes(first: 2) { name } }",
        #"{"heroes":[null,{"__typename":"Human","id":"1","name":"a"}],"again":[{"__typename":"Human","id":"1","name":"a"},null]}"#,
        errors: #"[{"message":"first","path":["heroes",0]},{"message":"second","path":["again",1]}]"#)
      let errors = try await scenario.errors("query A { heroes(first: 1) { name } again: heroes(first: 2) { name } }")
      #expect(errors.map(\.message) == ["first", "second"])
      #expect(errors.map(\.path) == [["heroes", 0], ["again", 1]])
    }

    @Test("An error at the root is kept there")
    func errorAtTheRoot() async throws {
      try await scenario.write(
        "query A { hero { name } }", #"{"hero":null}"#, errors: #"[{"message":"down","path":["hero"]}]"#)
      #expect(try await scenario.errors("query B { best: hero { id } }").first?.path == ["best"])
    }
  }
}
