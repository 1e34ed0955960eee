import Foundation
import Testing
import Waiting

@Suite("apollo-codegen generate") struct GenerateTests {
  @Test("Flags are enough to generate, and the summary tells what was done")
  func flags() async throws {
    let folder = try Folder(Sample.files)
    let first = try await Tool.run(["generate"] + Sample.flags, in: folder)
    #expect(first.status == 0)
    #expect(first.errors.hasPrefix("✓ 1 operation, 0 fragments → 2 files (2 changed) in "), "\(first.errors)")
    #expect(first.output == "")
    #expect(folder.files.filter { $0.hasPrefix("API") } == ["API/Hero.graphql.swift", "API/Schema.graphql.swift"])
    let second = try await Tool.run(["generate", "--verbose"] + Sample.flags, in: folder)
    #expect(second.errors.contains("(0 changed)"))
    for stage in ["read", "schema", "validate", "lower", "render", "write"] { #expect(second.errors.contains(stage)) }
    let quiet = try await Tool.run(["generate", "--quiet", "--verbose"] + Sample.flags, in: folder)
    #expect(quiet.status == 0 && quiet.errors == "", "\(quiet.errors)")
    try folder.write("query Hero { hero { id } }", to: "Hero.graphql")
    let stale = try await Tool.run(["generate", "--quiet", "--check"] + Sample.flags, in: folder)
    #expect(stale.status == 1 && stale.errors == "", "\(stale.errors)")
  }

  @Test("--legacy-naming names everything as releases 0.x")
  func legacyNaming() async throws {
    let folder = try Folder([
      "schema.graphqls":
        "type Query { heroByID(filter: Filter): Hero } type Hero { air_date: String } input Filter { airsID: ID }",
      "Hero.graphql": "query HeroByID($filter: Filter) { heroByID(filter: $filter) { air_date } }",
    ])
    func text(_ flags: [String]) async throws -> String {
      let outcome = try await Tool.run(["generate"] + Sample.flags + flags, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return folder.text("API/Hero.graphql.swift") ?? ""
    }
    let plain = try await text([])
    for line in ["struct HeroByIDQuery:", "var filter: GraphQLNullable<Filter>", "var air_date: String?"] {
      #expect(plain.contains(line), "\(line)")
    }
    let legacy = try await text(["--legacy-naming"])
    for line in ["struct HeroByIdQuery:", "filter: Filter? = nil", "var airDate: String?", "var heroById: HeroById?"] {
      #expect(legacy.contains(line), "\(line)")
    }
  }

  @Test("--only mocks writes mocks where the configuration says, or into one file, and nothing else")
  func mocks() async throws {
    let folder = try Folder(Sample.files)
    let generated = folder.files
    let flags = ["--only", "mocks", "--quiet"]
    let module = try await Tool.run(
      ["generate", "--output", "Tests", "--module", "App", "--schema", "schema.graphqls", "--operations", "*.graphql"]
        + flags, in: folder)
    #expect(module.status == 0 && module.errors == "", "\(module.errors)")
    #expect(folder.files == (generated + ["Tests/Mocks.graphql.swift"]).sorted())
    #expect(folder.text("Tests/Mocks.graphql.swift")?.contains("enum Hero: MockObject") == true)
    let configuration = #"""
      { "schemaNamespace": "App", "output": {
        "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "App" } } }TESTMOCKS } }
      """#
    for (mocks, status) in [("", 1), (#", "testMocks": { "absolute": { "path": "Mocks" } }"#, 0)] as [(String, Int32)] {
      let text = configuration.replacingOccurrences(of: "TESTMOCKS", with: mocks)
      let outcome = try await Tool.run(["generate", "--string", text] + flags, in: folder)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errors.contains("output.testMocks") == (status == 1))
    }
    #expect(folder.files.contains("Mocks/Query+Mock.graphql.swift") && !folder.files.contains { $0.hasPrefix("out") })
    let wrong = try await Tool.run(["generate", "--module", "App"], in: folder)
    #expect(wrong.status == 64 && wrong.errors.contains("--module goes with --only mocks and --output."))
  }

  @Test("--operations beside a configuration leaves the manifest of all operations as it is, and a note says so")
  func manifest() async throws {
    let folder = try Folder(Sample.files)
    try folder.write("query Other { hero { id } }", to: "Other.graphql")
    try folder.write(
      #"""
      { "schemaNamespace": "App",
        "output": { "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "App" } } } },
        "operationManifest": { "path": "ids.json", "generateManifestOnCodeGeneration": true } }
      """#, to: "apollo-codegen-config.json")
    let note = "\"operationManifest.generateManifestOnCodeGeneration\" has no effect."
    let whole = try await Tool.run(["generate"], in: folder)
    #expect(whole.status == 0 && !whole.errors.contains(note), "\(whole.errors)")
    let manifest = try #require(folder.text("ids.json"))
    #expect(manifest.contains("query Hero") && manifest.contains("query Other"))
    let flags = ["generate", "--path", "apollo-codegen-config.json", "--operations", "Hero.graphql"]
    for more in [[], ["--output", "elsewhere"], ["--check"]] {
      let part = try await Tool.run(flags + more, in: folder)
      #expect(part.status == 0 && part.errors.contains(note), "\(part.errors)")
      #expect(folder.text("ids.json") == manifest)
    }
    let named = try await Tool.run(flags + ["--operation-ids-path", "some.json"], in: folder)
    #expect(named.status == 0 && !named.errors.contains(note), "\(named.errors)")
    #expect(folder.text("some.json")?.contains("query Hero") == true && folder.text("ids.json") == manifest)
  }

  @Test(
    "--schema-extensions adds to the schema of the configuration, or of --schema, which may have the files already",
    arguments: [#"["schema.graphqls"]"#, #"["*.graphqls", "more/*.graphqls"]"#, ""])
  func schemaExtensions(paths: String) async throws {
    let folder = try Folder(Sample.files)
    try folder.write("query Hero { hero { isNew } }", to: "Hero.graphql")
    try folder.write("extend type Hero { isNew: Boolean! }", to: "more/new.graphqls")
    try folder.write(
      #"""
      { "schemaNamespace": "App", "input": { "schemaSearchPaths": \#(paths.isEmpty ? "[]" : paths) },
        "output": { "schemaTypes": { "path": "out", "moduleType": { "embeddedInTarget": { "name": "App" } } } } }
      """#, to: "config.json")
    let whole = paths.isEmpty ? ["--schema", "schema.graphqls"] : ["--path", "config.json"]
    let more = ["--schema-extensions", "more/new.graphqls", "--operations", "Hero.graphql", "--output", "API"]
    let outcome = try await Tool.run(["generate", "--quiet"] + whole + more, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(folder.text("API/Hero.graphql.swift")?.contains("var isNew: Bool") == true)
  }

  @Test("A configuration is written, read, and generated from")
  func configuration() async throws {
    let folder = try Folder(Sample.files)
    let arguments = ["init", "--schema-namespace", "HeroAPI", "--module-type", "swiftPackage"]
    let first = try await Tool.run(arguments, in: folder)
    #expect(first.status == 0)
    let again = try await Tool.run(arguments, in: folder)
    #expect(again.status == 1, "It is there already.")
    let outcome = try await Tool.run([], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      folder.files.filter { $0.hasPrefix("HeroAPI") } == [
        "HeroAPI/Package.swift", "HeroAPI/Sources/Operations/Hero.graphql.swift",
        "HeroAPI/Sources/Schema/Schema.graphql.swift", "HeroAPI/Sources/Schema/SchemaConfiguration.swift",
      ])
  }

  @Test("A mistake ends with status 1, shows the line, and changes nothing")
  func mistake() async throws {
    let folder = try Folder(Sample.files)
    try folder.write("query Hero {\n  hero { nme }\n}", to: "Hero.graphql")
    let outcome = try await Tool.run(["generate"] + Sample.flags, in: folder)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        error[unknown-field]: Cannot query field "nme" on type "Hero".
         --> Hero.graphql:2:10
          |
        2 |   hero { nme }
          |          ^^^
          = help: Did you mean "name"?

        ✗ 1 error; no file was changed

        """)
    #expect(folder.files == ["Hero.graphql", "schema.graphqls"])
  }

  @Test("Programs get one object")
  func json() async throws {
    let folder = try Folder(Sample.files)
    func run() async throws -> [String: Any] {
      let outcome = try await Tool.run(["generate", "--format", "json"] + Sample.flags, in: folder)
      #expect(outcome.errors == "")
      return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }
    let report = try await run()
    #expect(report["ok"] as? Bool == true && report["operations"] as? Int == 1)
    #expect((report["changed"] as? [String])?.count == 2)
    #expect((report["stages"] as? [[String: Any]])?.first?["stage"] as? String == "read")
    try folder.write("query Hero { hero { nme } }", to: "Hero.graphql")
    let failure = try await run()
    #expect(failure["ok"] as? Bool == false)
    let diagnostic = try #require((failure["diagnostics"] as? [[String: Any]])?.first)
    #expect(diagnostic["code"] as? String == "unknown-field" && diagnostic["column"] as? Int == 21)
  }

  @Test("A check fails where output is out of date, tells what is, and writes nothing")
  func check() async throws {
    let folder = try Folder(Sample.files)
    _ = try await Tool.run(["generate"] + Sample.flags, in: folder)
    let fresh = try await Tool.run(["generate", "--check"] + Sample.flags, in: folder)
    #expect(fresh.status == 0)
    #expect(fresh.errors == "✓ 1 operation, 0 fragments: all 2 files are up to date\n")
    try folder.write("query Hero { hero { name id } }", to: "Hero.graphql")
    try folder.write("query More { hero { id } }", to: "More.graphql")
    let before = folder.text("API/Hero.graphql.swift")
    let stale = try await Tool.run(["generate", "--check"] + Sample.flags, in: folder)
    #expect(stale.status == 1)
    #expect(stale.errors.contains("API/Hero.graphql.swift\n") && stale.errors.contains("API/More.graphql.swift\n"))
    #expect(stale.errors.contains("✗ 2 files would change."))
    #expect(folder.text("API/Hero.graphql.swift") == before && folder.text("API/More.graphql.swift") == nil)
  }

  @Test("A watched folder is generated from again when a file changes", .timeLimit(.minutes(10)))
  func watch() async throws {
    let folder = try Folder(Sample.files)
    let run = try Tool.start(["generate", "--watch"] + Sample.flags, in: folder)
    defer { run.kill() }
    func wait(for text: String) async throws {
      try await eventually { folder.text("API/Hero.graphql.swift")?.contains(text) == true }
    }
    try await wait(for: "var name: String")
    try folder.write("query Hero { hero { broken } }", to: "Hero.graphql")
    try await eventually { run.errors.contains("Cannot query field") }
    try folder.write("query Hero { hero { id } }", to: "Hero.graphql")
    try await wait(for: "var id: String")
    #expect(run.isRunning)
    run.kill()
    try await run.ended()
  }

  @Test("A watched configuration is read, and its warnings are shown, when it changes", .timeLimit(.minutes(10)))
  func watchedConfiguration() async throws {
    let folder = try Folder(Sample.files)
    func configure(_ namespace: String) throws {
      // The comma at the end is a warning.
      let target = #"{ "path": "API", "moduleType": { "embeddedInTarget": { "name": "App" } } }"#
      try folder.write(
        #"{ "schemaNamespace": "\#(namespace)", "output": { "schemaTypes": \#(target) }, }"#, to: "config.json")
    }
    try configure("First")
    let run = try Tool.start(["generate", "--watch", "--path", "config.json"], in: folder)
    defer { run.kill() }
    for namespace in ["First", "Second"] {
      try configure(namespace)
      try await eventually { folder.text("API/Schema/Schema.graphql.swift")?.contains("enum \(namespace) {") == true }
    }
    run.kill()
    let errors = try await run.ended().errors
    #expect(errors.components(separatedBy: "warning[needless-comma]").count == 3, "\(errors)")
  }

  @Test("Flags of earlier releases write identifiers and leave scalars to the app")
  func legacyFlags() async throws {
    let folder = try Folder([
      "schema.graphqls": "type Query { at: When } scalar When", "A.graphql": "query A { at }",
    ])
    let outcome = try await Tool.run(
      ["generate", "--operationIdsPath", "ids.json", "--passthroughCustomScalars"] + Sample.flags, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(folder.text("ids.json")?.contains("\"source\": \"query A { at }\"") == true)
    #expect(folder.text("API/A.graphql.swift")?.contains("operationIdentifier: \"") == true)
    #expect(folder.text("API/A.graphql.swift")?.contains("var at: When?") == true)
    #expect(folder.text("API/Schema.graphql.swift")?.contains("When") == false)
  }

  @Test("A file that people wrote is replaced with --force only")
  func force() async throws {
    let folder = try Folder(Sample.files)
    try folder.write("let mine = 1", to: "API/Hero.graphql.swift")
    for arguments in [["generate"], ["generate", "--check"]] {
      let refused = try await Tool.run(arguments + Sample.flags, in: folder)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("error[foreign-file]"), "\(refused.errors)")
      #expect(refused.errors.contains("API/Hero.graphql.swift\"") && refused.errors.contains("--force"))
    }
    #expect(folder.files.filter { $0.hasPrefix("API") } == ["API/Hero.graphql.swift"])
    #expect(folder.text("API/Hero.graphql.swift") == "let mine = 1")
    #expect(try await Tool.run(["generate", "--force"] + Sample.flags, in: folder).status == 0)
    #expect(folder.text("API/Hero.graphql.swift")?.contains("struct HeroQuery") == true)
  }

  @Test("What is given on the command line puts nothing but names into Swift and into the configuration")
  func names() async throws {
    let folder = try Folder(Sample.files)
    let module = try await Tool.run(
      ["generate", "--only", "mocks", "--module", "App\nlet evil = 1"] + Sample.flags, in: folder)
    #expect(module.status == 1 && module.errors.contains("the name of a module"), "\(module.errors)")
    let namespace = try await Tool.run(["generate", "--namespace", "A { } ; enum B"] + Sample.flags, in: folder)
    #expect(namespace.status == 64 && namespace.errors.contains("--namespace has to be"), "\(namespace.errors)")
    #expect(!folder.files.contains { $0.hasSuffix(".swift") })
    let target = "App\" }, \"other\": { \"x\": \""
    let made = try await Tool.run(["init", "-n", "A", "-m", "embeddedInTarget", "-t", target, "--print"], in: folder)
    let text = try #require(try JSONSerialization.jsonObject(with: Data(made.output.utf8)) as? [String: Any])
    let types = (text["output"] as? [String: Any])?["schemaTypes"] as? [String: Any]
    let moduleType = types?["moduleType"] as? [String: [String: String]]
    #expect(moduleType == ["embeddedInTarget": ["name": target]])
  }

  @Test("Files outside of the folder that is allowed are refused")
  func within() async throws {
    let folder = try Folder(Sample.files)
    let outcome = try await Tool.run(
      [
        "generate", "--within", "here", "--schema", "schema.graphqls", "--operations", "*.graphql", "--output",
        "../there",
      ],
      in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("error[outside-allowed-folder]"))
    #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("../there").path))
  }

  @Test(
    "Every command explains itself",
    arguments: [
      [], ["generate"], ["validate"], ["init"], ["fetch-schema"], ["generate-operation-manifest"], ["schema"],
      ["schema", "diff"], ["schema", "print"],
    ])
  func help(command: [String]) async throws {
    let outcome = try await Tool.run(command + ["--help"], in: Folder())
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("OVERVIEW: ") && outcome.output.contains("USAGE: apollo-codegen"))
  }

  @Test(
    "A wrong command line ends with status 64",
    arguments: [
      ["generate", "--outptu", "x"], ["generate", "--watch", "--check"], ["init"],
      ["fetch-schema", "--endpoint", "https://example.com"],
      ["generate", "--schema", "s", "--namespace", "1A"],
    ])
  func wrongArguments(arguments: [String]) async throws {
    let outcome = try await Tool.run(arguments, in: Folder())
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("Error: "))
  }

  @Test("A configuration as text counts if the path of a file is given as well")
  func textBesidePath() async throws {
    let folder = try Folder(Sample.files)
    let output = #"{ "schemaTypes": { "path": "API", "moduleType": { "other": {} } } }"#
    let text = #"{ "schemaNamespace": "HeroAPI", "output": \#(output) }"#
    let options = ["--path", "missing.json", "--string", text]
    for command in ["validate", "generate"] {
      let outcome = try await Tool.run([command] + options, in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(folder.files.contains { $0.hasPrefix("API/") && $0.hasSuffix("/Hero.graphql.swift") })
    let fetched = try await Tool.run(["fetch-schema"] + options, in: folder)
    #expect(fetched.status == 1 && fetched.errors.contains("it has no key \"schemaDownload\""), "\(fetched.errors)")
  }

  @Test(
    "A mistyped command is answered with the one that was meant",
    arguments: [
      (["genrate", "--schema", "a"], "\"apollo-codegen\" has no command \"genrate\". Did you mean \"generate\"?"),
      (["help", "valdate"], "Did you mean \"validate\"?"),
      (["schema", "dif", "a", "b"], "\"apollo-codegen schema\" has no command \"dif\". Did you mean \"diff\"?"),
      (["frobnicate"], "The commands are \"start\", "),
    ])
  func mistypedCommands(arguments: [String], message: String) async throws {
    let outcome = try await Tool.run(arguments, in: Folder())
    #expect(outcome.status == 64 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("Warnings about the schema are one line, which a flag spreads out; programs get all of them")
  func schemaWarnings() async throws {
    let folder = try Folder([
      "schema.graphqls": """
      interface Node @typePolicy(keyFields: "id") { id: ID! url: String! }
      type Hero implements Node { id: ID! @deprecated url: String! @deprecated }
      type Query { hero: Hero }
      """,
      "Hero.graphql": "query Hero { hero { __typename } }",
    ])
    let short = try await Tool.run(["generate"] + Sample.flags, in: folder)
    #expect(short.status == 0)
    let line = "note[schema-warnings]: 2 warnings about the schema in schema.graphqls. "
    #expect(short.errors.hasPrefix(line) && !short.errors.contains("invalid-implementation"), "\(short.errors)")
    #expect(short.errors.split(separator: "\n").count == 2)
    // No control characters without a terminal.
    #expect(!short.errors.contains("\u{1b}") && !short.errors.contains("\r"))
    for arguments in [["generate", "--verbose"] + Sample.flags, ["validate", "--verbose"] + Sample.flags.dropLast(2)] {
      let long = try await Tool.run(arguments, in: folder)
      #expect(long.errors.components(separatedBy: "warning[invalid-implementation]").count == 3)
      #expect(!long.errors.contains("schema-warnings"))
    }
    let json = try await Tool.run(["generate", "--format", "json"] + Sample.flags, in: folder)
    #expect(json.output.components(separatedBy: "invalid-implementation").count == 3)
    let xcode = try await Tool.run(["generate", "--diagnostics", "xcode"] + Sample.flags, in: folder)
    #expect(xcode.errors.hasPrefix("note: 2 warnings about the schema in "), "\(xcode.errors)")
  }

  @Test("Excerpts are as wide as the terminal, or as COLUMNS says")
  func width() async throws {
    let folder = try Folder(Sample.files)
    let fields = Array(repeating: "name", count: 40).joined(separator: " ")
    try folder.write("query Hero { hero { \(fields) nme \(fields) } }", to: "Hero.graphql")
    for (columns, width) in [("60", 60), ("", 100)] {
      let outcome = try await Tool.run(["generate"] + Sample.flags, in: folder, environment: ["COLUMNS": columns])
      let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("1 |") || $0.hasPrefix("  |") }
      #expect(lines.map(\.count).max() == width, "\(outcome.errors)")
      #expect(lines.contains { $0.hasPrefix("1 | …") && $0.hasSuffix("…") && $0.contains(" nme ") })
    }
  }

  @Test("Without a configuration it says what to do")
  func noConfiguration() async throws {
    let outcome = try await Tool.run(["generate"], in: Folder())
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("Give --schema and --output, or write a configuration with \"apollo-codegen init\"."))
  }
}
