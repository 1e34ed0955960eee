import ApolloAPI
import Fixture0030
import StyledTests
import Testing

@Suite("What random documents found", .everyStyle) struct FoundTests {
  @Test("A field under a condition is there where a fragment beside it selects it, whatever the condition")
  func besideFragment() throws {
    for isSkipped in [true, false] {
      let query = BesideQuery(v: isSkipped, w: false)
      let code = isSkipped ? #","code":"a""# : ""
      let home = try read(query, #"{"await":{"__typename":"Home","rooms":3\#(code)}}"#).await
      #expect(home?.rooms == 3)
      #expect(home?.roomsFragment.rooms == 3)
      #expect(home?.code == (isSkipped ? "a" : nil))
    }
    let home = try read(BesideQuery(v: false, w: true), #"{"await":{"__typename":"Home","rooms":3,"code":"b"}}"#).await
    #expect(home?.code == "b")
  }

  @Test("A type case hands on fields that are called like words of Swift")
  func keywords() throws {
    let data = #"{"place":{"__typename":"Home","where":"here","is":true,"await":2,"rooms":3},"await":null}"#
    let place = try read(KeywordsQuery(v: true), data).place
    #expect(place?.asHome?.where == "here")
    #expect(place?.asHome?.is == true)
    #expect(place?.asHome?.await == 2)
  }

  @Test("A type case has what a fragment selects on its type")
  func casesOfFragments() throws {
    var data = try read(KeysQuery(), #"{"any":[{"__typename":"Shop","name":"n","short":"n","code":"1"}]}"#)
    #expect(data.any?.first?.asShop?.short == "n")
    data.any?[0].asShop?.short = "m"
    #expect(data.any?.first?.card.asShop?.short == "m")
  }

  @Test("A type case and a fragment in a fragment hold a field once")
  func deepCases() throws {
    var data = try read(DeepKeysQuery(), #"{"any":[{"__typename":"Shop","name":"n","short":"n","code":"1"}]}"#)
    data.any?[0].asShop?.short = "m"
    #expect(data.any?.first?.outer.card.asShop?.short == "m")
    data.any?[0].outer.card.asShop?.short = "k"
    #expect(data.any?.first?.asShop?.short == "k")
  }

  @Test("The part of an object under a condition has the fragments of its fragments behind `fragments`")
  func fragmentsOfParts() throws {
    let query = BesideQuery(v: true, w: true)
    let home = try read(query, #"{"await":{"__typename":"Home","rooms":3,"code":"a"}}"#).await
    #expect(home?.ifW?.fragments.innerCode.code == "a" && home?.ifW?.fragments.rooms.rooms == 3)
  }

  @Test("Aliases of __typename are fields, in any order of members")
  func typename() throws {
    let data = try read(TypenameQuery(), #"{"t":"Query","any":[{"u":"Shop","__typename":"Shop","code":"1"}]}"#)
    #expect(data.t == "Query")
    #expect(data.any?.first?.u == "Shop")
  }
}
