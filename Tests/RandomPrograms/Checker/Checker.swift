import Apollo
@testable import ApolloAPI
import ApolloCache
import ApolloCodegenLib
import Foundation
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import RandomDocuments

/// Sends responses through the generated code of random documents, and compares each step with a naive evaluation.
///
/// usage: random-checker INPUTS SEEDS [FIRST-SEED]
///
/// What fails is printed with its document and response, and listed in INPUTS/failed.
@main struct Checker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let inputs = URL(fileURLWithPath: arguments[1])
    let count = arguments.count > 2 ? UInt64(arguments[2]) ?? 20 : 20
    let first = arguments.count > 3 ? UInt64(arguments[3]) ?? 0 : 0
    var failed: [String] = [], total = 0, responses = 0
    for (name, operations) in modules {
      let folder = inputs.appendingPathComponent(name)
      let schemas = try Schemas(folder)
      for (index, operation) in operations.enumerated() {
        total += 1
        let other = operations[(index + 1) % operations.count]
        do {
          responses += try await check(operation, beside: other, schemas, first..<first + count)
        } catch {
          failed.append("\(name) \(operation.operationName)")
          if failed.count <= 10 { print("\(name) \(operation.operationName): \(error)\n") }
        }
      }
    }
    try failed.joined(separator: "\n").write(
      to: inputs.appendingPathComponent("failed"), atomically: true, encoding: .utf8)
    print("\(total) operations, \(responses) responses, \(failed.count) operations failed")
    exit(failed.isEmpty && responses > 0 ? 0 : 1)
  }

  /// - Returns: How many responses there were.
  /// - Throws: What is wrong with the smallest response that shows it.
  private static func check<Operation: GraphQLOperation>(
    _ type: Operation.Type, beside other: any GraphQLOperation.Type, _ schemas: Schemas, _ seeds: Range<UInt64>
  ) async throws -> Int {
    var smallest: (size: Int, failure: Mismatch)?
    var responses = 0
    for seed in seeds {
      guard let one = try await Exchange(type, schemas, seed) else { continue }
      responses += 1
      do {
        try one.check()
        try await checkStore(one, beside: other, schemas, seed)
      } catch let error as Mismatch {
        let size = one.response.count
        if size < smallest?.size ?? .max { smallest = (size, Mismatch("\(error)\nseed \(seed)\n\(one.description)")) }
      }
    }
    if let smallest { throw smallest.failure }
    return responses
  }

  private static func checkStore<Operation: GraphQLOperation>(
    _ one: Exchange<Operation>, beside other: any GraphQLOperation.Type, _ schemas: Schemas, _ seed: UInt64
  ) async throws {
    func open<Other: GraphQLOperation>(_ other: Other.Type) async throws {
      guard let two = try await Exchange(other, schemas, seed) else { return }
      try await StoreCheck(one, two).run()
    }
    try await open(other)
  }
}

struct Mismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What the app knows, and what the server knows.
struct Schemas {
  let app: Schema
  private let server: Schema
  private let folder: URL

  init(_ folder: URL) throws {
    self.folder = folder
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
      !$0.hasPrefix("Doc")
    }
    let sources = try files.map {
      Source(utf8: try Data(contentsOf: folder.appendingPathComponent($0)), name: $0)
    }
    func schema(_ sources: [Source]) throws -> Schema {
      guard let schema = Pipeline.schema(from: sources).value else { throw Mismatch("The schema cannot be read.") }
      return schema.value
    }
    app = try schema(sources.filter { !$0.name.hasPrefix("later") })
    server = try schema(sources)
  }

  /// The document that an operation was generated from. Its number ends the operation's name.
  func document(of operation: String) throws -> String {
    let number = operation.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
    return try String(
      contentsOf: folder.appendingPathComponent("Doc\(String(number)).graphql"), encoding: .utf8)
  }

  func server(seed: UInt64, failsSometimes: Bool) throws -> ConsistentServer {
    try ConsistentServer(server, seed: seed, failsSometimes: failsSometimes)
  }
}
