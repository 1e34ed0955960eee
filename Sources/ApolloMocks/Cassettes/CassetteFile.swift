import ApolloDigest
import Foundation
import GraphQLExecution
import GraphQLJSON

/// An answer on a cassette.
struct CassetteEntry: Sendable {
  struct Operation: Sendable {
    var name: String
    /// SHA-256 of the document, to notice that it has changed; nil if only an identifier was sent.
    var documentHash: String?
    var variables: GraphQLValue

    /// What an operation is found by.
    var key: String { name + variables.canonicalText }
  }

  struct Part: Sendable {
    /// Seconds since the part before.
    var delay: Double
    var body: String
  }

  /// One, or several of a batch.
  var operations: [Operation]
  var at: Date
  var status: Int
  var headers: [String: String]
  var parts: [Part]

  static func hash(_ document: String) -> String { SHA256.hexadecimal(document) }
}

/// The format of cassettes: `{"format": "apollo-cassette", "version": 1, "entries": […]}`.
enum CassetteFile {
  private static let format = "apollo-cassette", version = 1

  static func read(_ file: URL) throws(CassetteError) -> [CassetteEntry] {
    let value: GraphQLValue
    do {
      value = try GraphQLValue(json: Array(try Data(contentsOf: file)))
    } catch let error as JSONSyntaxError {
      throw CassetteError("\(file.path) is not a cassette: \(error)")
    } catch {
      throw CassetteError("\(file.path) cannot be read. To record it: APOLLO_RECORD=1 swift test. \(error)")
    }
    guard value["format"]?.string == format else {
      throw CassetteError("\(file.path) is not a cassette: its \"format\" is not \"\(format)\".")
    }
    guard value["version"]?.int == version else {
      throw CassetteError(
        "\(file.path) is a cassette of version \(value["version"]?.text ?? "unknown"), and this library reads version "
          + "\(version).")
    }
    guard let entries = value["entries"]?.list else { throw CassetteError("\(file.path) has no list \"entries\".") }
    var read: [CassetteEntry] = []
    for (index, entry) in entries.enumerated() {
      guard let entry = CassetteEntry(entry) else {
        throw CassetteError("\(file.path): entry \(index + 1) is not complete.")
      }
      read.append(entry)
    }
    return read
  }

  static func write(_ entries: [CassetteEntry], to file: URL) throws {
    let value: GraphQLValue = [
      "format": .string(format), "version": .int(version), "entries": .list(entries.map(\.value)),
    ]
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Indented, so that a change of it can be read.
    let object = try JSONSerialization.jsonObject(with: Data(value.json))
    let data = try JSONSerialization.data(
      withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    try data.write(to: file, options: .atomic)
  }
}

extension CassetteEntry {
  fileprivate init?(_ value: GraphQLValue) {
    guard let response = value["response"], let status = response["status"]?.int, 100...999 ~= status,
      let parts = response["parts"]?.list, let operations = value["operations"]?.list,
      let at = value["at"]?.string.flatMap(Self.date)
    else { return nil }
    self.status = status
    self.at = at
    self.operations = operations.compactMap { operation in
      operation["operation"]?.string.map {
        Operation(
          name: $0, documentHash: operation["documentHash"]?.string, variables: operation["variables"] ?? [:])
      }
    }
    self.parts = parts.compactMap { part in
      part["body"]?.string.map { Part(delay: part["delay"]?.double ?? 0, body: $0) }
    }
    guard !self.operations.isEmpty, self.operations.count == operations.count, self.parts.count == parts.count else {
      return nil
    }
    headers = [:]
    for (name, value) in response["headers"]?.object ?? [:] { headers[name] = value.string }
  }

  fileprivate var value: GraphQLValue {
    [
      "operations": .list(
        operations.map { operation in
          var value: GraphQLValue = ["operation": .string(operation.name), "variables": operation.variables]
          if let hash = operation.documentHash { value["documentHash"] = .string(hash) }
          return value
        }),
      "at": .string(Self.text(of: at)),
      "response": [
        "status": .int(status),
        "headers": .object(GraphQLValue.Object(headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
        "parts": .list(parts.map { ["delay": .double($0.delay), "body": .string($0.body)] }),
      ],
    ]
  }

  private static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

  private static func text(of date: Date) -> String { date.formatted(.iso8601) }
}
