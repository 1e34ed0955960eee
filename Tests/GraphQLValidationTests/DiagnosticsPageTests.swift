import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// `Docs/diagnostics.md`, read.
private struct DiagnosticsPage {
  struct Entry {
    var code: String
    var section: String
    var examples: [String] = []
  }

  var entries: [Entry] = []
  /// The schema that the examples of documents are for.
  var schema = ""

  init() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: package.appendingPathComponent("Docs/diagnostics.md"), encoding: .utf8)
    var section = ""
    var example: [Substring]?
    // What is about the generator is held to it by its tests.
    let frontEnd = text.components(separatedBy: "\n## Generator\n")[0]
    for line in frontEnd.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```graphql" {
        example = []
      } else if line == "```", let lines = example {
        finish(lines.joined(separator: "\n"))
        example = nil
      } else if example != nil {
        example?.append(line)
      } else if line.hasPrefix("### ") {
        entries.append(Entry(code: String(line.dropFirst(4).filter { $0 != "`" }), section: section))
      } else if line.hasPrefix("## ") {
        section = String(line.dropFirst(3))
      }
    }
  }

  private mutating func finish(_ example: String) {
    if entries.last?.section != "Documents", schema.isEmpty, example.contains("type Query {\n") {
      schema = example
    } else if !entries.isEmpty {
      entries[entries.count - 1].examples.append(example)
    }
  }

  func codes(of example: String, in section: String) -> Set<String> {
    let source = Source(example)
    let diagnostics: [Diagnostic]
    switch section {
    case "Texts": diagnostics = Parser.parse(source).diagnostics
    case "Schemas": diagnostics = SchemaValidator.validate([source]).diagnostics
    default:
      let schema = Schema.build(from: [Source(schema)]).value
      var options = Validator.Options()
      options.rules += Rule.optional
      diagnostics = Validator.validate(Parser.parse(source).value, against: schema, options: options).diagnostics
    }
    return Set(diagnostics.map(\.code.rawValue))
  }
}

@Suite("Documentation of diagnostics")
struct DiagnosticsPageTests {
  /// What no example in a page can show. Other tests do.
  private static let withoutExample: Set<String> = [
    "invalid-encoding", "nesting-too-deep", "too-many-tokens", "too-many-comments", "source-too-large",
    "mismatched-field-extension", "invalid-introspection",
    "invalid-name",
    "too-many-errors",
  ]

  @Test("Each code has one entry, and each entry is about a code")
  func complete() throws {
    let documented = try DiagnosticsPage().entries.map(\.code)
    let rules = Rule.specified + Rule.incrementalDelivery + Rule.optional + Rule.schemaDocument
    let known =
      Diagnostic.Code.syntax + rules.flatMap(\.codes) + TypeSystemRule.all.flatMap(\.codes) + [
        .invalidIntrospection, .invalidName, .tooManyErrors,
      ]
    #expect(documented.count == Set(documented).count)
    #expect(Set(documented) == Set(known.map(\.rawValue)))
  }

  @Test("The first example of each entry is reported under its code, and the second not at all")
  func examples() throws {
    let page = try DiagnosticsPage()
    for entry in page.entries where !Self.withoutExample.contains(entry.code) {
      guard entry.examples.count == 2 else {
        Issue.record("\(entry.code) has \(entry.examples.count) examples")
        continue
      }
      #expect(page.codes(of: entry.examples[0], in: entry.section).contains(entry.code), "\(entry.code)")
      #expect(page.codes(of: entry.examples[1], in: entry.section) == [], "\(entry.code)")
    }
  }
}
