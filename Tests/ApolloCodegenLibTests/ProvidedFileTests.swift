import ApolloCodegenLib
import Foundation
import Testing

/// Files that an app has, of Apollo iOS or of an earlier run, in place of those that are written once.
@Suite("Files that the app has already") struct ProvidedFileTests {
  static let files = [
    "schema.graphqls": "type Query { at: When, born: Date, no: Nowhere } scalar When scalar Date scalar Nowhere",
    "A.graphql": "query A { at born no }",
  ]
  static let configuration = "public enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {}"

  /// The Swift files that are written into a folder that has some, apart from those of operations.
  func written(
    _ provided: [String: String], _ change: @escaping (inout ApolloCodegenConfiguration) -> Void
  ) throws -> [String] {
    let folder = try TemporaryFolder(Self.files.merging(provided) { $1 })
    let report = folder.generate(change)
    #expect(report.diagnostics.isEmpty)
    for (name, text) in provided { #expect(try folder.text(name) == text) }
    if provided.keys.contains(where: { $0.hasSuffix("/ID.swift") }) {
      let schema = folder.files.first { $0.hasSuffix("Schema.graphql.swift") }
      #expect(!(try folder.text(schema ?? "")).contains("typealias ID"))
    }
    return folder.files.filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".graphql.swift") && provided[$0] == nil }
  }

  @Test("Wherever they are in the folder of the output, they are kept, and no other is written")
  func inOutput() throws {
    let files = try written([
      "out/SchemaConfiguration.swift": Self.configuration, "out/Mine/CustomScalars/When.swift": "// mine",
      "out/Date.swift": "an extension of Foundation's type", "elsewhere/CustomScalars/Nowhere.swift": "// not here",
    ]) { $0.output.moduleType = .other }
    #expect(files == ["out/Schema/CustomScalars/Date.swift", "out/Schema/CustomScalars/Nowhere.swift"])
  }

  @Test("The file of a scalar is found by the name that Apollo's generator gives it where kinds are in names of files")
  func suffix() throws {
    let files = try written(["out/Schema/CustomScalars/When.scalar.swift": "public typealias When = Moment"]) {
      $0.output.moduleType = .other
    }
    #expect(!files.contains("out/Schema/CustomScalars/When.swift"), "\(files)")
  }

  @Test("In the target that the output is a part of, they are kept where they are about this schema")
  func inTarget() throws {
    let files = try written([
      "Sources/App/Model/SchemaConfiguration.swift": "extension HeroAPI {\n\(Self.configuration)\n}",
      "Sources/App/CustomScalars/ID.swift": "extension HeroAPI { typealias ID = String }",
      "Sources/App/CustomScalars/When.swift": "extension HeroAPI { typealias When = Foundation.Date }",
      // A package in the target's folder.
      "Sources/App/Packages/CustomScalars/Date.swift": "public typealias Date = String",
    ]) {
      $0.schemaNamespace = "HeroAPI"
      $0.output.path = "Sources/App/API"
      $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
    }
    #expect(
      files == [
        "Sources/App/API/Schema/CustomScalars/Date.swift", "Sources/App/API/Schema/CustomScalars/Nowhere.swift",
      ])
  }

  @Test(
    "Where Apollo's generator declares SchemaConfiguration for an embedded target, it is used, and there is no warning",
    arguments: [
      (.inSchemaModule, "Schema/"), (.relative(subpath: nil, accessLevel: .internal), ""),
      (.absolute(path: "Sources/App/Operations", accessLevel: .internal), ""),
    ] as [(ApolloCodegenConfiguration.OperationsOutput, String)])
  func configurationOfApollo(operations: ApolloCodegenConfiguration.OperationsOutput, folder: String) throws {
    let text = """
      enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
        static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
          try? CacheKeyInfo(jsonValue: object["id"])
        }
      }
      """
    let files = try written(["Sources/App/API/\(folder)SchemaConfiguration.swift": text]) {
      $0.schemaNamespace = "HeroAPI"
      $0.output.path = "Sources/App/API"
      $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
      $0.output.operations = operations
    }
    #expect(!files.contains { $0.hasSuffix("/SchemaConfiguration.swift") }, "\(files)")
  }

  @Test(
    "A warning names a second SchemaConfiguration, which an earlier run wrote beside the app's own, and both are kept",
    arguments: [false, true])
  func secondConfiguration(isChanged: Bool) throws {
    let folder = try TemporaryFolder(["s.graphqls": "type Query { a: Int }", "Q.graphql": "query Q { a }"])
    func run() -> ApolloCodegen.Report {
      folder.generate {
        $0.schemaNamespace = "HeroAPI"
        $0.output.path = "App/API"
        $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
        $0.output.operations = .relative(subpath: nil, accessLevel: .internal)
      }
    }
    #expect(run().diagnostics == [])
    let written = "App/API/Schema/SchemaConfiguration.swift", own = "App/API/SchemaConfiguration.swift"
    if isChanged { try folder.write(folder.text(written) + "// Mine\n", to: written) }
    try folder.write(
      """
      enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
        static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
          try? CacheKeyInfo(jsonValue: object["id"])
        }
      }
      """, to: own)
    for _ in 1...2 {
      let report = run()
      #expect(report.removedFiles == [] && report.diagnostics.map(\.code) == [.unfitFile])
      #expect(report.diagnostics.allSatisfy { $0.message.contains(".swift\" and \"") })
      #expect(folder.files.contains(own) && folder.files.contains(written))
    }
  }

  @Test(
    "One of another target in the target's folder, with the same namespace, takes nothing away, and there is no warning",
    arguments: [false, true])
  func otherTarget(isChanged: Bool) throws {
    let folder = try TemporaryFolder(["s.graphqls": "type Query { a: Int }", "Q.graphql": "query Q { a }"])
    let outputs = [("App", "App/Sources/API"), ("Widget", "App/Widget/API")]
    for round in 1...2 {
      for (target, path) in outputs {
        let report = folder.generate {
          $0.schemaNamespace = "HeroAPI"
          $0.output.path = path
          $0.output.moduleType = .embeddedInTarget(name: target, accessLevel: .internal)
        }
        #expect(report.removedFiles == [] && report.diagnostics == [])
        let file = path + "/Schema/SchemaConfiguration.swift"
        #expect(folder.files.contains(file))
        if isChanged, round == 1 { try folder.write(folder.text(file) + "// Mine\n", to: file) }
      }
    }
  }

  @Test("Files that were changed are kept when the folder of the output moves within a target")
  func movedOutput() throws {
    let folder = try TemporaryFolder(["s.graphqls": "type Query { a: When } scalar When", "Q.graphql": "query Q { a }"])
    func run(_ path: String) -> ApolloCodegen.Report {
      folder.generate {
        $0.output.path = path
        $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
      }
    }
    #expect(!run("App/Old").hasErrors)
    for file in ["SchemaConfiguration.swift", "CustomScalars/When.swift"] {
      try folder.write("// Mine\n" + folder.text("App/Old/Schema/" + file), to: "App/Old/Schema/" + file)
    }
    #expect(!run("App/New").hasErrors)
    #expect(!folder.files.contains { $0.hasPrefix("App/New/Schema/S") && $0.hasSuffix("Configuration.swift") })
    #expect(!folder.files.contains("App/New/Schema/CustomScalars/When.swift"))
  }

  @Test("A scalar whose name in Swift is another one has its type once", arguments: ["uuid", "Any"])
  func otherName(scalar: String) throws {
    let folder = try TemporaryFolder([
      "s.graphqls": "type Query { a: \(scalar) } scalar \(scalar)", "Q.graphql": "query Q { a }",
    ])
    func run(_ type: String?) -> ApolloCodegen.Report {
      folder.generate {
        $0.output.moduleType = .other
        if let type { $0.rendering.customScalars[scalar] = .init(type: type, module: "Foundation") }
      }
    }
    #expect(!run(nil).hasErrors && folder.files.contains { $0.contains("/CustomScalars/") })
    #expect(!run("UUID").hasErrors && !folder.files.contains { $0.contains("/CustomScalars/") })
  }

  @Test("The files of a generated package below the folder of the output are not those of the module around it")
  func packageInOutput() throws {
    let folder = try TemporaryFolder(["s.graphqls": "type Query { a: When } scalar When", "Q.graphql": "query Q { a }"])
    func run(_ path: String, _ module: ApolloCodegenConfiguration.ModuleType) -> ApolloCodegen.Report {
      folder.generate {
        $0.output.path = path
        $0.output.moduleType = module
      }
    }
    for module in [.sameModule(accessLevel: .internal), .other] as [ApolloCodegenConfiguration.ModuleType] {
      #expect(!run("MyApp", module).hasErrors)
      #expect(!run("MyApp/Packages/API", .swiftPackage(.local(path: "../apollo"))).hasErrors)
      let report = run("MyApp", module)
      #expect(report.changedFiles == [] && report.diagnostics.isEmpty, "\(report.changedFiles)")
    }
  }

  @Test(
    "In the target, a file of a scalar is found however it names the namespace",
    arguments: [
      "extension HeroAPI.When: CustomScalarType {}", "extension App.HeroAPI { typealias When = String }",
      "extension App.HeroAPI.When: CustomScalarType {}", "extension `HeroAPI` { struct When {} }",
      "struct Brace { let text = \"}\", more = #\"\\(\"#, last = \"\\(\"{\")\" }\n"
        + "extension HeroAPI { typealias When = String }",
      "/* struct When { /* { */ */ extension HeroAPI { typealias When = String }",
    ])
  func named(text: String) throws {
    let files = try written(["Sources/App/Model/CustomScalars/When.swift": text]) {
      $0.schemaNamespace = "HeroAPI"
      $0.output.path = "Sources/App/API"
      $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
    }
    #expect(!files.contains { $0.hasSuffix("/When.swift") }, "\(files)")
  }

  @Test("A file that only speaks of the namespace is of another schema")
  func mentioned() throws {
    let text = "// Unlike HeroAPI.When, of another module.\nextension OtherAPI { typealias When = String }"
    let files = try written(["Sources/App/Other/CustomScalars/When.swift": text]) {
      $0.schemaNamespace = "HeroAPI"
      $0.output.path = "Sources/App/API"
      $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
    }
    #expect(files.contains("Sources/App/API/Schema/CustomScalars/When.swift"))
  }

  @Test("Where nothing is written for people to change, they are used")
  func flat() throws {
    let folder = try TemporaryFolder(Self.files)
    #expect(!folder.generate().hasErrors)
    let without = try folder.text("out/Schema.graphql.swift")
    #expect(without.contains("typealias When = String") && !without.contains("SchemaMetadata"))
    for name in ["out/SchemaConfiguration.swift", "out/CustomScalars/When.swift"] { try folder.write("", to: name) }
    #expect(!folder.generate().hasErrors)
    let with = try folder.text("out/Schema.graphql.swift")
    #expect(!with.contains("typealias When") && with.contains("typealias Date_Scalar = String"))
    #expect(with.contains("enum SchemaMetadata: ApolloAPI.SchemaMetadata"))
    #expect(try folder.text("out/A.graphql.swift").contains("{ SchemaMetadata.self }"))
  }

  @Test("The build tool plugin names those of its target")
  func named() throws {
    let folder = try TemporaryFolder(Self.files)
    let report = folder.generate {
      $0.output.redirect(to: folder.url.appendingPathComponent("build").path)
      $0.output.providedFiles = ["/App/SchemaConfiguration.swift", "/App/CustomScalars/Nowhere.swift"]
    }
    #expect(!report.hasErrors)
    let text = try folder.text("build/Schema.graphql.swift")
    #expect(text.contains("enum SchemaMetadata") && !text.contains("typealias Nowhere"))
  }

  @Test("A scalar that is called like a type of the runtime has its own name, as in Apollo iOS, and its file is used")
  func runtimeNames() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { a: Object, b: Union, c(d: Interface): Objects } scalar Object enum Union { A } "
        + "input Interface { a: Int } scalar Objects",
      "A.graphql": "query A($d: Interface) { a b c(d: $d) }",
      "out/Schema/CustomScalars/Object.swift": "public typealias Object = Mine",
    ])
    let report = folder.generate { $0.output.moduleType = .other }
    #expect(report.diagnostics == [])
    let schema = try folder.text("out/Schema/Schema.graphql.swift")
    #expect(schema.contains("enum Union: ") && schema.contains("struct Interface: "), "\(schema)")
    #expect(try folder.text("out/Operations/A.graphql.swift").contains("var a: Object?"))
    let files = folder.files.filter { $0.contains("CustomScalars/") }.map { URL(fileURLWithPath: $0).lastPathComponent }
    #expect(files == ["Object.swift", "Objects_Scalar.swift"], "Generated code declares an enum `Objects`.")
  }
}
