import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import Testing

@Suite("Values of variables in large numbers")
struct InputLimitTests {
  @Test("After so many defects the rest of a value is not looked at, nor compared with hundreds of names")
  func manyDefects() async throws {
    let values = (0..<600).map { "VALUE_OF_SOME_LENGTH_\($0)" }.joined(separator: " ")
    let api = try makeAPI("type Query { a(e: [E], i: [I]): Int } enum E { \(values) } input I { e: E }")
    let wrong = GraphQLValue.list((0..<20_000).map { .string("VALUE_OF_NO_LENGTH_\($0)") })
    let enums = try await api.run("query ($e: [E]) { a(e: $e) }", variables: ["e": wrong])
    #expect(enums.messages.count == 51)
    #expect(enums.messages.last?.hasPrefix("Too many errors processing variables") == true)
    let names = GraphQLValue.Object((0..<20_000).map { ("e\($0)", GraphQLValue.null) })
    let objects = try await api.run("query ($i: [I]) { a(i: $i) }", variables: ["i": [.object(names)]])
    #expect(objects.messages.count == 51)
  }

  @Test("Members of an object, and strings, differ if their code points differ", arguments: [0, 20])
  func codePoints(others: Int) throws {
    var object = GraphQLValue.Object((0..<others).map { ("key\($0)", GraphQLValue.null) })
    object["caf\u{e9}"] = 1
    object["cafe\u{301}"] = 2
    #expect(object.count == others + 2)
    #expect(object["caf\u{e9}"] == 1 && object["cafe\u{301}"] == 2)
    #expect(try GraphQLValue(json: GraphQLValue.object(object).json) == .object(object))
    object["caf\u{e9}"] = nil
    #expect(object.count == others + 1 && object["cafe\u{301}"] == 2)
    #expect(GraphQLValue.string("caf\u{e9}") != .string("cafe\u{301}"))
    #expect(GraphQLValue.string("caf\u{e9}") == .string("caf\u{e9}"))
  }
}
