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

    func inputs(of target: String = "App", dependencies: [String] = []) -> CodegenInputs {
      let url = folder.url, path = "package/" + target
      return CodegenInputs(
        targetName: target,
        files: folder.files.filter { $0.hasPrefix(path + "/") }.map { url.appendingPathComponent($0) },
        targetFolder: url.appendingPathComponent(path), packageFolder: url.appendingPathComponent("package"),
        dependencyFolders: dependencies.map { url.appendingPathComponent("package/" + $0) })
    }

    /// The options for the schema of a target.
    func schemas(of target: String = "App", dependencies: [String] = []) -> [String] {
      let arguments = inputs(of: target, dependencies: dependencies).inputArguments.map(relative)
      return Array(arguments.drop { !$0.hasPrefix("--schema") }.prefix { $0 != "--provided" })
    }

    func changes(of target: String = "App", dependencies: [String] = []) -> [String] {
      inputs(of: target, dependencies: dependencies).inputFiles.map { relative($0.path) }.sorted()
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
      project.changes() == ["App/A.graphql", "App/more.graphqls", "apollo-codegen-config.json", "schema.graphqls"])
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
      project.changes(dependencies: ["Core"]) == (["App/A.graphql", "apollo-codegen-config.json"] + schemas).sorted())
  }

  private static let shared = #"""
    { "schemaNamespace": "API", "input": { "schemaSearchPaths": ["SCHEMA"] }, "output": {
      "schemaTypes": { "path": ".", "moduleType": { "other": {} } }, "operations": { "relative": {} } } }
    """#

  @Test(
    "Targets that share the types of one schema see the same additions to it, wherever the whole schema is",
    arguments: ["schema.graphqls", "API/schema.graphqls"])
  func sharedAdditions(schema: String) throws {
    let project = try Project(
      ["package/\(schema)": Self.whole, "package/API/more.graphqls": Self.more],
      configuration: Self.shared.replacingOccurrences(of: "SCHEMA", with: schema))
    let types = project.inputs(of: "API")
    #expect(types.schemaModule == "API")
    let ofTypes = project.schemas(of: "API")
    #expect(ofTypes.first == "--schema-extensions" && Set(ofTypes.dropFirst()).union([schema]).count == 2)
    #expect(project.schemas(dependencies: ["API"]) == ["--schema-extensions", "API/more.graphqls"])
    let files = ["API/more.graphqls", schema, "apollo-codegen-config.json"]
    #expect(project.changes(of: "API") == files.sorted())
    #expect(project.changes(dependencies: ["API"]) == (files + ["App/A.graphql"]).sorted())
  }

  @Test(
    "Where targets have configurations of their own, additions are seen by those that share the types of one schema",
    arguments: [("API", true), ("aPI", true), ("Other", false)])
  func sharedAdditionsOfConfigurations(namespace: String, isShared: Bool) throws {
    let text = Self.shared.replacingOccurrences(of: "SCHEMA", with: "../schema.graphqls")
    let other = text.replacingOccurrences(of: "\"API\"", with: "\"\(namespace)\"")
    let project = try Project(
      [
        "package/schema.graphqls": Self.whole, "package/Core/more.graphqls": Self.more,
        "package/App/apollo-codegen-config.json": text, "package/Core/apollo-codegen-config.json": other,
      ], configuration: nil)
    let additions = isShared ? ["--schema-extensions", "Core/more.graphqls"] : []
    #expect(project.schemas(dependencies: ["Core"]) == additions)
  }

  @Test("Mocks for several targets have the operations and additions of all of them, and each file once")
  func joined() throws {
    let project = try Project(
      [
        "package/API/schema.graphqls": Self.whole, "package/API/more.graphqls": Self.more,
        "package/More/extra.graphqls": Self.more, "package/Feed/B.graphql": "query B { hero { id } }",
      ], configuration: Self.shared.replacingOccurrences(of: "SCHEMA", with: "API/schema.graphqls"))
    let other = project.inputs(of: "Feed", dependencies: ["API", "More"])
    let all = project.inputs(dependencies: ["API"]).joined(with: [other])
    let additions = ["API/more.graphqls", "More/extra.graphqls"], configuration = "apollo-codegen-config.json"
    #expect(
      all.inputArguments.map(project.relative) == ["--path", configuration, "--schema-extensions"] + additions)
    let operations = ["App/A.graphql", "Feed/B.graphql"]
    #expect(all.operations.map { project.relative($0.path) } == operations)
    let files = all.inputFiles.map { project.relative($0.path) }
    #expect(files == operations + additions + ["API/schema.graphqls", configuration])
  }

  @Test("What a target adds to a schema of its own, or of another configuration, adds to no other one")
  func foreignAdditions() throws {
    let configuration = #"{ "input": { "schemaSearchPaths": ["schema.graphqls"] } }"#
    var files = ["package/schema.graphqls": Self.whole, "package/Core/more.graphqls": Self.more]
    let additions = ["--schema-extensions", "Core/more.graphqls"]
    #expect(try Project(files, configuration: configuration).schemas(dependencies: ["Core"]) == additions)
    files["package/Core/apollo-codegen-config.json"] = "{}"
    #expect(try Project(files, configuration: configuration).schemas(dependencies: ["Core"]) == [])
    files["package/Core/apollo-codegen-config.json"] = nil
    files["package/Core/own.graphqls"] = Self.whole
    #expect(try Project(files, configuration: configuration).schemas(dependencies: ["Core"]) == [])
  }

  @Test("A target whose schema the configuration finds has the files as well that the configuration finds beside it")
  func foundSchema() throws {
    func project(_ paths: String, _ more: [String: String]) throws -> Project {
      let files = ["package/App/schema.graphqls": Self.whole].merging(more) { $1 }
      return try Project(files, configuration: "{ \"input\": { \"schemaSearchPaths\": [\(paths)] } }")
    }
    let added = try project(#""App/schema.graphqls", "G/*.graphql""#, ["package/G/more.graphql": Self.more])
    #expect(added.schemas() == ["--schema-extensions", "App/schema.graphqls"])
    #expect(
      added.changes() == ["App/A.graphql", "App/schema.graphqls", "G/more.graphql", "apollo-codegen-config.json"])
    // Whole schemas of several targets do not go together.
    let several = try project(#""**/*.graphqls""#, ["package/Other/other.graphqls": Self.whole])
    #expect(several.schemas() == ["--schema", "App/schema.graphqls"])
    #expect(several.changes() == ["App/A.graphql", "App/schema.graphqls", "apollo-codegen-config.json"])
    let excluded = try project(#""**/*.graphqls", "!App/*""#, ["package/G/more.graphqls": Self.more])
    #expect(excluded.schemas() == ["--schema", "App/schema.graphqls"])
  }

  @Test("A schema that ends in .graphql and that the configuration names is not a document")
  func schemaAmongDocuments() throws {
    let paths = { (path: String) in #"{ "input": { "schemaSearchPaths": ["\#(path)"] } }"# }
    for path in ["App/schema.graphql", "App/s*.graphql"] {
      let project = try Project(["package/App/schema.graphql": Self.whole], configuration: paths(path))
      #expect(project.inputs().operations.map { project.relative($0.path) } == ["App/A.graphql"])
      #expect(project.changes() == ["App/A.graphql", "App/schema.graphql", "apollo-codegen-config.json"])
    }
    // A target may have a schema only.
    let project = try Project(
      ["package/API/schema.graphql": Self.whole], configuration: paths("API/schema.graphql"))
    #expect(project.inputs(of: "API").operations == [])
  }

  @Test("A document that a target has under two paths is one document, as it is for the tool")
  func linkedDocument() throws {
    let project = try Project(["package/App/schema.graphqls": Self.whole], configuration: nil)
    try FileManager.default.createSymbolicLink(
      atPath: project.folder.url.appendingPathComponent("package/App/B.graphql").path,
      withDestinationPath: "A.graphql")
    #expect(project.inputs().operations.map { project.relative($0.path) } == ["App/A.graphql"])
  }

  @Test("A whole schema on one line does not add to what else the package has")
  func oneLine() throws {
    let project = try Project(
      [
        "package/App/schema.graphqls": "type Hero { id: ID! } type Query { hero: Hero }",
        "package/Other/other.graphqls": Self.whole,
      ], configuration: "{}")
    #expect(project.schemas() == ["--schema", "App/schema.graphqls"])
  }

  @Test("Schemas in folders that the tool skips do not count")
  func skippedFolders() throws {
    let project = try Project(
      [
        "package/schema.graphqls": Self.whole, "package/Pods/Manifest.lock": "", "package/Pods/P/a.graphqls": "",
        "package/DerivedData/b.graphqls": "",
      ], configuration: "{}")
    #expect(project.changes() == ["App/A.graphql", "apollo-codegen-config.json", "schema.graphqls"])
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
      ("{G,schema}/[a-m]*.graphqls", "package/schema/api.graphqls", "package/schema/old.graphqls"),
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
