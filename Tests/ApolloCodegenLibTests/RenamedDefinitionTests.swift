import ApolloCodegenLib
import ApolloSwiftRenderer
import Foundation
import GraphQLSyntax
import Testing

@Suite("Operations and fragments whose names meet") struct RenamedDefinitionTests {
  /// The code by the names of the documents, and the warnings about names.
  private static func run(_ documents: [String: String]) throws -> (code: [String: String], warnings: [String]) {
    let schema = "type Query { hero: Hero } type Hero { id: ID!, kind: Kind } enum Kind { A }"
    let folder = try TemporaryFolder(documents.merging(["s.graphqls": schema]) { $1 })
    let report = folder.generate()
    #expect(report.errors(in: folder) == "")
    let warnings = report.diagnostics.filter { $0.code == .renamedDefinition }.map { warning -> String in
      var renderer = DiagnosticRenderer(.xcode, sources: report.sources)
      return renderer.render([warning]).replacingOccurrences(of: folder.url.path + "/", with: "")
    }
    var code: [String: String] = [:]
    for name in documents.keys { code[name] = try folder.text("out/\(name).swift") }
    return (code, warnings)
  }

  @Test(
    "Operations have their names in the order of these, whatever their files are called, and each suffix is a warning",
    arguments: [["1.graphql", "2.graphql", "3.graphql"], ["3.graphql", "2.graphql", "1.graphql"]])
  func operations(files: [String]) throws {
    let (code, warnings) = try Self.run([
      files[0]: "query a { hero { id } }", files[1]: "query AQuery { hero { id } }",
      files[2]: "query A { hero { id } }",
    ])
    #expect(code[files[2]]?.contains("struct AQuery: ") == true, "\(code)")
    #expect(code[files[1]]?.contains("struct AQuery_Operation: ") == true)
    #expect(code[files[0]]?.contains("struct AQuery_Operation2: ") == true)
    #expect(warnings.count == 2)
    for (file, text) in [
      (files[0], "\"a\" is \"AQuery_Operation2\""), (files[1], "\"AQuery\" is \"AQuery_Operation\""),
    ] {
      let warning = "\(file):1:7: warning: The operation \(text) in Swift, because another type has its name."
      #expect(warnings.contains { $0.hasPrefix(warning) }, "\(warnings)")
    }
  }

  @Test(
    "A fragment comes before an operation, and a type of the schema before both",
    arguments: [
      ("query A { hero { ...AQuery } } fragment AQuery on Hero { id }", "operation \"A\" is \"AQuery_Operation\""),
      ("query A { hero { kind ...Kind } } fragment Kind on Hero { id }", "fragment \"Kind\" is \"Kind_Fragment\""),
      ("fragment Type on Hero { id } fragment type on Hero { id }", "fragment \"type\" is \"Type_Fragment2\""),
    ])
  func fragments(document: String, warning: String) throws {
    let (code, warnings) = try Self.run(["A.graphql": document])
    #expect(warnings.count == 1 && warnings.first?.contains("The \(warning) in Swift") == true, "\(warnings)")
    let name = warning.split(separator: "\"").last.map(String.init) ?? ""
    #expect(code["A.graphql"]?.contains("struct \(name): ") == true, "\(code)")
  }

  @Test("The suffix of a name that Swift keeps for itself is not a warning")
  func reserved() throws {
    let (code, warnings) = try Self.run(["A.graphql": "fragment Data on Hero { id } query A { hero { ...Data } }"])
    #expect(code["A.graphql"]?.contains("struct Data_Fragment: ") == true && warnings == [], "\(warnings)")
  }

  @Test(
    "Code writes the type of a scalar with its module, so no type has the name of the module",
    arguments: [
      ("scalar URL", "URL", RenderingOptions.ScalarMapping(type: "URL", module: "Foundation")),
      ("scalar URL", "URL", RenderingOptions.ScalarMapping(type: "Foundation.URL")),
      ("scalar URL", "URL", RenderingOptions.ScalarMapping(type: "[Foundation.URL?]")),
      (#"scalar URL @map(to: "URL", module: "Foundation")"#, "", RenderingOptions.ScalarMapping(type: "")),
      ("scalar URL", "ID", RenderingOptions.ScalarMapping(type: "Foundation.UUID")),
    ])
  func modules(scalar: String, name: String, mapping: RenderingOptions.ScalarMapping) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": """
      type Query { foundations(for: foundation): [Foundation!]! }
      type Foundation { id: ID! site: URL } enum foundation { A } \(scalar)
      """,
      "A.graphql": "query A($f: foundation) { foundations(for: $f) { ...Foundation } }",
      "B.graphql": "fragment Foundation on Foundation { id site }",
    ])
    let report = folder.generate {
      $0.output.moduleType = .other
      if name != "" { $0.rendering.customScalars = [name: mapping] }
    }
    #expect(report.errors(in: folder) == "")
    #expect(report.diagnostics.contains { $0.code == .renamedDefinition })
    #expect(try folder.text("out/Operations/B.graphql.swift").contains("struct Foundation_Fragment: "))
    #expect(try folder.text("out/Schema/Schema.graphql.swift").contains("enum Foundation_Enum: "))
  }

  @Test("Inside of a model, no struct has the name of the module of a scalar")
  func modulesInModels() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { foundation: Foundation } type Foundation { id: ID! }",
      "A.graphql": "query A { foundation { id } }",
    ])
    _ = folder.generate { $0.rendering.customScalars = ["ID": .init(type: "Foundation.UUID")] }
    let text = try folder.text("out/A.graphql.swift")
    #expect(text.contains("var id: Foundation.UUID") && !text.contains("struct Foundation:"), "\(text)")
  }
}
