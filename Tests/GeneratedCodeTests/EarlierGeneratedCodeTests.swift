@testable import ApolloAPI
import ApolloCache
import ApolloTestSupport
import EarlierGeneratedCode
import Testing

/// `Tests/EarlierGeneratedCode` says where the code is from.
@Suite("Code that an earlier generator wrote") struct EarlierGeneratedCodeTests {
  /// Reads a response, and writes it; stores it, and reads it from the store; and hashes what was read.
  ///
  /// - Returns: The data.
  @discardableResult
  func run<Query: GraphQLQuery>(_ query: Query, _ data: String) async throws -> Query.Data
  where Query.Data: Hashable & Sendable {
    let model = try read(query, data)
    var writer = __JSONWriter(variables: query.variables)
    model.__write(to: &writer)
    #expect(try read(query, writer.text) == model)
    let store = ApolloStore()
    _ = try await store.write(response: ResponseBytes("{\"data\":\(data)}".utf8), for: query)
    let loaded = try await store.load(query)
    #expect(loaded == model)
    #expect(loaded.hashValue == model.hashValue)
    try await store.withinReadWriteTransaction { try $0.write(data: model, for: query) }
    #expect(try await store.load(query) == model)
    return model
  }

  @Test("Interfaces, fragments and conditions are read, written, stored and hashed")
  func interfaces() async throws {
    let hero = """
      {"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","height":1.5,\
      "friends":[{"__typename":"Human","id":"1000","name":"Luke"},null],\
      "appearsIn":["NEW_HOPE","LATER"],"bornOn":null,"primaryFunction":"Astromech"}}
      """
    var data = try await run(StarWars.HeroDetailsQuery(full: true), hero)
    data.hero?.asDroid?.primaryFunction = "Navigation"
    #expect(data.hero?.asDroid?.primaryFunction == "Navigation")
    #expect(variables(StarWars.HeroDetailsQuery(episode: .empire)) == #"{"episode":"EMPIRE","first":10,"full":false}"#)

    let person = #"{"me":{"__typename":"Person","id":"1","name":"A","friend":null,"both":null,"always":"A"}}"#
    try await run(Conditions.ConditionsQuery(a: false, b: false, c: false), person)
    let pets =
      #"{"me":{"__typename":"Person","id":"1","pets":[{"__typename":"Cat","name":"Tom","meows":true,"owner":null}]}}"#
    try await run(Conditions.PetConditionsQuery(dogs: true, cats: true), pets)
  }

  @Test("Unions, and objects that are told apart by their types, are read, written, stored and hashed")
  func unions() async throws {
    let search = """
      {"search":[{"__typename":"Book","id":"1","name":"Dune","isbn":"2","edition":1,"authors":[]},\
      {"__typename":"Shelf","label":"A"},\
      {"__typename":"Author","id":"3","name":"Frank Herbert","all":[],"books":[]}]}
      """
    let found = try await run(Unions.SearchQuery(), search)
    #expect(found.search[0].asBook?.isbn == "2" && found.search[1].asShelf?.label == "A")
    try await run(Keys.ResultsQuery(), #"{"results":[{"__typename":"Room","id":"1","door":2},{"__typename":"Dust"}]}"#)
  }

  @Test("Models that are made in code go into the cache, as they did")
  func initializers() async throws {
    let store = ApolloStore(), mutation = Mutable.EditListLocalCacheMutation(id: "1")
    let owner = Mutable.EditListLocalCacheMutation.Data.List.Owner(
      name: "Ann", asPerson: .init(name: "Ann", mail: "a@example.com"), __typename: "Person")
    let list = Mutable.EditListLocalCacheMutation.Data.List(
      id: "1", title: "old", items: [.init(id: "a", text: "milk", isDone: false)], owner: owner)
    try await store.withinReadWriteTransaction { try $0.write(data: .init(list: list), for: mutation) }
    try await store.withinReadWriteTransaction { try $0.update(mutation) { $0.list?.items[0].isDone = true } }
    let loaded = try await store.load(Mutable.TodoListQuery(id: "1"))
    #expect(loaded.list?.items.map(\.isDone) == [true])
    #expect(Mutable.TodoListQuery.Data.List.Owner().__typename == "Owner", "the default of that version")
  }

  @Test("Deferred fragments, pages, local fields and names of releases 0.x are read, written, stored and hashed")
  func others() async throws {
    try await run(
      Deferred.DeferredHeroQuery(),
      """
      {"hero":{"__typename":"Droid","id":"1","name":"R2-D2","details":{"__typename":"Details","biography":"b","born":1},\
      "primaryFunction":"Astromech","friends":[]}}
      """)
    let page = """
      {"hero":{"__typename":"Character","id":"1","name":"Luke","friends":{"__typename":"FriendsConnection",\
      "totalCount":1,"nodes":[{"__typename":"Character","id":"2","name":"Leia"}],"pageInfo":{"__typename":"PageInfo",\
      "hasNextPage":false,"hasPreviousPage":false,"startCursor":"a","endCursor":"a"}}}}
      """
    try await run(Pages.ListedFriendsQuery(id: "1", first: 1), page)
    let me = #"{"me":{"__typename":"User","id":"1","name":"Ann"}}"#
    #expect(try read(Local.MeQuery(), me).me?.userRow.name == "Ann")
    try await run(SearchWorksByIdQuery(), #"{"worksByID":{"__typename":"Work","id":"1"}}"#)
  }

  @Test("Mocks make models")
  func mocks() throws {
    let human = Mock<Human>(
      name: "Luke", friends: [Mock<Droid>(name: "R2-D2")], bornOn: "1951-09-25",
      homePlanet: Mock<Planet>(name: "Tatooine"))
    let query = StarWars.HeroDetailsQuery()
    let data = try StarWars.HeroDetailsQuery.Data.from(Mock<Query>(hero: human), withVariables: query.variables)
    #expect(data.hero?.bornOn == "1951-09-25" && data.hero?.humanCard?.homePlanet?.name == "Tatooine")
    #expect(data.hero?.friends?.map(\.?.name) == ["R2-D2"])
  }
}
