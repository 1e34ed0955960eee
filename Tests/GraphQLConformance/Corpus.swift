import Foundation
import GraphQLExecution
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax

/// A folder of recordings of one release of the reference implementation.
final class Corpus {
  let folder: URL
  private let schemaTexts: [String: String]
  private var schemas: [String: Schema] = [:]

  init(folder: URL) throws {
    self.folder = folder
    let schemas = folder.appendingPathComponent("schemas.json")
    // Kinds that need no schema can be recorded without any.
    guard FileManager.default.fileExists(atPath: schemas.path) else {
      schemaTexts = [:]
      return
    }
    let data = try Data(contentsOf: schemas)
    schemaTexts = try JSONSerialization.jsonObject(with: data) as? [String: String] ?? [:]
  }

  var name: String { folder.lastPathComponent }

  /// The records of one kind, one a line. Lines that no decoder of UTF-8 accepts, as they hold half a surrogate pair,
  /// cannot occur in a Swift string either, and are counted apart.
  func records(_ kind: String) throws -> (records: [Record], unreadable: Int)? {
    let url = folder.appendingPathComponent(kind + ".jsonl")
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    var records: [Record] = []
    var unreadable = 0
    for line in try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) {
      if let fields = try? JSONSerialization.jsonObject(with: line) as? [String: Any] {
        records.append(try Record(fields: fields, value: GraphQLValue(json: line), node: JSONNode(parsing: line)))
      } else {
        unreadable += 1
      }
    }
    return (records, unreadable)
  }

  /// How the release of this corpus prints values.
  var printStyle: Printer.Style { isRelease16 ? .dense : .spaced }

  /// Whether the introspection types and built-in directives are those of the October 2021 specification.
  var hasOlderBuiltIns: Bool { isRelease16 }

  private var isRelease16: Bool { name.hasPrefix("graphql-js-16") }

  func schemaText(_ id: String) -> String? { schemaTexts[id] }

  /// The schema with this id. Recorded schemas are taken as they are, defects included.
  func schema(_ id: String) -> Schema? {
    if let schema = schemas[id] { return schema }
    guard let text = schemaTexts[id] else { return nil }
    let document = Parser.parse(Source(text, name: id), options: .withProposals).value
    let schema = Schema.build(from: [document]).value
    schemas[id] = schema
    return schema
  }
}

extension Parser.Options {
  /// The options with all proposals, because recordings use some without naming them.
  static var withProposals: Parser.Options {
    var options = Parser.Options()
    options.allowsFragmentArguments = true
    return options
  }
}
