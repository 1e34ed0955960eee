@testable import ApolloAPI
import ApolloCodegenLib
import ApolloIR
import Foundation
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import RandomDocuments

/// An operation with its variables and the server's answer.
struct PropertyCase {
  var document: String
  var plan: ModelPlan
  var variables: Variables
  /// The operation as a naive client sees it.
  var naive: NaiveOperation
  /// The same operation with other data, and with errors.
  var response, changed, failed: ResponseBytes
  var rootKey: String

  var description: String {
    "\(document)\nvariables \(String(decoding: variables.json, as: UTF8.self))\nresponse \(response.prefix(4000))"
  }
}

/// Makes cases for one schema.
struct CaseMaker {
  let schema: Validated<Schema>
  private let servers: [ConsistentServer]

  /// - Parameter later: What the server's schema has besides: it is newer than the app's.
  init?(schema sources: [Source], later: [Source] = [], seed: UInt64) throws {
    guard let bare = Pipeline.schema(from: sources).value else { return nil }
    let keys = ConsistentServer.keys(for: bare.value)
    let sources = sources + (keys.isEmpty ? [] : [Source(keys, name: "keys.graphqls")])
    guard let schema = Pipeline.schema(from: sources).value,
      let serverSchema = later.isEmpty ? schema : Pipeline.schema(from: sources + later).value
    else { return nil }
    self.schema = schema
    servers = try [(seed, false), (seed &+ 1, false), (seed, true)].map {
      try ConsistentServer(serverSchema.value, seed: $0.0, failsSometimes: $0.1)
    }
  }

  /// - Throws: If the documents are not valid.
  func program(_ sources: [Source]) throws -> Program {
    let document = Pipeline.document(from: sources, schema: schema, configuration: ApolloCodegenConfiguration())
    guard let value = document.value else {
      throw Unexpected(description: document.diagnostics.map(\.message).joined(separator: "\n"))
    }
    return Program(lowering: value, schema: schema.value)
  }

  func make(_ operation: ApolloIR.Operation, of program: Program, seed: UInt64) async throws -> PropertyCase? {
    let text = operation.document.text
    let document = Parser.parse(text, name: operation.name).value
    guard let definition = Array(document.operations).first else { return nil }
    let values = servers[0].variables(of: definition, seed: seed)
    var responses: [ResponseBytes] = []
    for (index, server) in servers.enumerated() {
      let result = await server.api.execute(document, variables: values.sent)
      guard result.errors.isEmpty || index == 2 else { throw Unexpected(description: "\(result.errors)\n\(text)") }
      // Where something failed that may not be null, there are no data at all.
      guard result.data?.isNull == false else { return nil }
      responses.append(ResponseBytes(result.json))
    }
    guard let naive = NaiveOperation(text, schema: schema.value, variables: values.read) else { return nil }
    return PropertyCase(
      document: text, plan: ModelPlanBuilder(program, schema: schema.value).plan(operation.shape),
      variables: Variables(values.read), naive: naive, response: responses[0], changed: responses[1],
      failed: responses[2],
      rootKey: operation.kind == .query ? "QUERY_ROOT" : "MUTATION_ROOT")
  }

  struct Unexpected: Error, CustomStringConvertible {
    var description: String
  }
}

extension Variables {
  /// The variables with their JSON, sorted.
  var members: [(name: String, value: [UInt8])] {
    guard let object = try? JSONMembers(ResponseBytes(json)) else { return [] }
    return object.names.compactMap { name in object.text(of: name).map { (name, Array($0.text.utf8)) } }
  }

  init(_ values: GraphQLValue.Object) {
    var json = Array("{".utf8)
    var members: [Member] = []
    for (name, value) in values {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += Array("\"\(name)\":".utf8)
      let start = json.count
      json += value.json
      members.append((name, start..<json.count))
    }
    self.init(json: json + [UInt8(ascii: "}")], members: members)
  }
}

extension ResponseBytes {
  func prefix(_ length: Int) -> String {
    String(decoding: (0..<Swift.min(length, count)).map { self[$0] }, as: UTF8.self)
  }
}
