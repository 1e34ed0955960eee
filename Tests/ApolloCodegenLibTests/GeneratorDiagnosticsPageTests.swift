import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// The part of `Docs/diagnostics.md` that is about the generator. The rest is held to the front end by its own tests.
private struct GeneratorPage {
  struct Example {
    var graphQL = ""
    var json: String?
  }

  struct Entry {
    var code: String
    var reported: Example?
    var fine: Example?
  }

  private(set) var entries: [Entry] = []
  private(set) var schema = ""

  init() throws {
    let text = try String(contentsOf: Paths.package.appendingPathComponent("Docs/diagnostics.md"), encoding: .utf8)
    let section = text.components(separatedBy: "\n## Generator\n").dropFirst().first ?? ""
    var isFine = false
    var block: (language: String, lines: [String])?
    for line in section.components(separatedBy: "\n") {
      if line == "```", let (language, lines) = block {
        block = nil
        finish(lines.joined(separator: "\n"), language, isFine: isFine)
      } else if block != nil {
        block?.lines.append(line)
      } else if line.hasPrefix("```") {
        block = (String(line.dropFirst(3)), [])
      } else if line.hasPrefix("### ") {
        entries.append(Entry(code: line.dropFirst(4).filter { $0 != "`" }))
      } else if line == "Reported:" || line == "Fine:" {
        isFine = line == "Fine:"
      }
    }
  }

  private mutating func finish(_ text: String, _ language: String, isFine: Bool) {
    guard !entries.isEmpty else { return schema = text }
    let path = isFine ? \Entry.fine : \Entry.reported
    var example = entries[entries.count - 1][keyPath: path] ?? Example()
    if language == "json" { example.json = text } else { example.graphQL = text }
    entries[entries.count - 1][keyPath: path] = example
  }

  private static let output = """
    { "output": { "schemaTypes": { "path": "out", "moduleType": { "other": {} } }, "operations": { "inSchemaModule": {} } },\n
    """

  /// What the generator says about an example.
  func codes(of example: Example, in entry: String) throws -> Set<String> {
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "out"
    var diagnostics: [Diagnostic] = []
    if var json = example.json {
      if !json.contains("\"output\"") {
        json = json.replacingOccurrences(of: "{ \"schemaN", with: Self.output + "\"schemaN")
      }
      let read = ApolloCodegenConfiguration.read(Source(json, name: "apollo-codegen-config.json"))
      diagnostics += read.diagnostics
      guard let value = read.value else { return Set(diagnostics.map(\.code.rawValue)) }
      configuration = value
    }
    // The schema of the page has no key fields.
    configuration.notesMissingKeyFields = entry == "unkeyed-objects"
    let document = Parser.parse(example.graphQL.isEmpty ? "query Hero { hero { name } }" : example.graphQL).value
    let print = { (isExecutable: Bool) in
      document.definitions.filter { $0.isExecutable == isExecutable }.map { Printer.print($0) }.joined(separator: "\n")
    }
    let folder = try TemporaryFolder([
      "schema.graphqls": schema + "\n" + print(false), "Operations.graphql": print(true),
    ])
    diagnostics += ApolloCodegen(configuration, root: folder.url).generate().diagnostics
    return Set(diagnostics.map(\.code.rawValue))
  }
}

@Suite("Documentation of the generator's diagnostics")
struct GeneratorDiagnosticsPageTests {
  /// What an example in a page cannot show. Other tests do.
  private static let withoutExample: Set<String> = [
    "unreadable-file", "unwritable-file", "foreign-file", "unfit-file", "outside-allowed-folder", "download-failed",
    "unprotected-credentials", "missing-schema", "missing-operations", "empty-file", "invalid-file-name",
    "schema-warnings",
  ]

  @Test("Each code has one entry, and each entry is about a code")
  func complete() throws {
    #expect(try GeneratorPage().entries.map(\.code).sorted() == Diagnostic.Code.generator.map(\.rawValue).sorted())
  }

  @Test("What is shown as reported is reported under its code, and what is shown as fine not at all")
  func examples() throws {
    let page = try GeneratorPage()
    for entry in page.entries where !Self.withoutExample.contains(entry.code) {
      let reported = try #require(entry.reported, "\(entry.code) has no bad example")
      let fine = try #require(entry.fine, "\(entry.code) has no good example")
      #expect(try page.codes(of: reported, in: entry.code).contains(entry.code), "\(entry.code)")
      #expect(try page.codes(of: fine, in: entry.code) == [], "\(entry.code)")
    }
  }
}
