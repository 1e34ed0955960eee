@testable import ApolloAPI
import StyledTests
import Testing

@Suite("Values of variables that are made of a dictionary", .everyStyle)
struct VariableLiteralTests {
  @Test("Nullable values are sent as operations send them, also inside of objects")
  func nullables() {
    let filter: JSONObject = ["name": GraphQLNullable<String>.some("a"), "id": GraphQLNullable<String>.none]
    let variables: Variables = [
      "full": GraphQLNullable<Bool>.some(true), "first": GraphQLNullable<Int>.none,
      "last": GraphQLNullable<Int>.null, "filter": filter, "list": [filter],
    ]
    let text = String(decoding: variables.json, as: UTF8.self)
    #expect(text == #"{"filter":{"name":"a"},"full":true,"last":null,"list":[{"name":"a"}]}"#)
    #expect(variables.failure == nil)
  }

  @Test("A condition goes by a nullable value, too")
  func conditions() throws {
    let full: Variables = ["full": GraphQLNullable<Bool>.some(false)]
    #expect(try ResponseReader.data(HeroQuery.Data.self, droid, full).hero?.height == nil)
    // With the variable the field is selected, and the response lacks it.
    #expect(throws: ResponseDecodingError.self) {
      try ResponseReader.data(HeroQuery.Data.self, droid, ["full": GraphQLNullable<Bool>.some(true)])
    }
  }

  @Test("Each variable is found in the JSON")
  func ranges() {
    let variables = Variables(["b": [1, 2], "a": "text", "c": JSONNull()])
    let values = ["a", "b", "c"].map { variables[$0].map { String(decoding: $0, as: UTF8.self) } }
    #expect(values == [#""text""#, "[1,2]", "null"])
  }
}
