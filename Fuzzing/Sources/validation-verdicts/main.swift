import Foundation
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

// Reads lines of JSON, {"schema": INDEX, "document": TEXT}, and answers each with what is wrong with the document:
// {"syntax": true} and the place of the first error, or the places and codes of all validation errors.
//
// usage: validation-verdicts SCHEMA… < documents

struct Verdict: Encodable {
  var syntax: Bool
  /// Of each error, its places as "line:column", sorted.
  var places: [[String]]
  var messages: [String]
}

struct Question: Decodable {
  var schema: Int
  var document: String
}

func loadSchema(_ path: String) throws -> Schema {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  if path.hasSuffix(".json") {
    guard let schema = Schema.build(fromIntrospection: try JSONNode(parsing: data)).value else {
      fatalError("\(path): no schema")
    }
    return schema
  }
  return Schema.build(from: [Source(utf8: data, name: path)]).value
}

func judge(_ question: Question, _ schema: Schema) -> Verdict {
  let source = Source(question.document)
  var parserOptions = Parser.Options()
  parserOptions.allowsEmptySelectionSets = true
  let parsed = Parser.parse(source, options: parserOptions)
  var diagnostics = Array(parsed.diagnostics.prefix(1))
  if diagnostics.isEmpty {
    var options = Validator.Options()
    options.rules.append(.maxIntrospectionDepth)
    options.allowsEmptySelectionSets = true
    diagnostics = Validator.validate(parsed.value, against: schema, options: options).diagnostics
  }
  let index = LineIndex(source)
  let places = diagnostics.map { diagnostic in
    ([diagnostic.span] + diagnostic.labels.map(\.span)).filter { $0.source == source.id }.map { span in
      let location = index.location(of: span.start)
      return "\(location.line):\(location.column)"
    }.sorted()
  }
  return Verdict(syntax: parsed.hasErrors, places: places, messages: diagnostics.map(\.fullMessage))
}

let schemas = try CommandLine.arguments.dropFirst().map(loadSchema)
let encoder = JSONEncoder()
while let line = readLine() {
  let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
  print(String(decoding: try encoder.encode(judge(question, schemas[question.schema])), as: UTF8.self))
}
