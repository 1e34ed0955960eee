import GraphQLExecution
import GraphQLSyntax
import Testing

/// [6.4.4](https://spec.graphql.org/September2025/#sec-Handling-Execution-Errors)
@Suite("Errors in fields")
struct ErrorTests {
  let api: ExecutableSchema

  init() throws {
    let fail: ExecutableSchema.Resolver = { _ in throw ExecutionError("bad") }
    api = try makeAPI(
      """
      type Query { ok: String, fails: String, failsNonNull: String!, node: Node, nodeNonNull: Node!
        list: [Int], ofNonNull: [Int!], nonNullList: [Int]!, nodes: [Node], nodesNonNull: [Node!] }
      type Node { ok: String, fails: String, failsNonNull: String!, node: Node, nodeNonNull: Node! }
      """,
      resolvers: [
        "Query.ok": { _ in "yes" }, "Query.fails": fail, "Query.failsNonNull": fail,
        "Node.ok": { _ in "yes" }, "Node.fails": fail, "Node.failsNonNull": fail,
        "Query.node": { _ in [:] }, "Query.nodeNonNull": { _ in [:] }, "Node.node": { _ in [:] },
        "Node.nodeNonNull": { _ in [:] }, "Query.nodes": { _ in [[:], [:]] },
        "Query.nodesNonNull": { _ in [[:], [:]] },
      ])
  }

  @Test(
    "Null goes up to the nearest place where it may stand",
    arguments: [
      ("{ ok fails }", ["ok": "yes", "fails": nil], ["fails"]),
      ("{ ok failsNonNull }", nil, ["failsNonNull"]),
      ("{ node { ok fails } }", ["node": ["ok": "yes", "fails": nil]], ["node", "fails"]),
      ("{ ok node { ok failsNonNull } }", ["ok": "yes", "node": nil], ["node", "failsNonNull"]),
      ("{ ok nodeNonNull { failsNonNull } }", nil, ["nodeNonNull", "failsNonNull"]),
      (
        "{ node { node { nodeNonNull { n: nodeNonNull { f: failsNonNull } } } } }", ["node": ["node": nil]],
        ["node", "node", "nodeNonNull", "n", "f"]
      ),
    ] as [(String, GraphQLValue, [ExecutionError.PathElement])])
  func propagation(_ query: String, _ data: GraphQLValue, _ path: [ExecutionError.PathElement]) async throws {
    let result = try await api.run(query)
    #expect(result.data == data)
    #expect(result.messages == ["bad"])
    #expect(result.errors[0].path == path)
  }

  @Test("Errors in lists name the index, and null goes up as the type allows")
  func lists() async throws {
    let nodes = try await api.run("{ nodes { failsNonNull } }")
    #expect(nodes.data == ["nodes": [nil, nil]])
    #expect(nodes.errors.map(\.path) == [["nodes", 0, "failsNonNull"], ["nodes", 1, "failsNonNull"]])
    #expect(try await api.run("{ nodesNonNull { failsNonNull } }").data == ["nodesNonNull": nil])
  }

  @Test(
    "Null in a list of non-null elements, or for a non-null list, is an error",
    arguments: [
      ("ofNonNull", [1, nil, 2], ["ofNonNull": nil], ["ofNonNull", 1]),
      ("nonNullList", nil, nil, ["nonNullList"]),
    ] as [(String, GraphQLValue, GraphQLValue, [ExecutionError.PathElement])])
  func nonNullLists(
    _ field: String, _ value: GraphQLValue, _ data: GraphQLValue, _ path: [ExecutionError.PathElement]
  ) async throws {
    let result = try await api.run("{ \(field) }", rootValue: .object([field: value]))
    #expect(result.data == data)
    #expect(result.messages == ["Cannot return null for non-nullable field Query.\(field)."])
    #expect(result.errors[0].path == path)
  }

  @Test("An error as a value fails its place alone")
  func errorsAsValues() async throws {
    let result = try await api.run(
      "{ list ok: __typename }", rootValue: ["list": [1, .opaque(ExecutionError("second")), 3]])
    #expect(result.data == ["list": [1, nil, 3], "ok": "Query"])
    #expect(result.messages == ["second"])
    #expect(result.errors[0].path == ["list", 1])
  }

  @Test("An error points at every field that asked for the value, by line and UTF-16 column")
  func locations() async throws {
    let result = try await api.run("{\n  fails\n  ok(x: \"😀\") fails\n}")
    #expect(result.errors[0].locations == [.init(line: 2, column: 3), .init(line: 3, column: 15)])
  }

  @Test("Errors of any type are reported in their own words; extensions are kept")
  func errorTypes() async throws {
    struct Plain: Error, CustomStringConvertible { var description: String { "plain words" } }
    let api = try makeAPI(
      "type Query { plain: Int, extended: Int }",
      resolvers: [
        "Query.plain": { _ in throw Plain() },
        "Query.extended": { _ in throw ExecutionError("no", extensions: ["code": "FORBIDDEN"]) },
      ])
    let result = try await api.run("{ plain extended }")
    #expect(result.messages == ["plain words", "no"])
    #expect(
      result.errors[1].value == [
        "message": "no", "locations": [["line": 1, "column": 9]], "path": ["extended"],
        "extensions": ["code": "FORBIDDEN"],
      ])
  }

  @Test("Errors stand first in the response, in the order of the document")
  func order() async throws {
    let result = try await api.run("{ b: fails node { c: fails } a: fails }")
    #expect(result.errors.map(\.path) == [["b"], ["node", "c"], ["a"]])
    #expect(result.text.hasPrefix("{\"errors\":["))
    #expect(result.text.hasSuffix(#""data":{"b":null,"node":{"c":null},"a":null}}"#))
  }
}
