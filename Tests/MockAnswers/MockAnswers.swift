import ApolloMocks
import Foundation

/// Answers operations by a mock of a schema: one request in JSON on each line of the input, one response on each line of the
/// output. Scalars that a mock has no value for are texts.
///
/// usage: mock-answers SEED SCHEMA
@main struct MockAnswers {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let seed = UInt64(arguments[1]) else {
      FileHandle.standardError.write(Data("usage: mock-answers SEED SCHEMA\n".utf8))
      exit(2)
    }
    var schema = try MockSchema(contentsOf: URL(fileURLWithPath: arguments[2]), seed: seed)
    let names = await schema.execute("{ __schema { types { kind name } } }").data?["__schema"]?["types"]?.list ?? []
    let known: Set = [
      "Int", "Float", "String", "Boolean", "ID", "DateTime", "Date", "Time", "URL", "URI", "UUID", "Email", "JSON",
      "Long",
      "BigInt", "Decimal",
    ]
    for type in names where type["kind"] == "SCALAR" {
      guard let name = type["name"]?.string, !known.contains(name) else { continue }
      schema = try schema.scalar(name) { context in .string("\(name) of \(context.coordinate)") }
    }
    while let line = readLine() {
      let response: [UInt8]
      do {
        let result = await schema.respond(to: try ExecutionRequest(json: line.utf8))
        guard case .result(let result) = result else { continue }
        response = result.json
      } catch {
        response = Array(#"{"errors":[{"message":"\#(error)"}]}"#.utf8)
      }
      FileHandle.standardOutput.write(Data(response + [UInt8(ascii: "\n")]))
    }
  }
}
