import ApolloAPI
import ApolloCodegenLib
import ApolloIR
import Foundation
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// An operation with its variables and the server's answer.
struct PropertyCase {
  var document: String
  var plan: ModelPlan
  var variables: Variables
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

  init?(schema sources: [Source], seed: UInt64) throws {
    guard let bare = Pipeline.schema(from: sources).value,
      let schema = Pipeline.schema(from: sources + Self.keys(for: bare.value)).value
    else { return nil }
    self.schema = schema
    servers = try [(seed, false), (seed &+ 1, false), (seed, true)].map {
      try ConsistentServer(schema.value, seed: $0.0, failsSometimes: $0.1)
    }
  }

  /// Gives every type with an `id` a key, where the schema says nothing of keys.
  private static func keys(for schema: Schema) -> [Source] {
    var text = ""
    for case .object(let object) in schema.allTypes {
      guard let id = object.fields["id"], id.type.isNonNull, schema.type(of: id.type)?.isLeaf == true,
        id.arguments.isEmpty,
        !"\(id.type)".hasPrefix("["), ConsistentServer.keyFields(of: object, schema).isEmpty
      else { continue }
      text += "extend type \(object.name) @typePolicy(keyFields: \"id\")\n"
    }
    return text.isEmpty ? [] : [Source(text, name: "keys.graphqls")]
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
    return PropertyCase(
      document: text, plan: ModelPlanBuilder(program, schema: schema.value).plan(operation.shape),
      variables: Variables(values.read), response: responses[0], changed: responses[1], failed: responses[2],
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
    var ranges: [String: Range<Int>] = [:]
    for (name, value) in values {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += Array("\"\(name)\":".utf8)
      let start = json.count
      json += value.json
      ranges[name] = start..<json.count
    }
    self.init(json: json + [UInt8(ascii: "}")], ranges: ranges)
  }
}

extension ResponseBytes {
  func prefix(_ length: Int) -> String {
    String(decoding: (0..<Swift.min(length, count)).map { self[$0] }, as: UTF8.self)
  }
}
