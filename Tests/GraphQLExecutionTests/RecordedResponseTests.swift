import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Responses of the reference implementation that depend on no resolver: introspection, and requests that are refused
/// before anything is resolved.
@Suite("Recorded responses")
struct RecordedResponseTests {
  @Test(
    "Introspection and refused requests answer as the reference implementation does",
    .enabled(if: Recording.isThere, "The recorded cases are not beside this package."),
    arguments: ["execute", "executeSync", "subscribe"])
  func recordings(_ name: String) async throws {
    let schemas = try Recording.schemas()
    var compared = 0
    for record in try Recording.lines(name) {
      guard let id = record["schema"]?.string, let definitions = schemas[id]?.string, var expected = record["result"],
        let document = record["document"]?.string
      else { continue }
      let parsed = Parser.parse(document)
      guard !parsed.hasErrors, dependsOnNoResolver(parsed.value, expected) else { continue }
      let schema = Schema.build(from: [Source(definitions)], isLenient: true).value
      let api = try ExecutableSchema(schema)
      let variables = record["variables"]?.object ?? [:]
      var actual = await api.execute(
        parsed.value, operationName: record["operationName"]?.string, variables: variables
      ).value
      sortTypes(&actual)
      sortTypes(&expected)
      compared += 1
      #expect(actual == expected, "\(record["test"] ?? .null): \(document)")
    }
    #expect(compared > 0)
  }

  private func dependsOnNoResolver(_ document: Document, _ expected: GraphQLValue) -> Bool {
    if expected["data"] == nil { return true }
    let fields = document.operations.flatMap(\.selectionSet.selections)
    return fields.allSatisfy { if case .field(let field) = $0 { field.name.value.hasPrefix("__") } else { false } }
  }

  /// The specification gives types and directives no order.
  private func sortTypes(_ response: inout GraphQLValue) {
    for key in ["types", "directives"] {
      guard let list = response["data"]?["__schema"]?[key]?.list else { continue }
      response["data"]?["__schema"]?[key] = .list(
        list.sorted { ($0["name"]?.string ?? "") < ($1["name"]?.string ?? "") })
    }
  }
}

private enum Recording {
  /// Beside the package, or where `APOLLO_SHARED` says.
  static let folder: String = {
    let shared: String
    if let path = getenv("APOLLO_SHARED") {
      shared = String(cString: path)
    } else {
      shared = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/../shared"
    }
    return shared + "/conformance/graphql-js-16.11.0/"
  }()

  static var isThere: Bool { (try? schemas()) != nil }

  static func schemas() throws -> GraphQLValue { try GraphQLValue(json: try bytes(of: "schemas.json")) }

  static func lines(_ name: String) throws -> [GraphQLValue] {
    try bytes(of: name + ".jsonl").split(separator: UInt8(ascii: "\n")).map { try GraphQLValue(json: $0) }
  }

  private static func bytes(of name: String) throws -> [UInt8] {
    struct Unreadable: Error { var path: String }
    guard let file = fopen(folder + name, "rb") else { throw Unreadable(path: folder + name) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
    }
  }
}
