import ApolloCodegenLib
import Foundation
import Testing

/// What a file says of its origin decides whether it is one of an earlier run.
@Suite("Files of other layouts and of other configurations") struct OtherLayoutTests {
  typealias Layout = @Sendable (inout ApolloCodegenConfiguration.Output) -> Void

  static let layouts: [Layout] = [
    { $0.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal) },
    {
      $0.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
      $0.operations = .relative(subpath: nil, accessLevel: .internal)
    },
    { $0.moduleType = .sameModule(accessLevel: .internal) },
    {
      $0.moduleType = .sameModule(accessLevel: .internal)
      $0.operations = .relative(subpath: nil, accessLevel: .internal)
    },
    { $0.moduleType = .swiftPackage(.local(path: "../apollo")) },
    { $0.singleFile = "API/All.swift" },
    {
      $0.moduleType = .other
      $0.operations = .absolute(path: "Elsewhere", accessLevel: .public)
    },
  ]

  /// Of the last two, no later configuration says where their files are. Files beside documents may be those of another
  /// configuration, unless that is where this one writes.
  static let pairs = layouts.indices.dropLast(2).flatMap { old in
    layouts.indices.filter { ![1, 3].contains(old) || [1, 3].contains($0) }.map { (from: old, to: $0) }
  }

  @Test("Where the layout changes, no type is declared twice", arguments: pairs)
  func changes(from old: Int, to new: Int) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero(kind: Kind): String } enum Kind { A }",
      "ops/Hero.graphql": "query Hero($kind: Kind) { hero(kind: $kind) }",
    ])
    for layout in [old, new] {
      let report = folder.generate {
        $0.output.path = "API"
        Self.layouts[layout](&$0.output)
      }
      #expect(!report.hasErrors)
    }
    let code = try folder.files.filter { $0.hasSuffix(".swift") }.map { try folder.text($0) }.joined()
    for declaration in ["struct HeroQuery:", "enum Kind:"] {
      #expect(code.components(separatedBy: declaration).count == 2, "\(declaration) \(folder.files)")
    }
  }

  @Test(
    "Two configurations of one namespace keep each other's files, though they read the same documents",
    arguments: [1, 3])
  func sharedDocuments(relative: Int) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "Shared/Hero.graphql": "query Hero { hero }",
    ])
    func generate(_ path: String, _ layout: Int) -> ApolloCodegen.Report {
      folder.generate {
        $0.output.path = path
        Self.layouts[layout](&$0.output)
      }
    }
    for _ in 0..<2 {
      #expect(generate("AppB/API", relative).removedFiles == [])
      #expect(generate("AppA/API", relative - 1).removedFiles == [])
    }
    #expect(generate("AppB/API", relative).changedFiles == [])
  }

  @Test("A folder that is a symbolic link to another folder of the output keeps its files")
  func linkedFolder() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "ops/Hero.graphql": "query Hero { hero }",
    ])
    let operations = folder.url.appendingPathComponent("API/Operations")
    try FileManager.default.createDirectory(at: operations, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("Linked"), withDestinationURL: operations)
    for _ in 0..<2 {
      let report = folder.generate {
        $0.output.path = "API"
        $0.output.moduleType = .other
        $0.output.operations = .absolute(path: "Linked", accessLevel: .public)
      }
      #expect(!report.hasErrors && report.removedFiles == [])
    }
    #expect(FileManager.default.fileExists(atPath: operations.appendingPathComponent("Hero.graphql.swift").path))
  }

  @Test("The file of a document that was renamed is removed, whatever it imports")
  func renamedWithImport() throws {
    let text = #"query Hero @import(module: "Money") { hero }"#
    let folder = try TemporaryFolder(["schema.graphqls": "type Query { hero: String }", "ops/Hero.graphql": text])
    func generate() -> ApolloCodegen.Report {
      folder.generate {
        $0.output.path = "API"
        Self.layouts[3](&$0.output)
      }
    }
    #expect(!generate().hasErrors)
    let old = folder.url.appendingPathComponent("ops/Hero.graphql")
    try FileManager.default.moveItem(at: old, to: folder.url.appendingPathComponent("ops/Heroes.graphql"))
    #expect(generate().removedFiles == [old.path + ".swift"])
  }

  @Test(
    "Two schemas in one target keep each other's files for people, and each has its own",
    arguments: [("App/Hero", "App/HeroAdmin"), ("App/Sources", "App"), ("App", "App/Sources")])
  func twoSchemas(path: String, otherPath: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { at: When } scalar When", "a/A.graphql": "query A { at }",
      "b/B.graphql": "query B { at }",
    ])
    func generate(_ namespace: String, _ path: String, _ documents: String) -> ApolloCodegen.Report {
      folder.generate {
        $0.schemaNamespace = namespace
        $0.input.operationSearchPaths = [documents + "/*.graphql"]
        $0.output.path = path
        $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
      }
    }
    for isFirst in [true, false] {
      for report in [generate("HeroAdmin", otherPath, "b"), generate("Hero", path, "a")] {
        #expect(report.diagnostics == [] && report.removedFiles == [])
        #expect(isFirst || report.changedFiles == [])
      }
      for (namespace, path) in [("Hero", path), ("HeroAdmin", otherPath)] {
        for file in ["SchemaConfiguration.swift", "CustomScalars/When.swift"] {
          #expect(try folder.text("\(path)/Schema/\(file)").contains("extension \(namespace) {"))
        }
      }
    }
  }

  @Test(
    "A module in the folder \"Sources\" of another output keeps its files, though they name no namespace",
    arguments: [0, 2], ["A.graphql", "B.graphql"])
  func moduleInSources(layout: Int, document: String) throws {
    let folder = try TemporaryFolder([
      "a.graphqls": "type Query { a: When } scalar When", "b.graphqls": "type Query { b: When } scalar When",
      "a/A.graphql": "query A { a }", "b/\(document)": "query B { b }",
    ])
    func generate(_ name: String, _ path: String, _ layout: Layout) -> ApolloCodegen.Report {
      folder.generate {
        $0.schemaNamespace = name.uppercased() + "API"
        $0.input.schemaSearchPaths = [name + ".graphqls"]
        $0.input.operationSearchPaths = [name + "/*.graphql"]
        $0.output.path = path
        layout(&$0.output)
      }
    }
    for isFirst in [true, false] {
      let b = generate("b", "App/Sources") { $0.moduleType = .other }
      let a = generate("a", "App", Self.layouts[layout])
      #expect(!a.hasErrors && !b.hasErrors && a.removedFiles == [] && b.removedFiles == [])
      #expect(isFirst || a.changedFiles == [] && b.changedFiles == [])
      #expect(a.diagnostics == [] && b.diagnostics == [])
    }
  }

  @Test("What a former package has besides goes with its manifest")
  func restOfPackage() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "Hero.graphql": "query Hero { hero }",
    ])
    func generate(_ layout: Int, _ mocks: ApolloCodegenConfiguration.TestMocks) -> ApolloCodegen.Report {
      folder.generate {
        $0.output.path = "API"
        Self.layouts[layout](&$0.output)
        $0.output.testMocks = mocks
      }
    }
    #expect(!generate(4, .swiftPackage(targetName: nil)).hasErrors)
    let old = folder.url.appendingPathComponent("Hero.graphql")
    try FileManager.default.moveItem(at: old, to: folder.url.appendingPathComponent("Heroes.graphql"))
    #expect(!generate(0, .none).hasErrors)
    let rest = folder.files.filter { $0.hasPrefix("API/Sources/") || $0.hasPrefix("API/TestMocks/") }
    #expect(rest == [] && !folder.files.contains("API/Package.swift"))
  }

  @Test(
    "Files of a former package without a manifest stay, with a warning",
    arguments: ["query Hero { hero { id } }", "query Hero { hero { id ... @defer(label: \"n\") { name } } }"])
  func packageWithoutManifest(document: String) throws {
    let schema = "type Query { hero: Hero } type Hero { id: ID, name: String }"
    let folder = try TemporaryFolder(["schema.graphqls": schema, "Hero.graphql": document])
    func generate(_ layout: Int) -> ApolloCodegen.Report {
      folder.generate {
        $0.output.path = "API"
        Self.layouts[layout](&$0.output)
      }
    }
    #expect(generate(4).diagnostics == [])
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("API/Package.swift"))
    // (As Finder leaves it.)
    try Data().write(to: folder.url.appendingPathComponent("API/Sources/Operations/.DS_Store"))
    let report = generate(0)
    #expect(!report.hasErrors && report.removedFiles == [])
    #expect(report.diagnostics.map(\.code) == [.unfitFile])
    #expect(report.diagnostics.first?.message.contains("API/Sources/Operations/Hero.graphql.swift\" and") == true)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("API/Sources"))
    #expect(generate(0).diagnostics == [])
  }

  /// The searches and the layout of a configuration that does not read the documents in `App/Admin`.
  static let mains: [(exclusion: String, layout: Layout)] = [
    ("!App/Admin/**", layouts[1]), ("!App/Admin/*.graphql", layouts[1]), ("!App/Admin/*.graphql", layouts[3]),
    (
      "!App/Admin/**",
      {
        $0.moduleType = .sameModule(accessLevel: .internal)
        $0.path = "App/Admin"
      }
    ),
  ]

  static let admins: [Layout] = [
    layouts[0], layouts[1],
    {
      $0.moduleType = .other
      $0.operations = .relative(subpath: "Generated", accessLevel: .internal)
    },
    { $0.moduleType = .other },
  ]

  @Test("Two configurations whose searches overlap keep each other's files", arguments: mains.indices, admins.indices)
  func twoConfigurations(main: Int, admin: Int) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "App/Main/Hero.graphql": "query Hero { hero }",
      "App/Main/Other.graphql": "query Other { hero }", "App/Admin/AdminHero.graphql": "query AdminHero { hero }",
    ])
    func generateMain() -> [String] {
      folder.generate {
        $0.schemaNamespace = "MainAPI"
        $0.input.operationSearchPaths = ["**/*.graphql", Self.mains[main].exclusion]
        $0.output.path = "App/MainAPI"
        Self.mains[main].layout(&$0.output)
      }.removedFiles.map { $0.replacingOccurrences(of: folder.url.path + "/", with: "") }
    }
    func generateAdmin() -> ApolloCodegen.Report {
      folder.generate {
        $0.schemaNamespace = "AdminAPI"
        $0.input.operationSearchPaths = ["App/Admin/**/*.graphql"]
        $0.output.path = "App/AdminAPI"
        Self.admins[admin](&$0.output)
      }
    }
    #expect(!generateAdmin().hasErrors)
    #expect(generateMain() == [])
    #expect(generateAdmin().changedFiles == [] && generateAdmin().removedFiles == [])
    let own = folder.files.filter { $0.hasSuffix("/Other.graphql.swift") }
    #expect(own.count == 1)
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("App/Main/Other.graphql"))
    #expect(generateMain() == own)
  }
}
