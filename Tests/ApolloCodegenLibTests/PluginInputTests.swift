import Foundation
import Testing

/// What the build tool plugin tells the tool, in a file that it shares with these tests.
@Suite("The inputs of the build tool plugin") struct PluginInputTests {
  private static let whole = "type Query { hero: Hero } type Hero { id: ID! }"
  private static let more = "extend type Hero @typePolicy(keyFields: \"id\")"

  /// The folder of a package, and of what is beside it. The target is in `package/App`.
  private struct Project {
    let folder: TemporaryFolder

    init(_ files: [String: String], configuration: String?) throws {
      folder = try TemporaryFolder(files)
      try folder.write("query A { hero { id } }", to: "package/App/A.graphql")
      if let configuration { try folder.write(configuration, to: "package/apollo-codegen-config.json") }
    }

    func inputs(dependencies: [String] = []) -> CodegenInputs {
      let url = folder.url
      return CodegenInputs(
        targetName: "App",
        files: folder.files.filter { $0.hasPrefix("package/App/") }.map { url.appendingPathComponent($0) },
        targetFolder: url.appendingPathComponent("package/App"), packageFolder: url.appendingPathComponent("package"),
        dependencyFolders: dependencies.map { url.appendingPathComponent("package/" + $0) })
    }

    /// A path from the package; that of a file beside it from the folder around it.
    func relative(_ path: String) -> String {
      let inFolder = path.components(separatedBy: folder.url.lastPathComponent + "/").last ?? path
      return inFolder.hasPrefix("package/") ? String(inFolder.dropFirst("package/".count)) : inFolder
    }
  }

  @Test(
    "A file that adds to a schema is read beside the schema of the configuration, which may name it as well",
    arguments: [
      #"{ "input": { "schemaSearchPaths": ["schema.graphqls"] } }"#,
      #"{ "input": { "schemaSearchPaths": ["schema.graphqls", "App/more.graphqls"] } }"#, "{}",
    ])
  func addition(configuration: String) throws {
    let project = try Project(
      ["package/schema.graphqls": Self.whole, "package/App/more.graphqls": Self.more], configuration: configuration)
    let inputs = project.inputs()
    #expect(
      inputs.inputArguments.map(project.relative)
        == ["--path", "apollo-codegen-config.json", "--schema-extensions", "App/more.graphqls"])
    #expect(
      Set(inputs.inputFiles.map { project.relative($0.path) })
        == ["App/A.graphql", "schema.graphqls", "App/more.graphqls", "apollo-codegen-config.json"])
  }

  @Test(
    "A whole schema of the target, or of one that it depends on, is the schema",
    arguments: [
      ("App", #"{ "input": { "schemaSearchPaths": ["other.graphqls"] } }"#), ("App", "{}"), ("Core", "{}"),
    ])
  func replacement(target: String, configuration: String) throws {
    let project = try Project(
      ["package/\(target)/a.graphqls": Self.whole, "package/App/more.graphqls": Self.more],
      configuration: configuration)
    let inputs = project.inputs(dependencies: ["Core"])
    let schemas = ["\(target)/a.graphqls", "App/more.graphqls"]
    #expect(
      inputs.inputArguments.map(project.relative) == ["--path", "apollo-codegen-config.json", "--schema"] + schemas)
    #expect(
      Set(inputs.inputFiles.map { project.relative($0.path) })
        == Set(["App/A.graphql", "apollo-codegen-config.json"] + schemas))
  }

  @Test("Without a configuration, there is no other schema to add to")
  func withoutConfiguration() throws {
    let project = try Project(["package/App/more.graphqls": Self.more], configuration: nil)
    #expect(project.inputs().inputArguments.map(project.relative) == ["--schema", "App/more.graphqls"])
    let empty = try Project([:], configuration: nil)
    #expect(empty.inputs().inputArguments.map(empty.relative) == ["--schema", "App/schema.graphqls"])
  }

  @Test(
    "The tool runs after a change of each schema that a search path finds, whatever it is called and wherever it is",
    arguments: [
      ("GraphQL/*.json", "package/GraphQL/api.json", "package/GraphQL/old/api.json"),
      ("schema/*.graphql", "package/schema/api.graphql", "package/schema/inner/api.graphql"),
      ("../shared/*.graphqls", "shared/api.graphqls", "shared/inner/api.graphqls"),
      ("../shared/api.graphqls", "shared/api.graphqls", "shared/other.graphqls"),
      ("schema?/**/api.graphqls", "package/schema1/a/b/api.graphqls", "package/schema1/notes.md"),
      ("schema/**", "package/schema/a/api.sdl", "package/notes.md"),
      ("./schema/a*.graphql?", "package/schema/api.graphqls", "package/schemas/api.graphqls"),
    ])
  func changes(path: String, schema: String, other: String) throws {
    let project = try Project(
      [schema: Self.whole, other: ""], configuration: #"{ "input": { "schemaSearchPaths": ["\#(path)", "!old/**"] } }"#)
    let files = Set(project.inputs().inputFiles.map { project.relative($0.path) })
    #expect(files.contains(project.relative(schema)) && !files.contains(project.relative(other)), "\(files)")
  }

  @Test(
    "The module of the schema's types is called as the tool calls it",
    arguments: [("schemaNamespace", "heroAPI"), ("schemaName", "HeroAPI"), ("schemaName", "heroAPI")])
  func module(key: String, name: String) throws {
    let output = #"{ "schemaTypes": { "path": ".", "moduleType": { "other": {} } }, "operations": OPERATIONS }"#
    func module(_ operations: String) throws -> String? {
      let text = output.replacingOccurrences(of: "OPERATIONS", with: operations)
      return try Project([:], configuration: #"{ "\#(key)": "\#(name)", "output": \#(text) }"#).inputs().schemaModule
    }
    #expect(try module(#"{ "relative": {} }"#) == "HeroAPI")
    #expect(try module(#"{ "inSchemaModule": {} }"#) == nil)
  }
}
