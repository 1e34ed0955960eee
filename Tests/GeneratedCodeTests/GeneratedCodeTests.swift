import ApolloAPI
import Fixture0001
import Testing

@Suite("Generated code") struct StarWarsTests {
  /// Reads `data`, checks it, and writes it back: that has to give the same JSON.
  func roundTrip<Query: GraphQLOperation>(_ query: Query, _ data: String) throws -> Query.Data {
    let response = try ResponseReader.read(
      Query.Data.self, from: ResponseBytes(Array("{\"data\":\(data)}".utf8)), variables: query.variables)
    let value = try #require(response.data)
    var writer = JSONWriter()
    value.write(to: &writer)
    #expect(writer.text == data)
    return value
  }

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
    #expect(droid.name == "R2-D2")
    #expect(droid.primaryFunction == "Astromech")
    #expect(droid.friends?.first??.id == "1000")
    #expect(hero.humanCard == nil)
  }
}
