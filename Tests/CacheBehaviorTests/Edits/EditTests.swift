@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import GraphQLExecution
import Testing

extension CacheBehaviorTests {
  /// Changes of models, which have copies of fields.
  @Suite("Edits through models")
  struct EditTests {
    static let schema = """
      interface Character @typePolicy(keyFields: "id") { id: ID! name: String! nickname: String friends: [Character] best: Character home: Place places: [Place] }
      type Human implements Character { id: ID! name: String! nickname: String friends: [Character] best: Character home: Place places: [Place] }
      type Droid implements Character { id: ID! name: String! nickname: String friends: [Character] best: Character home: Place places: [Place] function: String }
      interface Place { name: String! size: Int sun: Star owner: Character }
      type Planet implements Place { name: String! size: Int sun: Star owner: Character moons: [Moon!] }
      type Moon implements Place { name: String! size: Int sun: Star owner: Character }
      type Star { name: String! mass: Int }
      type Query { hero(id: ID): Character heroes: [Character!]! grid: [[Character]] rooms: [[Place!]!] words: [[String]] places: [Place] place: Place note: String text: String }
      """
    static let swapped =
      "query A { hero { id friends { id name } ...F } } fragment F on Character { friends { id nickname } }"

    let scenario: Scenario

    init() throws { scenario = try Scenario(Self.schema) }

    func character(_ id: String, _ rest: String) -> String { #"{"__typename":"Human","id":"\#(id)",\#(rest)}"# }

    /// A hero with friends 1, 2, … who have a name and a nickname.
    func publishFriends(_ count: Int = 2) async throws {
      let friends = (1...count).map { character("\($0)", #""name":"n\#($0)","nickname":"k\#($0)""#) }
      let query = "query A { hero { id name friends { id name nickname } } }"
      try await scenario.write(
        query, #"{"hero":{"__typename":"Droid","id":"0","name":"n0","friends":[\#(friends.joined(separator: ","))]}}"#)
    }

    func nickname(_ id: Int) -> Record.Value? { scenario.value("nickname", of: "Human:\(id)") }

    // MARK: Copies

    @Test("A list that is reordered in one of two copies gives no object the fields of another")
    func swap() async throws {
      try await publishFriends()
      try await scenario.edit(Self.swapped) { $0["hero"]["friends"].elements.swapAt(0, 1) }
      #expect(scenario.value("friends", of: "Droid:0") == [.reference("Human:2"), .reference("Human:1")])
      #expect([nickname(1), nickname(2)] == ["k1", "k2"])
      #expect([scenario.value("name", of: "Human:1"), scenario.value("name", of: "Human:2")] == ["n1", "n2"])
    }

    @Test("It is enough to change one copy: a value, or the length of a list")
    func oneCopy() async throws {
      try await publishFriends(3)
      try await scenario.edit(Self.swapped) { data in
        data["hero"]["...F"]["friends"].elements.remove(at: 0)
        data["hero"]["...F"]["friends"][1]["nickname"] = "new"
        data["hero"]["friends"][0]["name"] = "gone"
      }
      #expect(scenario.value("friends", of: "Droid:0") == [.reference("Human:2"), .reference("Human:3")])
      #expect([nickname(1), nickname(2), nickname(3)] == ["k1", "k2", "new"])
      #expect(scenario.value("name", of: "Human:1") == "gone")
    }

    @Test("Copies that were changed to different values are an error, which names both of them")
    func conflict() async throws {
      try await publishFriends()
      let before = scenario.store.dump()
      let lists = await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
        try await scenario.edit(Self.swapped) { data in
          data["hero"]["friends"].elements.swapAt(0, 1)
          data["hero"]["...F"]["friends"].elements.removeLast()
        }
      }
      #expect(lists?.first == ["hero", "friends"])
      #expect(lists?.second.suffix(1) == ["friends"])
      let query = "query A { hero { id friends { id name } others: friends { id name } } }"
      let names = await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
        try await scenario.edit(query) { data in
          data["hero"]["friends"][1]["name"] = "a"
          data["hero"]["others"][1]["name"] = "b"
        }
      }
      #expect(names?.description.contains("'hero.friends.1.name' and 'hero.others.1.name'") == true)
      #expect(scenario.store.dump() == before, "nothing was written")
      try await scenario.edit(query) { data in
        data["hero"]["friends"][1]["name"] = "a"
        data["hero"]["others"][1]["name"] = "a"
      }
      #expect(scenario.value("name", of: "Human:2") == "a")
    }

    @Test("An object that is reached on two ways is changed on one of them")
    func twoWays() async throws {
      let query = "query A { hero { id name best { id name best { id name } } } }"
      let hero = #"{"__typename":"Droid","id":"0","name":"old"}"#
      try await scenario.write(
        query,
        #"{"hero":{"__typename":"Droid","id":"0","name":"old","best":{"__typename":"Human","id":"1","name":"x","best":\#(hero)}}}"#
      )
      try await scenario.edit(query) { $0["hero"]["best"]["best"]["name"] = "new" }
      #expect(scenario.value("name", of: "Droid:0") == "new")
      try await scenario.edit(query) { $0["hero"]["name"] = "newer" }
      #expect(scenario.value("name", of: "Droid:0") == "newer")
      await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
        try await scenario.edit(query) { data in
          data["hero"]["name"] = "a"
          data["hero"]["best"]["best"]["name"] = "b"
        }
      }
    }

    @Test("A new key in one copy is the key of the object; two new ones are an error")
    func newKey() async throws {
      try await publishFriends()
      let query = "query A { hero { id name ...F } } fragment F on Character { id nickname }"
      try await scenario.write(query, #"{"hero":{"__typename":"Droid","id":"0","name":"n0","nickname":"k0"}}"#)
      try await scenario.edit(query) { $0["hero"]["...F"]["id"] = "7" }
      #expect(scenario.value("hero") == .reference("Droid:7"))
      #expect(scenario.value("id", of: "Droid:7") == "7")
      #expect(scenario.value("nickname", of: "Droid:7") == "k0")
      #expect(scenario.value("id", of: "Droid:0") == "0")
      let error = await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
        try await scenario.edit(query) { data in
          data["hero"]["id"] = "8"
          data["hero"]["...F"]["id"] = "9"
        }
      }
      #expect(error?.first == ["hero", "id"])
    }

    // MARK: Null

    @Test("In an update, nil that was nil is not a change, and nil that had a value is null")
    func null() async throws {
      let query = "query A { hero { id name nickname best { id } places { name } } }"
      let data = #"{"__typename":"Droid","id":"0","name":"n","nickname":"k","best":null,"places":[]}"#
      try await scenario.write(query, #"{"hero":\#(data)}"#)
      try await scenario.store.withinReadWriteTransaction { try $0.removeField("best", of: "Droid:0") }
      try await scenario.edit("QUERY_ROOT", query) { data in
        data["hero"]["nickname"] = nil
        data["hero"]["places"] = nil
      }
      #expect(scenario.value("nickname", of: "Droid:0") == .null)
      #expect(scenario.value("places", of: "Droid:0") == .null)
      #expect(scenario.fields(of: "Droid:0") == ["id", "name", "nickname", "places"], "'best' is not there")
    }

    @Test("Of a new element whose record is there, a nil changes nothing where the record has no such field")
    func newElements() async throws {
      try await publishFriends()
      try await scenario.write(
        "query A { heroes { id name } }", #"{"heroes":[\#(character("5", #""name":"n5""#))]}"#)
      let query = "query A { hero { id friends { id name nickname } } }"
      try await scenario.edit(query) { data in
        let friend = data["hero"]["friends"][0].with(["nickname": nil])
        data["hero"]["friends"].elements.append(friend.with(["id": "5", "name": "new"]))
        data["hero"]["friends"].elements.append(friend.with(["id": "6", "name": "n6"]))
      }
      #expect(scenario.value("name", of: "Human:5") == "new")
      #expect(scenario.fields(of: "Human:5") == ["id", "name"])
      #expect(nickname(6) == .null, "a record that was not there is written whole")
      #expect(try await scenario.miss(query)?.path == ["hero", "friends", 2, "nickname"])
    }

    @Test("Writing the whole data writes every nil as null")
    func wholeData() async throws {
      let query = "query A { hero { id name nickname } }"
      try await scenario.write("query A { hero { id name } }", #"{"hero":{"__typename":"Droid","id":"0","name":"n"}}"#)
      let operation = try scenario.prepare(query)
      try await scenario.store.withinReadWriteTransaction { transaction in
        let data = try ResponseReader.read(
          Model<First>.self,
          from: ResponseBytes(#"{"data":{"hero":{"__typename":"Droid","id":"0","name":"n"}}}"#.utf8)
        ).data
        try transaction.write(data: try #require(data), for: operation)
      }
      #expect(scenario.value("nickname", of: "Droid:0") == .null)
    }

    @Test(
      "A list of another length that is written whole takes nothing from the one in whose place it comes",
      arguments: [["b"], ["x", "a", "b"], ["b", "a"]])
    func otherLength(names: [String]) async throws {
      func place(_ name: String, _ rest: String = "") -> String {
        #"{"__typename":"Planet","name":"\#(name)"\#(rest)}"#
      }
      let old = place("a", #","size":1"#) + "," + place("b", #","size":2"#)
      try await scenario.write(
        "query A { hero { id places { name size } } }",
        #"{"hero":{"__typename":"Droid","id":"0","places":[\#(old)]}}"#)
      // (The cache does not have the name of the hero, which may not be null. So the model cannot be read there.)
      let operation = try scenario.prepare("query A { hero { id name places { name } } }")
      let places = names.map { place($0) }.joined(separator: ",")
      let json = #"{"data":{"hero":{"__typename":"Droid","id":"0","name":"n","places":[\#(places)]}}}"#
      try await scenario.store.withinReadWriteTransaction { transaction in
        let data = try ResponseReader.read(Model<First>.self, from: ResponseBytes(json.utf8)).data
        try transaction.write(data: try #require(data), for: operation)
      }
      let expected = names.enumerated().map { index, name -> Record.Value in
        names.count == 2
          ? ["__typename": "Planet", "name": .string(name), "size": .int(index + 1)]
          : ["__typename": "Planet", "name": .string(name)]
      }
      #expect(scenario.value("places", of: "Droid:0") == .list(expected), "a list of the same length is merged")
    }

    @Test("An object that comes into a model brings its own lists, of whatever length the cache has them")
    func otherLengthOfNew() async throws {
      let places = ["a", "b"].map { #"{"__typename":"Planet","name":"\#($0)","size":1}"# }.joined(separator: ",")
      try await scenario.write(
        "query A { hero { id name places { name size } } }",
        #"{"hero":{"__typename":"Human","id":"5","name":"n5","places":[\#(places)]}}"#)
      let first = character("1", #""name":"n1","places":[{"__typename":"Planet","name":"b"}]"#)
      let query = "query A { heroes { id name places { name } } }"
      try await scenario.write(query, #"{"heroes":[\#(first)]}"#)
      try await scenario.edit(query) { data in
        data["heroes"].elements.append(data["heroes"][0].with(["id": "5", "name": "n5"]))
      }
      #expect(scenario.value("places", of: "Human:5") == [["__typename": "Planet", "name": "b"]])
    }

    @Test("Of copies that differ in data that are written whole, the one counts that is not cached")
    func wholeDataWithCopies() async throws {
      try await publishFriends()
      let query = "query A { hero { id name ...F } } fragment F on Character { name }"
      try await scenario.rewrite(query) { $0["hero"]["name"] = "new" }
      #expect(scenario.value("name", of: "Droid:0") == "new")
      try await scenario.rewrite(query) { $0["hero"]["...F"]["name"] = "newer" }
      #expect(scenario.value("name", of: "Droid:0") == "newer")
      await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
        try await scenario.rewrite(query) { data in
          data["hero"]["name"] = "a"
          data["hero"]["...F"]["name"] = "b"
        }
      }
    }

    // MARK: Type conditions and variables

    @Test("What is below a type case is written, whatever type the object says it has")
    func typeCases() async throws {
      let query = "query A { hero { id name ... on Droid { function } } }"
      try await scenario.write(
        query, #"{"hero":{"__typename":"Droid","id":"0","name":"n","function":"f"}}"#)
      try await scenario.rewrite(query) { data in
        data["hero"]["__typename"] = "Ewok"
        data["hero"]["... on Droid"]["function"] = "new"
      }
      #expect(scenario.value("hero") == .reference("Ewok:0"))
      #expect(scenario.value("function", of: "Ewok:0") == "new")
      #expect(scenario.value("function", of: "Droid:0") == "f")
    }

    @Test("A field that a condition leaves out is left as it is")
    func conditions() async throws {
      try await publishFriends()
      let query = "query A($a: Boolean!) { hero { id name @include(if: $a) nickname @skip(if: $a) } }"
      try await scenario.write(query, #"{"hero":{"__typename":"Droid","id":"0","nickname":"k"}}"#, ["a": false])
      try await scenario.edit(query, ["a": false]) { $0["hero"]["nickname"] = nil }
      #expect(scenario.value("name", of: "Droid:0") == "n0")
      #expect(scenario.value("nickname", of: "Droid:0") == .null)
    }

    @Test("Fields with other arguments are other fields")
    func arguments() async throws {
      let query = #"query A($id: ID) { hero(id: $id) { id name } other: hero(id: "2") { id name } }"#
      try await scenario.write(
        query,
        #"{"hero":{"__typename":"Droid","id":"1","name":"a"},"other":{"__typename":"Droid","id":"2","name":"b"}}"#,
        ["id": "1"])
      try await scenario.edit(query, ["id": "1"]) { $0["other"] = $0["hero"] }
      #expect(scenario.value(#"hero(id:"2")"#) == .reference("Droid:1"))
      #expect(scenario.value(#"hero(id:"1")"#) == .reference("Droid:1"))
      #expect(scenario.value("name", of: "Droid:2") == "b")
    }

    // MARK: Errors

    @Test("Errors that the cache has in place of values stay where nothing was changed")
    func errors() async throws {
      let query = "query A { hero { id name nickname friends { id name } best { id } } }"
      let friends = #"[{"__typename":"Human","id":"1","name":"a"},null]"#
      try await scenario.write(
        query,
        #"{"hero":{"__typename":"Droid","id":"0","name":"n","nickname":null,"friends":\#(friends),"best":null}}"#,
        errors: """
          [{"message":"x","path":["hero","nickname"]},{"message":"y","path":["hero","friends",1]},\
          {"message":"z","path":["hero","best"]}]
          """)
      try await scenario.edit(query) { data in
        data["hero"]["name"] = "new"
        data["hero"]["friends"].elements.append(data["hero"]["friends"][0].with(["id": "2"]))
      }
      #expect(Set(try await scenario.errors(query).map(\.message)) == ["x", "y", "z"])
      #expect(try await scenario.read(query).contains(#""name":"new""#))
      try await scenario.edit(query) { $0["hero"]["nickname"] = "k" }
      #expect(Set(try await scenario.errors(query).map(\.message)) == ["y", "z"])
    }

    @Test("A watcher is told of a field that changed, and not of an edit that changes nothing")
    func watching() async throws {
      try await publishFriends()
      let query = try scenario.prepare("query A { hero { id friends { id nickname } } }")
      let counter = Locked(0)
      let observer = scenario.store.addObserver(ignoring: UUID()) { _ in counter.withLock { $0 += 1 } }
      await withCheckedContinuation { done in scenario.store.observe(query, for: observer) { _ in done.resume() } }
      try await scenario.edit(Self.swapped) { $0["hero"]["friends"][0]["name"] = "new" }
      try await scenario.edit(Self.swapped) { _ in }
      try await scenario.rewrite(Self.swapped) { _ in }
      await scenario.store.waitUntilTold()
      #expect(counter.withLock { $0 } == 0)
      try await scenario.edit(Self.swapped) { $0["hero"]["friends"].elements.swapAt(0, 1) }
      await scenario.store.waitUntilTold()
      #expect(counter.withLock { $0 } == 1)
    }
  }
}
