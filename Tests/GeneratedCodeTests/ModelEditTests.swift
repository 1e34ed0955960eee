import ApolloAPI
import ApolloCache
import Fixture0001
import Fixture0003
import Fixture0020
import Testing

@Suite("Edits of generated structs") struct ModelEditTests {
  let store = ApolloStore()
  let query = HeroDetailsQuery(full: true)

  init() async throws {
    let luke = #"{"__typename":"Human","id":"1000","name":"Luke"}"#,
      leia = #"{"__typename":"Human","id":"1003","name":"Leia"}"#
    let json = """
      {"data":{"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","height":1.5,"friends":[\(luke),\(leia),null],\
      "appearsIn":["NEW_HOPE"],"bornOn":null,"primaryFunction":"Astromech"}}}
      """
    _ = try await store.write(response: ResponseBytes(json.utf8), for: query)
  }

  func update(_ body: @escaping @Sendable (inout HeroDetailsQuery.Data.Hero) -> Void) async throws {
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: query) { data in
        if var hero = data.hero {
          body(&hero)
          data.hero = hero
        }
      }
    }
  }

  @Test("One of several copies is changed, in the object, in a fragment, or below a type condition")
  func copies() async throws {
    try await update { $0.characterCard.name = "Artoo" }
    #expect(try await store.load(query).hero?.name == "Artoo")
    try await update { $0.friends?.swapAt(0, 1) }
    #expect(try await store.load(query).hero?.asDroid?.friends?.map(\.?.name) == ["Leia", "Luke", nil])
    try await update { hero in
      hero.asDroid?.friends?.removeLast()
      hero.asDroid?.primaryFunction = nil
    }
    let hero = try await store.load(query).hero
    #expect(hero?.friends?.map(\.?.name) == ["Leia", "Luke"])
    #expect(hero?.asDroid?.primaryFunction == nil)
    #expect(hero?.name == "Artoo" && hero?.height == 1.5)
  }

  @Test("A field is held once: whichever way it is set, every way to it has the new value")
  func oneField() async throws {
    let ways: [(inout HeroDetailsQuery.Data.Hero, String) -> Void] = [
      { $0.name = $1 }, { $0.characterCard.name = $1 }, { $0.asDroid?.name = $1 },
      { $0.asDroid?.characterCard.name = $1 },
    ]
    for (index, set) in ways.enumerated() {
      var hero = try #require(try await store.load(query).hero)
      set(&hero, "\(index)")
      #expect(
        [hero.name, hero.characterCard.name, hero.asDroid?.name, hero.asDroid?.characterCard.name].allSatisfy {
          $0 == "\(index)"
        })
    }
    var hero = try #require(try await store.load(query).hero)
    hero.height = 3
    #expect(hero.asDroid?.height == 3)
    hero.asDroid?.height = 4
    #expect(hero.height == 4)
  }

  @Test("A field is held once also where fragments below a condition have conditions of their own")
  func nestedConditions() async throws {
    let store = ApolloStore(), query = NestedConditionsQuery(a: false, b: true)
    let me = #"{"__typename":"Person","id":"1","name":"old","nickname":"n"}"#
    _ = try await store.write(response: ResponseBytes(#"{"data":{"me":\#(me)}}"#.utf8), for: query)
    let ways: [(inout NestedConditionsQuery.Data.Me, String) -> Void] = [
      { $0.name = $1 }, { $0.withName?.named?.name = $1 }, { $0.withName?.named = Named(id: "1", name: $1) },
    ]
    for (index, set) in ways.enumerated() {
      var me = try #require(try await store.load(query).me)
      set(&me, "\(index)")
      #expect([me.name, me.withName?.named?.name, me.ifNotA?.named?.name].allSatisfy { $0 == "\(index)" })
    }
  }

  @Test("An error names the members of copies that differ")
  func conflict() async throws {
    let friends = await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
      try await update { hero in
        hero.friends?.removeLast()
        hero.asDroid?.friends = nil
      }
    }
    #expect(friends?.second == ["hero", "asDroid", "friends"])
  }

  @Test("Data that an app has made are written with their type cases, also of a type that the schema does not know")
  func madeByHand() async throws {
    let card = CharacterCard(__typename: "Ewok", id: "9", name: "Wicket", appearsIn: [.init(.jedi)], bornOn: nil)
    let hero = HeroDetailsQuery.Data.Hero(
      friends: [], characterCard: card,
      asDroid: .init(characterCard: card, friends: [], primaryFunction: "spear"))
    try await store.withinReadWriteTransaction { try $0.write(data: .init(hero: hero), for: HeroDetailsQuery()) }
    #expect(
      store.dump().contains(
        """
        Ewok:9
          __typename: "Ewok"
          appearsIn: ["JEDI"]
          bornOn: null
          friends(first:10): []
          id: "9"
          name: "Wicket"
          primaryFunction: "spear"
        """), "\(store.dump())")
  }

  @Test("A deferred fragment is changed where it is there, and left out where it is not")
  func deferred() async throws {
    let store = ApolloStore(), query = DeferredHeroQuery()
    let hero = #"{"__typename":"Droid","id":"1","name":"n","friends":[],"primaryFunction":"p"}"#
    _ = try await store.write(
      response: ResponseBytes(#"{"@defer":"pending","data":{"hero":\#(hero)}}"#.utf8), for: query)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: query) { data in
        #expect(data.hero?.heroDetails == .pending)
        guard case .ready(var droid)? = data.hero?.asDroid else { return }
        droid.primaryFunction = "q"
        data.hero?.asDroid = .ready(droid)
      }
    }
    let read = try await store.load(query).hero
    #expect(read?.asDroid.primaryFunction == "q")
    #expect(read?.heroDetails == .pending)
    #expect(!store.dump().contains("@defer"))
  }
}
