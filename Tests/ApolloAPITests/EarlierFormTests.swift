@testable import ApolloAPI
import StyledTests
import Testing

@Suite("Forms of earlier releases, in the types of generated code", .everyStyle)
struct EarlierFormTests {
  @Test("Variables are made of a dictionary literal")
  func literals() throws {
    let object: JSONObject = ["first": 2, "full": false]
    let variables: Variables = ["first": 2, "full": false]
    #expect(variables == Variables(object))
    #expect(variables == HeroQuery().variables)
    let none: Variables = [:]
    #expect(none == Variables.none)
    #expect(try ResponseReader.data(HeroQuery.Data.self, droid, ["full": false]).hero?.height == nil)
    // With the variable the field is selected, and the response lacks it.
    #expect(throws: ResponseDecodingError.self) {
      try ResponseReader.data(HeroQuery.Data.self, droid, ["full": true])
    }
  }

  @Test("An inline fragment is changed in place if the object has it")
  func inlineFragments() throws {
    struct Refusal: Error {}
    var hero = try #require(try ResponseReader.data(HeroQuery.Data.self, droid, HeroQuery().variables).hero)
    let hasChanged = hero.mutateIfFulfilled(\.asDroid) { $0.primaryFunction = "Pilot" }
    #expect(hasChanged)
    #expect(hero.asDroid?.primaryFunction == "Pilot")
    do {
      try hero.mutateIfFulfilled(\.asDroid) { part in
        part.primaryFunction = nil
        throw Refusal()
      }
      Issue.record("The error of the closure is thrown.")
    } catch is Refusal {}
    #expect(hero.asDroid?.primaryFunction == "Pilot")
    hero.asDroid = nil
    let isChanged = hero.mutateIfFulfilled(\.asDroid) { _ in Issue.record("There is no droid to change.") }
    #expect(!isChanged)
    #expect(hero.asDroid == nil)
  }

  @Test("An error in decoding has the members of Apollo iOS 1")
  func errors() {
    let error = #expect(throws: GraphQLExecutionError.self) {
      let json = droid.replacing(#""Luke Skywalker""#, with: "null")
      return try ResponseReader.data(HeroQuery.Data.self, json, HeroQuery().variables)
    }
    #expect(error?.pathString == "hero.friends.0.name")
    let path: ResponsePath = ["hero", "friends", 0, "name"]
    #expect(error?.path == path)
    guard case .nullValue? = error?.underlying as? JSONDecodingError else {
      Issue.record("It is not the error of a null.")
      return
    }
  }
}
