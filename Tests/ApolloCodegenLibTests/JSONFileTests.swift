import Foundation
import GraphQLJSON
import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

@Suite("JSON that the generator reads")
struct JSONFileTests {
  private static func message(_ source: Source) -> String? {
    do {
      _ = try JSONFile.read(source)
      return nil
    } catch {
      var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([source]))
      return renderer.render(error.diagnostics)
    }
  }

  @Test("A value that is not JSON is an error at its place")
  func errors() {
    #expect(
      Self.message(Source("{\n  \"a\": 1e}", name: "file.json"))
        == "file.json:2:10: error: Expected a digit, but found \"}\".\n")
    #expect(
      Self.message(Source("[", name: "file.json"))
        == "file.json:1:2: error: Expected a JSON value, but the text ends.\n")
    #expect(
      Self.message(Source(utf8: [0x22, 0xe9, 0x22], name: "latin1.json"))
        == "latin1.json:1:2: error: This byte is not UTF-8, which JSON is written in.\n")
  }

  @Test("A comma before the end of an object or a list is passed over in configurations, with a warning at its place")
  func trailingCommas() throws {
    let source = Source("{\"a\": [1, 2, ] , \"b\": {\"c\": 3\n,},\n}", name: "file.json")
    let parsed = try JSONFile.readWithTrailingCommas(source)
    #expect(parsed.value.object?.map(\.name) == ["a", "b"])
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([source]))
    let message = "warning: Nothing follows this comma. JSON has none there, and other tools refuse it. Remove it.\n"
    #expect(
      renderer.render(parsed.diagnostics)
        == ["1:12", "2:1", "2:3"].map { "file.json:\($0): \(message)" }.joined())
  }

  @Test("Of equal keys of a configuration the last one counts, with a warning at each of the others")
  func repeatedKeys() throws {
    let source = Source("{\"a\": {\"b\": 1},\n \"a\": {\"c\": 1, \"c\": 2, \"c\": 3}}", name: "file.json")
    let parsed = try JSONFile.readWithTrailingCommas(source)
    #expect(parsed.value.text == #"{"a":{"c":3}}"#)
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([source]))
    let message = "has no effect. The same key stands again farther down, and the last one counts.\n"
    #expect(
      renderer.render(parsed.diagnostics)
        == [("1:2", "a"), ("2:8", "c"), ("2:16", "c")].map { "file.json:\($0): warning: \"\($1)\" \(message)" }
        .joined())
    #expect(parsed.diagnostics.allSatisfy { $0.code == .ignoredConfigurationKey })
  }

  @Test(
    "What is wrong in the answer to an introspection query is shown where it stands",
    arguments: [
      (
        #""kind": "OBJECT", "name": "Query", "fields": [{"name": "a", "type": null, "args": []}], "interfaces": []"#,
        "schema.json:2:55: warning: Decorated type deeper than introspection query, or no type at all, at \"Query.a\"."
      ),
      (
        #""kind": "OBJECT", "name": "Query", "fields": [{"name": "a", "args": [], "type": {"kind": "X", "name": "T"}}],"#
          + #" "interfaces": []"#,
        "schema.json:2:111: warning: Invalid or incomplete schema, unknown type: T."
      ),
      (
        #""kind": "ROBOT", "name": "Query""#,
        "schema.json:2:8: warning: Invalid or incomplete introspection result: type \"Query\" has the unknown kind"
      ),
    ])
  func introspection(type: String, message: String) throws {
    let folder = try TemporaryFolder([
      "schema.json": "{\"data\": {\"__schema\": {\"directives\": [], \"types\":\n      [{\(type)}]}}}",
      "A.graphql": "query A { a }",
    ])
    let report = folder.generate { $0.input.schemaSearchPaths = ["schema.json"] }
    // The operation needs it, so there is an error as well.
    #expect(report.hasErrors)
    var renderer = DiagnosticRenderer(.xcode, sources: report.sources)
    let found = renderer.render(report.diagnostics).replacingOccurrences(of: folder.url.path + "/", with: "")
    #expect(found.hasPrefix(message), "\(found)")
  }

  @Test("Introspection and configurations with such strings are read")
  func files() throws {
    let folder = try TemporaryFolder([
      "schema.json": #"""
      {"data": {"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [
        {"kind": "SCALAR", "name": "String", "description": "\ud800\u0041"},
        {"kind": "OBJECT", "name": "Query", "description": "\ud800\n\ud800\"", "interfaces": [], "fields": [
          {"name": "a", "args": [], "isDeprecated": false, "type": {"kind": "SCALAR", "name": "String"}}]}]}}}
      """#,
      "A.graphql": "query A { a }",
    ])
    let report = folder.generate { $0.input.schemaSearchPaths = ["schema.json"] }
    #expect(report.errors(in: folder) == "")
    let (configuration, messages) = ConfigurationTests.read(
      ConfigurationTests.minimal(options: #"{ "customScalars": { "A\ud800\u0041": "B" } }"#))
    #expect(messages == "")
    #expect(configuration?.rendering.customScalars["A\u{fffd}A"] == .init(type: "B"))
  }
}
