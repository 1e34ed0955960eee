import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// A run replaces the files of earlier runs and of Apollo's generator. What people wrote stays, and is an error.
@Suite("Which files are replaced") struct ReplacementTests {
  typealias Change = @Sendable (inout ApolloCodegenConfiguration) -> Void

  /// A way to write files.
  struct Way: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var change: Change
  }

  static let ways: [Way] = [
    Way(testDescription: "one folder") { $0.output.path = "out" },
    Way(testDescription: "the folder of the configuration") { $0.output.path = "." },
    Way(testDescription: "--output") { $0.output.redirect(to: $0.output.path) },
    Way(testDescription: "--output --only mocks") {
      $0.output.redirect(to: $0.output.path, part: .mocks, mocksOf: "A")
    },
    Way(testDescription: "one file") { $0.output.singleFile = "API.swift" },
    Way(testDescription: "a target") {
      $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
      $0.output.testMocks = .absolute(path: "Mocks", accessLevel: .internal)
    },
    Way(testDescription: "a package") {
      $0.output.moduleType = .swiftPackage(.local(path: "../apollo"))
      $0.output.testMocks = .swiftPackage(targetName: nil)
    },
    Way(testDescription: "a package around everything") {
      $0.output.path = "."
      $0.output.moduleType = .swiftPackage(.standard)
      $0.output.operations = .relative(subpath: nil, accessLevel: .public)
      $0.output.testMocks = .swiftPackage(targetName: "HeroMocks")
    },
    Way(testDescription: "beside documents") {
      $0.output.moduleType = .other
      $0.output.operations = .relative(subpath: "Generated", accessLevel: .public)
    },
    Way(testDescription: "in a folder for operations") {
      $0.output.moduleType = .other
      $0.output.operations = .absolute(path: "ops", accessLevel: .public)
    },
    Way(testDescription: "with a manifest") {
      $0.operationManifest = .init(path: "manifest.json", generateManifestOnCodeGeneration: true)
    },
    Way(testDescription: "with a manifest of 0.x") {
      $0.operationManifest = .init(path: "ids.json", version: .legacy, generateManifestOnCodeGeneration: true)
    },
  ]

  static let inputs = [
    "schema.graphqls": "type Query { hero: Hero } type Hero { name: String, at: Date } scalar Date",
    "Queries/Hero.graphql": "query Hero { hero { name at } }", "Card.graphql": "fragment Card on Hero { name }",
  ]

  static func run(
    _ way: Way, in folder: TemporaryFolder, force: Bool = false, check: Bool = false
  ) -> ApolloCodegen.Report {
    var configuration = ApolloCodegenConfiguration()
    configuration.schemaNamespace = "HeroAPI"
    configuration.output.path = folder.url.appendingPathComponent("out").path
    way.change(&configuration)
    var codegen = ApolloCodegen(configuration, root: folder.url)
    codegen.replacesForeignFiles = force
    return check ? codegen.findStaleFiles() : codegen.generate()
  }

  static func contents(_ folder: TemporaryFolder) throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try folder.files.map { ($0, try folder.text($0)) })
  }

  /// The files that a run writes, with its inputs, by their paths in the folder.
  static func written(_ way: Way) throws -> (inputs: Set<String>, all: [String: String]) {
    let folder = try TemporaryFolder(inputs)
    let report = run(way, in: folder)
    #expect(report.errorCodes == [])
    return (Set(inputs.keys), try contents(folder))
  }

  private func isEditable(_ path: String) -> Bool {
    path.hasSuffix("SchemaConfiguration.swift") || path.contains("CustomScalars/")
  }

  @Test(
    "A file of people is an error wherever a file would be written, and nothing changes without --force",
    arguments: ways)
  func handWritten(way: Way) throws {
    let (inputs, all) = try Self.written(way)
    let generated = all.keys.filter { !inputs.contains($0) }
    #expect(!generated.isEmpty)
    let mine = "// By hand.\nlet mine = 1\n"
    for path in generated.sorted() {
      let folder = try TemporaryFolder(Self.inputs.merging([path: mine]) { $1 })
      let before = try Self.contents(folder)
      if isEditable(path) {
        #expect(!Self.run(way, in: folder, force: true).hasErrors)
        #expect(try folder.text(path) == mine, "\(path)")
        continue
      }
      for isCheck in path == generated.min() ? [true, false] : [false] {
        let report = Self.run(way, in: folder, check: isCheck)
        let errors = report.diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.code) == [.foreignFile], "\(path)")
        #expect(errors.first?.message.contains("\"\(folder.url.path)/\(path)\"") == true)
        #expect(errors.first?.help?.contains("--force") == true)
        #expect(try Self.contents(folder) == before, "\(path)")
      }
      #expect(!Self.run(way, in: folder, force: true).hasErrors)
      #expect(try folder.text(path) == all[path], "\(path)")
    }
  }

  @Test("What a run has written is replaced by the next, whatever tools did to the top of it", arguments: ways)
  func own(way: Way) throws {
    let (inputs, all) = try Self.written(way)
    let tops = ["", "// Copyright (c) Heroes\n\n", "/*\n * Copyright\n */\n", "\u{FEFF}"]
    for path in all.keys.filter({ !inputs.contains($0) && !isEditable($0) }).sorted() {
      for top in path.hasSuffix(".swift") ? tops : [""] {
        let text = (all[path] ?? "").replacing("Hero", with: "Villain")
        let old = (top + text).replacing("\n", with: top.isEmpty ? "\r\n" : "\n")
        let folder = try TemporaryFolder(Self.inputs.merging([path: old]) { $1 })
        #expect(Self.run(way, in: folder).errorCodes == [], "\(path) \(top)")
        #expect(try folder.text(path) == all[path], "\(path)")
      }
    }
  }

  @Test("Blank files are replaced", arguments: ["", "\n", " \r\n\t\n"])
  func blank(text: String) throws {
    let folder = try TemporaryFolder(Self.inputs.merging(["out/Hero.graphql.swift": text]) { $1 })
    #expect(!Self.run(Self.ways[0], in: folder).hasErrors)
  }

  @Test("Files of Apollo's generator are replaced where it writes for the configuration, and elsewhere are an error")
  func apollo() throws {
    let lines = ["", " "].map {
      "// @generated\n//\($0) This file was automatically generated and should not be edited.\n\n"
    }
    for way in Self.ways {
      let (inputs, all) = try Self.written(way)
      for path in all.keys.filter({ !inputs.contains($0) && $0.hasSuffix(".swift") && !isEditable($0) }) {
        guard !path.hasSuffix("Package.swift") else { continue }
        for mark in lines {
          let own = mark + "import HeroAPI\n\npublic extension HeroAPI {\n}\n"
          let folder = try TemporaryFolder(Self.inputs.merging([path: own]) { $1 })
          #expect(!Self.run(way, in: folder).hasErrors, "\(way.testDescription) \(path)")
        }
      }
    }
    // Beside documents may be those of another module.
    for way in Self.ways where ["beside documents", "in a folder for operations"].contains(way.testDescription) {
      for path in ["Queries/Generated/Hero.graphql.swift", "ops/Hero.graphql.swift"] {
        let folder = try TemporaryFolder(Self.inputs.merging([path: lines[0] + "import OtherAPI\n"]) { $1 })
        let report = Self.run(way, in: folder)
        if report.files.contains("\(folder.url.path)/\(path)") {
          #expect(report.errorCodes == [.foreignFile])
        }
        #expect(try folder.text(path).hasSuffix("import OtherAPI\n"))
      }
    }
  }

  @Test("A link is replaced only if what it leads to may be")
  func links() throws {
    let folder = try TemporaryFolder(Self.inputs.merging(["Mine.swift": "let mine = 1"]) { $1 })
    try folder.write("", to: "out/x")
    let link = folder.url.appendingPathComponent("out/Hero.graphql.swift")
    for target in ["Mine.swift", "nowhere"] {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(
        at: link, withDestinationURL: folder.url.appendingPathComponent(target))
      #expect(Self.run(Self.ways[0], in: folder).errorCodes == [.foreignFile])
    }
    #expect(!Self.run(Self.ways[0], in: folder, force: true).hasErrors)
    #expect(try folder.text("Mine.swift") == "let mine = 1")
  }

  @Test("A file keeps its permissions, and while it is staged only its owner may read it")
  func permissions() throws {
    let folder = try TemporaryFolder(Self.inputs)
    _ = Self.run(Self.ways[0], in: folder)
    let path = folder.url.appendingPathComponent("out/Hero.graphql.swift").path
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    let usual = try mode()
    try folder.write("", to: "usual")
    let other = folder.url.appendingPathComponent("usual").path
    #expect(usual == (try FileManager.default.attributesOfItem(atPath: other)[.posixPermissions] as? Int))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try folder.write("query Hero { hero { at } }", to: "Queries/Hero.graphql")
    #expect(Self.run(Self.ways[0], in: folder).changedFiles.contains(path))
    #expect(try mode() == 0o640)
  }
}
