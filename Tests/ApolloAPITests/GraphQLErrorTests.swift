@testable import ApolloAPI
import StyledTests
import Testing

@Suite("Errors of a response", .everyStyle)
struct GraphQLErrorTests {
  private func error(_ members: String) throws -> GraphQLError {
    let value = try ResponseReader.jsonValue(ResponseBytes(Array(#"{"message":"m",\#(members)}"#.restyled.utf8)))
    return GraphQLError(try #require(value as? JSONObject))
  }

  @Test("A path of names and indices is read, however its numbers are spelled")
  func path() throws {
    #expect(try error(#""path":["hero","friends",1,"name"]"#).path == ["hero", "friends", 1, "name"])
    #expect(try error(#""path":["a",1.0,10e-1,1e0,0]"#).path == ["a", 1, 1, 1, 0])
    #expect(try error(#""path":[]"#).path == [])
    #expect(try error(#""path":null"#).path == nil)
    #expect(try error(#""x":1"#).path == nil)
  }

  @Test(
    "A path with anything else, anywhere, is none: what is left would be the path of another field",
    arguments: ["null", "true", "1.5", "-1", "99999999999999999999", "{}", "[]", #"["a"]"#])
  func malformedPath(_ component: String) throws {
    for position in 0...3 {
      var components = [#""hero""#, "0", #""name""#]
      components.insert(component, at: position)
      let error = try error(#""path":[\#(components.joined(separator: ","))]"#)
      #expect(error.path == nil, "\(components)")
      #expect(error["path"] != nil, "what the server sent is still there")
    }
    if !component.hasPrefix("[") { #expect(try error(#""path":\#(component)"#).path == nil) }
  }

  @Test("An error that is not an object has its JSON as its message; null has none")
  func otherKinds() throws {
    let text = #"[null,[],["a",{"b":[1,null]}],true,7,"m",{"message":null}]"#
    let errors = try #require(GraphQLError.list(try ResponseReader.jsonValue(ResponseBytes(text.restyled.utf8))))
    let unknown = "GraphQL Error"
    #expect(
      errors.map(\.description) == [unknown, "[]", #"["a",{"b":[1,null]}]"#, "true", "7", "m", unknown])
    #expect(errors[0].message == nil)
  }

  @Test(
    "A response with neither data nor errors is an error",
    arguments: [#"{"errors":[]}"#, #"{"errors":null}"#, "{}", #"{"errors":[],"extensions":{"a":1}}"#])
  func empty(_ text: String) throws {
    let bytes = ResponseBytes(text.restyled.utf8)
    for rootKey in [nil, "QUERY_ROOT"] {
      let error = #expect(throws: ResponseDecodingError.self) {
        try ResponseReader.read(
          NumberTests.One<Int>.self, from: bytes, variables: .none, rootKey: rootKey)
      }
      #expect(error?.reason == .missingValue)
    }
    let null = ResponseBytes(#"{"errors":[],"data":null}"#.restyled.utf8)
    #expect(try ResponseReader.read(NumberTests.One<Int>.self, from: null).errors?.isEmpty == true)
  }

  @Test("Locations are all there, or none")
  func locations() throws {
    let first = #"{"line":1,"column":2}"#
    #expect(try error(#""locations":[\#(first),{"line":3.0,"column":4}]"#).locations?.map(\.line) == [1, 3])
    for malformed in [
      "null", "1", #"{"line":1}"#, #"{"column":1}"#, #"{"line":"1","column":2}"#, #"{"line":1.5,"column":2}"#,
    ] {
      #expect(try error(#""locations":[\#(malformed)]"#).locations == nil, "\(malformed)")
      #expect(try error(#""locations":[\#(first),\#(malformed)]"#).locations == nil, "\(malformed)")
    }
    #expect(try error(#""locations":[]"#).locations == [])
    #expect(try error(#""locations":{"line":1,"column":2}"#).locations == nil)
  }
}
