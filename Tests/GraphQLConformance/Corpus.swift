import Foundation
import GraphQLExecution
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

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

  /// The edition of the specification that the release implements, or the one after it.
  var edition: Schema.Edition { isRelease16 || name.hasPrefix("graphql-js-17.0") ? .september2025 : .draft }

  /// Whether offsets and columns count the units of UTF-16. Otherwise they count Unicode scalars.
  var countsUTF16: Bool { name.hasPrefix("graphql-js") }

  private var isRelease16: Bool { name.hasPrefix("graphql-js-16") }

  /// The options that understand everything that the release does, because recordings use some of it without saying so.
  var parserOptions: Parser.Options {
    var options = Parser.Options()
    options.allowsEmptySelectionSets = edition == .draft
    if edition == .draft { options.maximumDepth = 200 }
    return options
  }

  /// The options with which the release validates, without rules.
  func validatorOptions(of record: Record) -> Validator.Options {
    let recorded = record.options
    var options = Validator.Options()
    options.severities = [:]
    options.maximumDiagnostics = recorded["maxErrors"] as? Int ?? options.maximumDiagnostics
    options.allowsEmptySelectionSets = recorded["allowEmptySelectionSets"] as? Bool ?? (edition == .draft)
    options.comparesFragmentVariablesByValue = edition != .draft
    if edition == .draft { options.maximumDepth = 200 }
    return options
  }

  /// The limits that a request was recorded with.
  func requestLimits(of record: Record) -> RequestLimits {
    let options = parserOptions(of: record)
    var limits = RequestLimits()
    limits.maximumTokens = options.maximumTokens ?? limits.maximumTokens
    limits.maximumComments = options.maximumComments
    limits.maximumLength = options.maximumLength
    limits.maximumDepth = options.maximumDepth
    return limits
  }

  /// Where something is, as the release counts columns.
  func place(of offset: UInt32, in source: Source, _ index: LineIndex) -> String {
    let location = index.location(of: offset)
    guard !countsUTF16 else { return "\(location.line):\(location.column)" }
    let line = source.text(from: 0, to: Int(offset)).unicodeScalars
    let start = line.lastIndex { $0 == "\n" || $0 == "\r" }.map { line.index(after: $0) } ?? line.startIndex
    return "\(location.line):\(line[start...].count + 1)"
  }

  /// The options that a call was recorded with.
  func parserOptions(of record: Record) -> Parser.Options {
    var options = parserOptions
    let recorded = record.options
    options.maximumTokens = recorded["maxLexicalTokens"] as? Int ?? recorded["maxTokens"] as? Int
    options.maximumComments = recorded["maxComments"] as? Int
    options.maximumLength = recorded["maxSourceLength"] as? Int
    let proposals = ["experimentalFragmentArguments", "allowLegacyFragmentVariables"]
    options.allowsFragmentArguments = proposals.contains { recorded[$0] as? Bool ?? false }
    options.allowsEmptySelectionSets =
      recorded["allowEmptySelectionSets"] as? Bool ?? options.allowsEmptySelectionSets
    return options
  }

  func schemaText(_ id: String) -> String? { schemaTexts[id] }

  /// The schema with this id. Recorded schemas are taken as they are, defects included.
  func schema(_ id: String) -> Schema? {
    if let schema = schemas[id] { return schema }
    guard let text = schemaTexts[id] else { return nil }
    let schema = buildSchema(text, name: id)
    schemas[id] = schema
    return schema
  }

  /// A schema with the built-in definitions of the release, defects included.
  func buildSchema(_ text: String, name: String = "schema") -> Schema {
    Schema.build(from: [Parser.parse(Source(text, name: name)).value], edition: edition).value
  }
}
