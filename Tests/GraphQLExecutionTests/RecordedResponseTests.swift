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
  /// What the recordings depend on besides schema, document and variables.
  static let unrecorded: Set<String> = [
    // Passes an option that limits the number of errors.
    "Execute: Handles basic execution tasks > uses a different number of max coercion errors",
    // A scalar whose rules are code.
    "Execute: Handles inputs > Handles objects and nullability > using variables > errors on faulty scalar type input",
    // A subscriber that throws.
    "Subscription Initialization Phase > resolves to an error for subscription resolver errors",
  ]

  @Test(
    "Requests that cannot be executed are refused in the words of the reference implementation",
    .enabled(if: Recording.isThere, "the reference material is not there"),
    arguments: ["execute", "executeSync", "subscribe"])
  func refusals(_ name: String) async throws {
    try await compare(name, Recording(release: "16.11.0")) { _, expected in expected["data"] == nil }
  }

  @Test(
    "Introspection answers as the reference implementation does",
    .enabled(if: Recording.isThere, "the reference material is not there"),
    arguments: ["graphqlSync"])
  func introspection(_ name: String) async throws {
    // The release whose built-in definitions are those of the September 2025 specification.
    try await compare(name, Recording(release: "17.0.0-alpha.8")) { document, expected in
      let selections = document.operations.flatMap(\.selectionSet.selections)
      return expected["data"]?.object != nil
        && selections.allSatisfy { if case .field(let field) = $0 { field.name.value.hasPrefix("__") } else { false } }
    }
  }

  private func compare(
    _ name: String, _ recording: Recording, where isCompared: (Document, GraphQLValue) -> Bool
  ) async throws {
    let schemas = try recording.schemas()
    var compared = 0
    for record in try recording.lines(name) {
      guard let id = record["schema"]?.string, let definitions = schemas[id]?.string, var expected = record["result"],
        let document = record["document"]?.string, !Self.unrecorded.contains(record["test"]?.string ?? "")
      else { continue }
      let parsed = Parser.parse(document).value
      guard isCompared(parsed, expected) else { continue }
      let schema = Schema.build(from: [Parser.parse(definitions).value], isLenient: true, edition: .september2025)
      let api = try ExecutableSchema(schema.value)
      var actual = await respond(name, api, document, parsed, record).value
      sortTypes(&actual)
      sortTypes(&expected)
      compared += 1
      #expect(actual == expected, "\(record["test"] ?? .null): \(document)")
    }
    #expect(compared > 0)
  }

  /// Asks the entry point that the recording is of.
  private func respond(
    _ name: String, _ api: ExecutableSchema, _ text: String, _ document: Document, _ record: GraphQLValue
  ) async -> ExecutionResult {
    let operationName = record["operationName"]?.string
    let variables = record["variables"]?.object ?? [:]
    switch name {
    case "graphqlSync":
      let request = ExecutionRequest(query: text, operationName: operationName, variables: variables)
      guard case .result(let result) = await api.respond(to: request) else { return ExecutionResult(data: nil) }
      return result
    case "subscribe":
      do throws(RequestError) {
        _ = try await api.subscribe(document, operationName: operationName, variables: variables)
        return ExecutionResult(data: nil)
      } catch {
        return ExecutionResult(error)
      }
    default:
      return await api.execute(document, operationName: operationName, variables: variables)
    }
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

/// The cases of one release of the reference implementation.
private struct Recording {
  let release: String

  /// Beside the package, or where `APOLLO_SHARED` says.
  private static let shared: String =
    if let path = getenv("APOLLO_SHARED") {
      String(cString: path)
    } else {
      #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/../shared"
    }

  static var isThere: Bool { (try? Recording(release: "16.11.0").schemas()) != nil }

  func schemas() throws -> GraphQLValue { try GraphQLValue(json: try bytes(of: "schemas.json")) }

  func lines(_ name: String) throws -> [GraphQLValue] {
    try bytes(of: name + ".jsonl").split(separator: UInt8(ascii: "\n")).map { try GraphQLValue(json: $0) }
  }

  private func bytes(of name: String) throws -> [UInt8] {
    struct Unreadable: Error { var path: String }
    let path = "\(Self.shared)/conformance/graphql-js-\(release)/\(name)"
    guard let file = fopen(path, "rb") else { throw Unreadable(path: path) }
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
