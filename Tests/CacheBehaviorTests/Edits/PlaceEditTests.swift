@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import Testing

extension CacheBehaviorTests {
  /// Changes of objects that have no key, and of lists.
  @Suite("Edits of objects without a key")
  struct PlaceEditTests {
    let scenario: Scenario

    init() throws { scenario = try Scenario(EditTests.schema) }

    static let places = "query A { places { name ...P } } fragment P on Place { sun { name } }"

    /// Places a, b, … with a size that ``places`` does not select.
    func publishPlaces(_ names: [String]) async throws {
      let places = names.map { name in
        """
        {"__typename":"Planet","name":"\(name)","size":\(name.utf8.first ?? 0),\
        "sun":{"__typename":"Star","name":"sun \(name)","mass":1}}
        """
      }
      try await scenario.write(
        "query A { places { name size sun { name mass } } }", #"{"places":[\#(places.joined(separator: ","))]}"#)
    }

    /// The places that the cache has, as a word each: the name, and whatever else of the place is there.
    func words() -> [String] {
      guard case .list(let places)? = scenario.value("places") else { return [] }
      return places.map { place in
        guard case .object(let fields) = place, case .string(let name)? = fields["name"] else { return "" }
        var word = name
        if case .int(let size)? = fields["size"] { word += " \(UnicodeScalar(UInt8(size)))" }
        if case .object(let sun)? = fields["sun"], case .string(let name)? = sun["name"] {
          word += " \(name.dropFirst(4))" + (sun["mass"] == nil ? "" : " 1")
        }
        return word
      }
    }

    @Test("Objects that move in one copy of a list take all that is known of them along")
    func moving() async throws {
      try await publishPlaces(["a", "b", "c"])
      try await scenario.edit(Self.places) { $0["places"].elements.swapAt(0, 1) }
      #expect(words() == ["b b b 1", "a a a 1", "c c c 1"])
      try await scenario.edit(Self.places) { $0["places"].elements.remove(at: 0) }
      #expect(words() == ["a a a 1", "c c c 1"])
      try await scenario.edit(Self.places) { data in
        data["places"].elements.insert(data["places"][0].with(["name": "d"]), at: 0)
      }
      #expect(words() == ["d a", "a a a 1", "c c c 1"], "a new one has what the model says of it")
    }

    @Test("An object that is changed at its place keeps what the model does not select")
    func changing() async throws {
      try await publishPlaces(["a", "b"])
      try await scenario.edit(Self.places) { data in
        data["places"][0]["name"] = "x"
        data["places"][1]["...P"]["sun"]["name"] = "sun y"
      }
      #expect(words() == ["x a a 1", "b b y 1"])
    }

    @Test("An object that is changed so that it looks like another one is still itself")
    func lookingAlike() async throws {
      try await publishPlaces(["a", "b"])
      try await scenario.edit("query A { places { name } }") { $0["places"][1]["name"] = "a" }
      #expect(words() == ["a a a 1", "a b b 1"])
      try await scenario.edit("query A { places { name size } }") { data in
        data["places"].elements.swapAt(0, 1)
        data["places"][1]["name"] = "c"
      }
      #expect(words() == ["a b b 1", "c a"], "the one that was changed and moved is a new one")
    }

    @Test("An object that cannot be told from others has nothing of them")
    func ambiguous() async throws {
      let query = "query A { places { sun { mass } } }"
      try await publishPlaces(["a", "b", "c"])
      try await scenario.edit(query) { $0["places"].elements.remove(at: 0) }
      #expect(words() == ["", ""], "which one of them went?")
      #expect(try await scenario.miss("query A { places { name } }") != nil)
      #expect(try await scenario.read(query).contains(#""mass":1"#))
    }

    @Test("Nulls in lists, and lists in lists, are where the model has them")
    func nested() async throws {
      let query = "query A { grid { id name } words rooms { name } }"
      let human = #"{"__typename":"Human","id":"1","name":"a"}"#
      try await scenario.write(
        query,
        #"{"grid":[[\#(human),null],null,[]],"words":[["x",null],null],"rooms":[[{"__typename":"Moon","name":"m"}],[]]}"#
      )
      try await scenario.write(
        "query A { rooms { name size } }", #"{"rooms":[[{"__typename":"Moon","name":"m","size":3}],[]]}"#)
      try await scenario.edit(query) { data in
        let cell = data["grid"][0][0]
        data["grid"].elements.append(.list([cell.with(["id": "2"]), cell]))
        data["grid"][0].elements.swapAt(0, 1)
        data["words"][0][1] = "y"
        data["rooms"][1].elements.append(data["rooms"][0][0].with(["name": "n"]))
      }
      #expect(
        scenario.value("grid")
          == [[nil, .reference("Human:1")], nil, [], [.reference("Human:2"), .reference("Human:1")]])
      #expect(scenario.value("words") == [["x", "y"], nil])
      #expect(
        scenario.value("rooms")
          == [
            [["__typename": "Moon", "name": "m", "size": 3]], [["__typename": "Moon", "name": "n"]],
          ])
    }

    /// Rows of one place each, with a size.
    private static func rows(_ places: [(name: String, size: Int?)]) -> Record.Value {
      .list(
        places.map { name, size in
          var place: [String: Record.Value] = ["__typename": "Moon", "name": .string(name)]
          if let size { place["size"] = .int(size) }
          return .list([.object(place)])
        })
    }

    private static let rowEdits: [(@Sendable (inout [Tree]) -> Void, [(String, Int?)])] = [
      ({ $0.swapAt(0, 1) }, [("b", 2), ("a", 1), ("c", 3)]),
      ({ $0.remove(at: 0) }, [("b", 2), ("c", 3)]),
      ({ $0.remove(at: 1) }, [("a", 1), ("c", 3)]),
      ({ $0.append(.list([$0[0][0].with(["name": "d"])])) }, [("a", 1), ("b", 2), ("c", 3), ("d", nil)]),
      ({ $0.insert(.list([$0[0][0].with(["name": "d"])]), at: 0) }, [("d", nil), ("a", 1), ("b", 2), ("c", 3)]),
      ({ $0[1][0]["name"] = "d" }, [("a", 1), ("d", 2), ("c", 3)]),
      (
        {
          $0[1][0]["name"] = "x"
          $0.append(.list([$0[0][0].with(["name": "d"])]))
        }, [("a", 1), ("x", 2), ("c", 3), ("d", nil)]
      ),
    ]

    @Test("Lists in a list that move, or follow a removed one, take all that is known of their objects along")
    func movedRows() async throws {
      for (edit, expected) in Self.rowEdits {
        let rows = [("a", 1), ("b", 2), ("c", 3)].map { #"[{"__typename":"Moon","name":"\#($0)","size":\#($1)}]"# }
        try await scenario.write("query A { rooms { name size } }", #"{"rooms":[\#(rows.joined(separator: ","))]}"#)
        try await scenario.edit("query A { rooms { name } }") { edit(&$0["rooms"].elements) }
        #expect(scenario.value("rooms") == Self.rows(expected))
      }
    }

    @Test("However many rows move, each takes what is known of its objects along; of equal rows none does")
    func manyRows() async throws {
      let rows = (0..<200).map { #"[{"__typename":"Moon","name":"m\#($0)","size":\#($0)}]"# }
      try await scenario.write("query A { rooms { name size } }", #"{"rooms":[\#(rows.joined(separator: ","))]}"#)
      try await scenario.edit("query A { rooms { name } }") { $0["rooms"].elements.reverse() }
      #expect(scenario.value("rooms") == Self.rows((0..<200).reversed().map { (index: Int) in ("m\(index)", index) }))
      let equal = [1, 2].map { #"[{"__typename":"Moon","name":"a","size":\#($0)}]"# }
      try await scenario.write("query A { rooms { name size } }", #"{"rooms":[\#(equal.joined(separator: ","))]}"#)
      try await scenario.edit("query A { rooms { name } }") { $0["rooms"].elements.remove(at: 0) }
      #expect(scenario.value("rooms") == Self.rows([("a", nil)]), "which one of them went?")
    }

    @Test("The same edit of two copies of lists in a list succeeds", arguments: [true, false], [true, false])
    func copiesOfRows(isFirst: Bool, changes: Bool) async throws {
      let rows = ["a", "b"].map { #"[{"__typename":"Moon","name":"\#($0)","size":1}]"# }
      try await scenario.write("query A { rooms { name size } }", #"{"rooms":[\#(rows.joined(separator: ","))]}"#)
      let fields = isFirst ? "rooms { name } also: rooms { size }" : "also: rooms { size } rooms { name }"
      try await scenario.edit("query A { \(fields) }") { data in
        for name in ["rooms", "also"] { data[name].elements.remove(at: 0) }
        if changes { data["also"][0][0]["size"] = 7 }
      }
      #expect(scenario.value("rooms") == Self.rows([("b", changes ? 7 : 1)]))
    }

    @Test("The same removal from two copies succeeds also where one of them changes an object as well")
    func changedCopy() async throws {
      try await publishPlaces(["a", "b", "c"])
      try await scenario.edit("query A { places { name } also: places { size } }") { data in
        for name in ["places", "also"] { data[name].elements.remove(at: 0) }
        data["places"][0]["name"] = "x"
      }
      #expect(words() == ["x b b 1", "c c c 1"])
    }

    @Test(
      "The same edit of two copies succeeds, though one of them cannot tell its objects apart",
      arguments: [true, false])
    func copies(isFirst: Bool) async throws {
      try await publishPlaces(["a", "b", "c"])
      let fields =
        isFirst ? "places { sun { mass } } also: places { name }" : "also: places { name } places { sun { mass } }"
      try await scenario.edit("query A { \(fields) }") { data in
        data["places"].elements.remove(at: 0)
        data["also"].elements.remove(at: 0)
      }
      #expect(words() == ["b b b 1", "c c c 1"])
    }

    @Test("What is appended takes nothing from objects that look alike, and neither does a change beside it")
    func appended() async throws {
      try await publishPlaces(["a", "b"])
      let query = "query A { places { sun { mass } } }"
      try await scenario.edit(query) { data in
        data["places"].elements.append(data["places"][0].with(["sun": data["places"][0]["sun"].with(["mass": 2])]))
      }
      #expect(words().prefix(2) == ["a a a 1", "b b b 1"])
      try await publishPlaces(["a", "b"])
      try await scenario.edit(Self.places) { data in
        data["places"].elements.append(data["places"][0].with(["name": "d"]))
        data["places"][0]["name"] = "x"
      }
      #expect(words() == ["x a a 1", "b b b 1", "d a"])
      try await publishPlaces(["a", "b", "c", "d"])
      try await scenario.edit(Self.places) { data in
        data["places"].elements.remove(at: 2)
        data["places"][0]["name"] = "x"
      }
      #expect(words() == ["x a a 1", "b b b 1", "d d d 1"], "what goes from behind moves nothing before it")
      try await scenario.edit(Self.places) { data in
        data["places"].elements.remove(at: 0)
        data["places"][0]["name"] = "y"
      }
      #expect(words() == ["y b", "d d d 1"], "it may be the first one, or another")
    }

    @Test(
      "The same insertion into two copies succeeds, though what is in one of them looks alike",
      arguments: [true, false])
    func insertedCopies(isFirst: Bool) async throws {
      let rows = ["a", "b"].map { #"[{"__typename":"Moon","name":"\#($0)","size":1}]"# }
      try await scenario.write("query A { rooms { name size } }", #"{"rooms":[\#(rows.joined(separator: ","))]}"#)
      let fields = isFirst ? "rooms { name } also: rooms { size }" : "also: rooms { size } rooms { name }"
      try await scenario.edit("query A { \(fields) }") { data in
        data["rooms"].elements.insert(.list([data["rooms"][0][0].with(["name": "d"])]), at: 0)
        data["also"].elements.insert(data["also"][0], at: 0)
      }
      #expect(scenario.value("rooms") == Self.rows([("d", 1), ("a", 1), ("b", 1)]))
    }

    @Test("The first one goes and one comes, in two copies of which one looks as before", arguments: [true, false])
    func nextWindow(isFirst: Bool) async throws {
      let rows = ["a", "b", "c"].map { #"[{"__typename":"Moon","name":"\#($0)","size":1}]"# }
      try await scenario.write("query A { rooms { name size } }", #"{"rooms":[\#(rows.joined(separator: ","))]}"#)
      let fields = isFirst ? "rooms { name } also: rooms { size }" : "also: rooms { size } rooms { name }"
      try await scenario.edit("query A { \(fields) }") { data in
        for name in ["rooms", "also"] { data[name].elements.removeFirst() }
        data["rooms"].elements.append(.list([data["rooms"][0][0].with(["name": "d"])]))
        data["also"].elements.append(data["also"][0])
      }
      #expect(scenario.value("rooms") == Self.rows([("b", 1), ("c", 1), ("d", 1)]))
      try await publishPlaces(["a", "b", "c"])
      let places =
        isFirst ? "places { name } also: places { sun { mass } }" : "also: places { sun { mass } } places { name }"
      try await scenario.edit("query A { \(places) }") { data in
        for name in ["places", "also"] { data[name].elements.removeFirst() }
        data["places"].elements.append(data["places"][0].with(["name": "d"]))
        data["also"].elements.append(data["also"][0])
      }
      #expect(words().prefix(2) == ["b b b 1", "c c c 1"])
      #expect(try await scenario.miss("query A { also: places { sun { mass } } }") == nil)
    }

    @Test("The same move in two copies succeeds, though some of one copy look alike", arguments: [true, false])
    func movedCopies(isFirst: Bool) async throws {
      let places = [("a", 1), ("b", 1), ("c", 2)].map { #"{"__typename":"Moon","name":"\#($0)","size":\#($1)}"# }
      let fields = isFirst ? "{ name } also: places { size }" : "{ size } also: places { name }"
      func publish() async throws {
        try await scenario.write("query A { places { name size } }", #"{"places":[\#(places.joined(separator: ","))]}"#)
      }
      try await publish()
      try await scenario.edit("query A { places \(fields) }") { data in
        for name in ["places", "also"] { data[name].elements.insert(data[name].elements.removeLast(), at: 0) }
      }
      func moons(_ moons: [(String?, Int)]) -> Record.Value {
        .list(
          moons.map { name, size in
            var moon: [String: Record.Value] = ["__typename": "Moon", "size": .int(size)]
            if let name { moon["name"] = .string(name) }
            return .object(moon)
          })
      }
      #expect(scenario.value("places") == moons([("c", 2), ("a", 1), ("b", 1)]))
      try await publish()
      try await scenario.edit("query A { places { size } }") { data in
        data["places"].elements.insert(data["places"].elements.removeLast(), at: 0)
      }
      #expect(scenario.value("places") == moons([("c", 2), (nil, 1), (nil, 1)]), "which of them is which?")
    }

    @Test("An object of another type has nothing of the one before")
    func types() async throws {
      let query = "query A { place { name sun { name } } }"
      try await scenario.write(
        "query A { place { name size sun { name mass } } }",
        #"{"place":{"__typename":"Planet","name":"a","size":1,"sun":{"__typename":"Star","name":"s","mass":2}}}"#)
      try await scenario.edit(query) { $0["place"]["name"] = "b" }
      #expect(
        scenario.value("place")
          == ["__typename": "Planet", "name": "b", "size": 1, "sun": ["__typename": "Star", "name": "s", "mass": 2]])
      try await scenario.edit(query) { data in
        data["place"]["__typename"] = "Moon"
        data["place"]["name"] = "c"
      }
      #expect(
        scenario.value("place")
          == ["__typename": "Moon", "name": "c", "sun": ["__typename": "Star", "name": "s"]])
      try await scenario.edit(query) { $0["place"] = nil }
      #expect(scenario.value("place") == .null)
    }

    @Test("An object that is null can be given a value")
    func setting() async throws {
      let query = "query A { place { name } places { name } }"
      try await scenario.write(query, #"{"place":null,"places":[{"__typename":"Moon","name":"m"}]}"#)
      try await scenario.edit(query) { $0["place"] = $0["places"][0].with(["name": "n"]) }
      #expect(scenario.value("place") == ["__typename": "Moon", "name": "n"])
      #expect(scenario.value("places") == [["__typename": "Moon", "name": "m"]])
    }

    @Test("An object is changed by the path that leads to it, beside what was not selected")
    func paths() async throws {
      try await publishPlaces(["a", "b"])
      let star = try scenario.prepare("query A { place { name } }")
      #expect(star.values.isEmpty)
      let plan = try #require(First.plan?.steps.first)
      guard case .field(_, _, let nested?) = plan.source else { return }
      First.plan = nested
      try await scenario.store.withinReadWriteTransaction { transaction in
        try transaction.updateObject(ofType: Model<First>.self, withKey: "QUERY_ROOT.places.1") {
          $0.tree["name"] = "x"
        }
        try transaction.updateObject(ofType: Model<First>.self, withKey: "QUERY_ROOT.places.0") { data in
          #expect(data.tree["name"] == "a")
          data.tree["name"] = "y"
        }
      }
      #expect(words() == ["y a a 1", "x b b 1"])
    }

    @Test("A record is an object that was found without its key in the model")
    func referenceWithoutKey() async throws {
      try await scenario.store.publish(records: [
        "QUERY_ROOT": ["place": .reference("here"), "places": [.reference("here"), nil]],
        "here": ["__typename": "Moon", "name": "m", "size": 3],
      ])
      let query = "query A { place { name } places { name } }"
      try await scenario.edit(query) { $0["place"]["name"] = "n" }
      #expect(scenario.value("place") == .reference("here"))
      #expect(scenario.value("name", of: "here") == "n")
      #expect(scenario.value("size", of: "here") == 3)
      try await scenario.edit(query) { $0["places"].elements.swapAt(0, 1) }
      #expect(scenario.value("places") == [nil, .reference("here")])
    }
  }
}
