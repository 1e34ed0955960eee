@testable import ApolloAPI
import Fixture0001
import StyledTests
import Testing

@Suite("Star Wars", .everyStyle) struct StarWarsTests {
  static let droid = """
    {"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","height":1.5,\
    "friends":[{"__typename":"Human","id":"1000","name":"Luke"},null],\
    "appearsIn":["NEW_HOPE","LATER"],"bornOn":null,"primaryFunction":"Astromech"}}
    """

  @Test("An inline fragment holds the fields of its type and those around it")
  func inlineFragment() throws {
    let hero = try #require(try roundTrip(HeroDetailsQuery(full: true), Self.droid).hero)
    #expect(hero.name == "R2-D2")
    #expect(hero.height == 1.5)
    #expect(hero.friends?.map(\.?.name) == ["Luke", nil])
    #expect(hero.appearsIn == [.newHope, .unknown("LATER")])
    #expect(hero.characterCard.name == hero.fragments.characterCard.name)
    let droid = try #require(hero.asDroid)
    #expect(droid.__typename == "Droid")
    #expect(droid.name == "R2-D2" && droid.height == 1.5)
    #expect(droid.appearsIn.first == .newHope)
    #expect(droid.primaryFunction == "Astromech")
    #expect(droid.friends?.first??.id == "1000")
    #expect(droid.friends?.first??.name == "Luke")
    #expect(hero.humanCard == nil)
  }

  @Test("A fragment on a type is there for objects of that type only")
  func conditionalFragment() throws {
    let human = """
      {"hero":{"__typename":"Human","id":"1000","name":"Luke","friends":null,"appearsIn":[],"bornOn":"1951-09-25",\
      "homePlanet":{"__typename":"Planet","name":"Tatooine"},"mass":77.5,\
      "starships":[{"__typename":"Starship","id":"3003","name":"Shuttle","coordinates":[[1,2.5],[]]}]}}
      """
    let hero = try #require(try roundTrip(HeroDetailsQuery(), human).hero)
    #expect(hero.asDroid == nil)
    #expect(hero.height == nil)
    #expect(hero.bornOn == "1951-09-25")
    let card = try #require(hero.humanCard)
    #expect(card.homePlanet?.name == "Tatooine")
    #expect(card.starships.map(\.coordinates) == [[[1, 2.5], []]])
  }

  @Test("An object of a type that the schema did not have is none of the types it had")
  func unknownType() throws {
    let wookiee = """
      {"hero":{"__typename":"Wookiee","id":"1","name":"Chewbacca","friends":[],"appearsIn":[],"bornOn":null}}
      """
    let hero = try #require(try roundTrip(HeroDetailsQuery(), wookiee).hero)
    #expect(hero.__typename == "Wookiee" && hero.asDroid == nil && hero.humanCard == nil)
  }

  @Test("Fields may come in any order")
  func anyOrder() throws {
    let shuffled = """
      {"hero":{"primaryFunction":"Astromech","bornOn":null,"unknown":{"a":[]},"appearsIn":["NEW_HOPE","LATER"],
      "friends":[{"name":"Luke","__typename":"Human","id":"1000"},null],"height":1.5,"name":"R2-D2","id":"2001",
      "__typename":"Droid"}}
      """
    let query = HeroDetailsQuery(full: true)
    #expect(try read(query, shuffled) == read(query, Self.droid))
    #expect(try read(query, shuffled).hashValue == read(query, Self.droid).hashValue)
  }

  @Test("Models are values: a copy changes alone")
  func values() throws {
    let data = try read(HeroDetailsQuery(full: true), Self.droid)
    var copy = data
    copy.hero?.asDroid?.primaryFunction = "Navigation"
    #expect(copy != data)
    #expect(data.hero?.asDroid?.primaryFunction == "Astromech")
    let hero = HeroDetailsQuery.Data.Hero(
      friends: nil,
      characterCard: CharacterCard(__typename: "Human", id: "1", name: "Leia", appearsIn: [.jedi], bornOn: nil))
    #expect(hero.height == nil && hero.humanCard == nil && hero.id == "1")
  }

  @Test("A missing field is reported with its path")
  func missingField() throws {
    let error = #expect(throws: ResponseDecodingError.self) {
      try read(HeroDetailsQuery(), "{\"hero\":{\"__typename\":\"Human\",\"id\":\"1\",\"name\":null}}")
    }
    #expect(error.map { "\($0)" }?.contains("hero.name") == true)
  }

  @Test("Variables are written in the order of the operation, and absent ones are not")
  func variablesOfQueries() {
    #expect(variables(HeroDetailsQuery()) == #"{"first":10,"full":false}"#)
    #expect(
      variables(HeroDetailsQuery(episode: .empire, first: 3, full: true))
        == #"{"episode":"EMPIRE","first":3,"full":true}"#)
    #expect(variables(HeroDetailsQuery(episode: .null)) == #"{"episode":null,"first":10,"full":false}"#)
    #expect(variables(SearchQuery(skipShips: true)) == #"{"text":"an \"old\" hope","skipShips":true}"#)
  }

  @Test("Input objects leave out what has no value, and defaults of variables are sent")
  func inputObjects() {
    let review = ReviewInput(stars: 5, favoriteColor: .some(ColorInput(red: 1)), tags: .null)
    #expect(
      variables(CreateReviewMutation(episode: .jedi, review: review))
        == #"{"episode":"JEDI","review":{"stars":5,"favoriteColor":{"red":1},"tags":null}}"#)
    #expect(variables(ReviewsQuery()) == #"{"order":{"by":"DATE"}}"#)
    #expect(variables(ReviewsQuery(order: .none)) == #"{"order":{"by":"DATE"}}"#)
    #expect(variables(ReviewsQuery(order: .null)) == #"{"order":null}"#)
    #expect(variables(ReviewAddedSubscription()) == #"{"episode":"EMPIRE"}"#)
    #expect(CreateReviewMutation.operationType == .mutation)
    #expect(ReviewAddedSubscription.operationType == .subscription)
  }

  @Test("Fields of fragments on wider types are a part of the narrower one")
  func siblings() throws {
    let data = """
      {"search":[{"__typename":"Droid","name":"R2-D2","friends":[{"__typename":"Human","id":"1000","name":"Luke"}],\
      "primaryFunction":"Astromech"},{"__typename":"Starship","name":"Shuttle","length":[]}]}
      """
    // Key fields of union members: fragments on them select their own.
    let withKeys = data.replacing(#""Droid","name""#, with: #""Droid","id":"2001","name""#)
    let results = try #require(try roundTrip(SearchQuery(skipShips: false), withKeys).search)
    #expect(results[0].asDroid?.name == "R2-D2")
    #expect(results[0].asDroid?.friends?.first??.asHuman?.name == "Luke")
    #expect(results[0].asCharacter?.name == "R2-D2")
    #expect(results[0].asStarship == nil)
    #expect(results[1].asStarship?.length == [])
    #expect(try read(SearchQuery(skipShips: true), withKeys).search?[1].asStarship == nil)
  }

  @Test("The document that is sent has its fragments")
  func document() {
    #expect(
      HeroDetailsQuery.operationDocument.text.hasSuffix(
        """
        ...HumanCard } }
        fragment CharacterCard on Character { __typename id name appearsIn bornOn }
        fragment HumanCard on Human { __typename id homePlanet { __typename name } mass starships { __typename id name coordinates } }
        """))
  }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String) -> String {
    guard let range = firstRange(of: text) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
