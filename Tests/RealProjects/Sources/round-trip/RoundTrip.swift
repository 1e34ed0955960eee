import Apollo
import ApolloCodegenLib
import Foundation
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// Executes operations against their schemas, reads the responses with generated code, writes what was read, and compares
/// it with the responses.
@main struct RoundTrip {
  static func main() async throws {
    let seeds = CommandLine.arguments.count > 1 ? UInt64(CommandLine.arguments[1]) ?? 20 : 20
    var failures: [String] = []
    var total = 0
    for (name, folder, operations) in projects {
      let schema = try schema(in: URL(fileURLWithPath: folder))
      var responses = 0
      var bytes = 0
      for seed in 0..<seeds {
        let server = try RandomServer(schema, seed: seed)
        for operation in operations {
          do {
            bytes += try await check(operation, server: server, seed: seed)
            responses += 1
          } catch {
            failures.append("\(name) \(operation.operationName) seed \(seed): \(error)")
          }
        }
      }
      total += operations.count
      print("\(name): \(operations.count) operations, \(responses) responses, \(bytes) bytes")
    }
    print("\(total) operations, \(failures.count) failures")
    for failure in failures.prefix(20) { print(failure) }
    exit(failures.isEmpty && total > 0 ? 0 : 1)
  }

  private static func schema(in folder: URL) throws -> Schema {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("schema.") || $0.hasSuffix(".graphqls") }
    let sources = try names.map { name in
      Source(utf8: try Data(contentsOf: folder.appendingPathComponent(name)), name: name)
    }
    guard let schema = Pipeline.schema(from: sources).value else { throw Mismatch("The schema cannot be read.") }
    return schema.value
  }

  /// The size of the response.
  private static func check<Operation: GraphQLOperation>(
    _ operation: Operation.Type, server: RandomServer, seed: UInt64
  ) async throws -> Int {
    let document = Parser.parse(Operation.operationDocument.text, name: Operation.operationName).value
    guard let definition = Array(document.operations).first else { throw Mismatch("The document has no operation.") }
    let values = server.variables(for: definition, seed: seed)
    let result = await server.api.execute(document, variables: values)
    guard result.errors.isEmpty, result.data?.isNull == false else { throw Mismatch("\(result.errors)") }
    let response = result.json

    let variables = Variables(values.mapValues(\.json))
    let read = try ResponseReader.read(Operation.Data.self, from: ResponseBytes(response), variables: variables)
    guard let data = read.data else { throw Mismatch("There are no data.") }
    let json = data.jsonObject(variables: variables)
    let expected = try JSONSerialization.jsonObject(with: Data(response)) as? NSDictionary
    guard let sent = expected.flatMap({ withoutOtherKeys($0["data"] as Any) }) as? NSDictionary else {
      throw Mismatch("The response has no data.")
    }
    let written = withoutOtherKeys(withoutMarks(json)) as? NSDictionary ?? [:]
    guard isSame(sent, written) else { throw Mismatch(firstDifference(sent, written, at: "data")) }
    let again = try Operation.Data(jsonObject: json, variables: variables)
    guard isEqual(again, data) else { throw Mismatch("What was written reads as something else.") }
    return response.count
  }

  private static func firstDifference(_ sent: Any, _ written: Any, at path: String) -> String {
    if let sent = sent as? NSDictionary, let written = written as? NSDictionary {
      for key in Set(sent.allKeys.compactMap { $0 as? String } + written.allKeys.compactMap { $0 as? String }).sorted()
      {
        let place = path + "." + key
        guard let left = sent[key] else { return "\(place) was written, but not sent" }
        guard let right = written[key] else { return "\(place) was sent, but not written" }
        if !isSame(left, right) { return firstDifference(left, right, at: place) }
      }
    }
    if let sent = sent as? [Any], let written = written as? [Any], sent.count == written.count {
      for (index, (left, right)) in zip(sent, written).enumerated() where !isSame(left, right) {
        return firstDifference(left, right, at: "\(path)[\(index)]")
      }
    }
    return "\(path) was \(sent), but \(written) was written"
  }

  /// JSON without the marks of deferred fragments, which servers do not send.
  private static func withoutMarks(_ json: Any) -> Any {
    switch json {
    case let object as [String: Any]: object.filter { $0.key != "@defer" }.mapValues(withoutMarks)
    case let list as [Any]: list.map(withoutMarks)
    default: json
    }
  }

  /// JSON without the fields that are selected of all objects because they are the key of some types, and are not a property
  /// of the model: models of the other types do not keep them. Of the operations here, only a fixture has such a field.
  private static func withoutOtherKeys(_ json: Any) -> Any {
    switch json {
    case let object as [String: Any]:
      object.filter { $0.key != "code" || object["__typename"] as? String != "Book" }.mapValues(withoutOtherKeys)
    case let list as [Any]: list.map(withoutOtherKeys)
    default: json
    }
  }

  private static func isSame(_ sent: Any, _ written: Any) -> Bool {
    switch (sent, written) {
    case (let sent as NSDictionary, let written as NSDictionary):
      sent.count == written.count
        && sent.allKeys.allSatisfy { key in
          guard let left = sent[key], let right = written[key] else { return false }
          return isSame(left, right)
        }
    case (let sent as [Any], let written as [Any]):
      sent.count == written.count && zip(sent, written).allSatisfy { isSame($0, $1) }
    // `Int64` is read from a text as well, and is written as a number where JSON has it.
    case (let sent as String, let written as NSNumber): sent == "\(written)"
    default: ([sent] as NSArray).isEqual([written] as NSArray)
    }
  }

  /// Data that hold a scalar which cannot be compared are compared no further.
  private static func isEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return true }
    return left == right
  }
}

struct Mismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension GraphQLValue {
  fileprivate var json: JSONValue {
    switch self {
    case .null, .opaque: JSONNull()
    case .bool(let value): value
    case .int(let value): value
    case .double(let value): value
    case .string(let value): value
    case .list(let values): values.map(\.json)
    case .object(let members): members.mapValues(\.json)
    }
  }
}

extension GraphQLValue.Object {
  fileprivate func mapValues<Result>(_ transform: (GraphQLValue) -> Result) -> [String: Result] {
    Dictionary(uniqueKeysWithValues: map { ($0.key, transform($0.value)) })
  }
}
