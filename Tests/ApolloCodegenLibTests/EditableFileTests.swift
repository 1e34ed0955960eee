import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// `SchemaConfiguration.swift` and the files of scalars are written once, for one module type, namespace and access
/// level.
@Suite("Files for people to change, after a change of the configuration") struct EditableFileTests {
  typealias Change = @Sendable (inout ApolloCodegenConfiguration) -> Void

  static let changes: [Change] = [
    { $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal) },
    { $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .public) },
    {
      $0.schemaNamespace = "OtherAPI"
      $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal)
    },
    { $0.output.moduleType = .other },
    { $0.output.moduleType = .swiftPackage(.local(path: "../apollo")) },
    { $0.output.moduleType = .sameModule(accessLevel: .internal) },
  ]
  static let pairs = changes.indices.flatMap { old in changes.indices.filter { $0 != old }.map { (old, $0) } }

  /// A folder after one run, whose second configuration is another one.
  private static func folder(after change: Change) throws -> TemporaryFolder {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { at: When } scalar When", "A.graphql": "query A { at }",
    ])
    #expect(run(change, in: folder).diagnostics == [])
    return folder
  }

  private static func run(_ change: Change, in folder: TemporaryFolder) -> ApolloCodegen.Report {
    folder.generate {
      $0.schemaNamespace = "HeroAPI"
      change(&$0)
    }
  }

  private static func warnings(_ report: ApolloCodegen.Report) -> [String] {
    report.diagnostics.filter { $0.code == .unfitFile && $0.severity == .warning }.map(\.message)
  }

  @Test("Files that were not changed declare what generated code looks for, and there is one of each", arguments: pairs)
  func unchanged(from old: Int, to new: Int) throws {
    let folder = try Self.folder(after: Self.changes[old])
    let report = Self.run(Self.changes[new], in: folder)
    #expect(report.diagnostics.map(\.code) == (old == 4 && new == 2 ? [.unfitFile] : []))
    // Where both the namespace and the folder are others, nothing says that they were those of this configuration.
    let isLeft = { (file: String) in
      old == 2 && [4, 5].contains(new) && file.hasPrefix("out/Schema/")
        || old == 4 && new == 2 && file.hasPrefix("out/Sources/")
    }
    let files = folder.files.filter { $0.hasSuffix("/When.swift") && !isLeft($0) }
    let isWritten = new != 5 || [3, 4].contains(old)
    #expect(files.count == (isWritten ? 1 : 0) && (files == [] || new != 4 || files[0].hasPrefix("out/Sources/")))
    for file in files {
      let text = try folder.text(file)
      let namespace = new < 2 ? "HeroAPI" : new == 2 ? "OtherAPI" : nil
      #expect(text.contains("extension ") == (namespace != nil), "\(text)")
      if let namespace { #expect(text.contains("extension \(namespace) {"), "\(text)") }
      if [1, 3, 4].contains(new) { #expect(text.contains("public typealias When"), "\(text)") }
    }
    #expect(folder.files.count { $0.hasSuffix("/SchemaConfiguration.swift") && !isLeft($0) } == files.count)
    #expect(Self.run(Self.changes[new], in: folder).changedFiles == [])
  }

  @Test(
    "A file of a scalar that gets another type goes, and if it was changed, a warning says why it must",
    arguments: 0..<4, [false, true])
  func otherType(kind: Int, isChanged: Bool) throws {
    for change in Self.changes.dropLast() {
      let folder = try Self.folder(after: change),
        file = try #require(folder.files.first { $0.hasSuffix("/When.swift") })
      if isChanged { try folder.write(folder.text(file).replacing("String", with: "Int"), to: file) }
      switch kind {
      case 2: try folder.write(#"extend scalar When @map(to: "Date", module: "Foundation")"#, to: "m.graphqls")
      case 3: try folder.write("type Query { at: When } enum When { NOW }", to: "schema.graphqls")
      default: break
      }
      let second: Change = {
        change(&$0)
        if kind < 2 { $0.rendering.customScalars["When"] = .init(type: kind == 0 ? "Date" : "When", module: nil) }
      }
      let report = Self.run(second, in: folder), text = try? folder.text(file)
      // (The file may declare the type that the configuration names.)
      let mayStay = kind == 1 && text?.contains("extension ") == false
      #expect(!report.hasErrors && folder.files.contains(file) == (isChanged || mayStay), "\(report.diagnostics)")
      #expect(Self.warnings(report).count == (isChanged && !mayStay ? 1 : 0))
    }
  }

  @Test(
    "A file that was changed stays, and a warning says what generated code does not find",
    arguments: [
      (0, 1, #"declares "When" without "public", and generated code is public."#),
      (0, 2, #"declares "When" in "HeroAPI", and generated code looks for it in "OtherAPI"."#),
      (0, 3, #"declares "When" in "HeroAPI", and generated code looks for it outside of all types."#),
      (4, 0, #"declares "When" outside of all types, and generated code looks for it in "HeroAPI"."#),
      (3, 4, #"is outside of "Sources", the folder of the generated target."#), (1, 0, nil), (4, 3, nil),
    ])
  func changed(from old: Int, to new: Int, problem: String?) throws {
    let folder = try Self.folder(after: Self.changes[old])
    let file = try #require(folder.files.first { $0.hasSuffix("/When.swift") })
    let text = try folder.text(file).replacing("String", with: "Moment")
    try folder.write(text, to: file)
    let warnings = Self.warnings(Self.run(Self.changes[new], in: folder))
    #expect(warnings.count == (problem == nil ? 0 : 1))
    if let problem { #expect(warnings.first?.hasSuffix("When.swift\" \(problem)") == true, "\(warnings)") }
    #expect(try folder.text(file) == text)
  }

  @Test("Where only some documents are read, or nothing is removed, a file that was not changed stays as well")
  func kept() throws {
    for isPartial in [true, false] {
      let folder = try Self.folder(after: Self.changes[0])
      try folder.write("query B { at }", to: "B.graphql")
      let report = folder.generate {
        $0.schemaNamespace = "HeroAPI"
        $0.output.moduleType = .other
        if isPartial {
          $0.input.operationSearchPaths = ["A.graphql"]
          $0.input.replacedOperationSearchPaths = ["**/*.graphql"]
        } else {
          $0.output.prunesGeneratedFiles = false
        }
      }
      #expect(Self.warnings(report).count == 2)
      #expect(try folder.text("out/Schema/CustomScalars/When.swift").contains("extension HeroAPI {"))
    }
  }

  @Test(
    "Declarations are found among others, and what a file does with the type elsewhere is not looked at",
    arguments: [
      "extension HeroAPI { typealias When = Moment }",
      "extension HeroAPI {\n  struct When: Hashable { enum When {} }\n}",
      "// struct When {}\nextension HeroAPI\n{\n  final class When {}\n}\nextension HeroAPI.When: CustomScalarType {}",
      "extension Date: CustomScalarType { func When() {} }\nfunc when() { struct When {} }", "",
    ])
  func declarations(text: String) throws {
    let folder = try Self.folder(after: Self.changes[0])
    try folder.write(text, to: "out/Schema/CustomScalars/When.swift")
    #expect(Self.run(Self.changes[0], in: folder).diagnostics == [])
  }

  @Test(
    "A declaration is public whatever stands between",
    arguments: ["public @frozen", "@frozen public", "public final"])
  func publicDeclarations(modifiers: String) throws {
    let folder = try Self.folder(after: Self.changes[1])
    try folder.write("extension HeroAPI { \(modifiers) class When {} }", to: "out/Schema/CustomScalars/When.swift")
    #expect(Self.run(Self.changes[1], in: folder).diagnostics == [])
  }

  @Test("A comment that was added, or changed, stays", arguments: ["When", "SchemaConfiguration"])
  func comments(name: String) throws {
    for (old, new) in [("  /// ", "  /// Mine.\n  /// "), ("  /// ", "  /// Mine: ")] {
      let folder = try Self.folder(after: Self.changes[0])
      let file = try #require(folder.files.first { $0.hasSuffix("/\(name).swift") })
      let text = try folder.text(file).replacing(old, with: new, maxReplacements: 1)
      try folder.write(text, to: file)
      #expect(Self.warnings(Self.run(Self.changes[3], in: folder)).count == 1)
      #expect(try folder.text(file) == text)
    }
  }

  @Test(
    "The description of a scalar is not a change",
    arguments: [
      #""A moment." scalar When"#, "\"\"\"\nA moment.\n\n  In UTC,  always.\n\"\"\" scalar When",
      "# A moment.\nscalar When", #""A \"quoted\" moment.\n\\ \u00e9" scalar When"#,
    ])
  func descriptions(scalar: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { at: When }\n" + scalar, "A.graphql": "query A { at }",
    ])
    _ = Self.run(Self.changes[0], in: folder)
    let report = Self.run(Self.changes[3], in: folder)
    #expect(report.diagnostics == [])
    #expect(try folder.text("out/Schema/CustomScalars/When.swift").contains("\npublic typealias When"))
  }

  @Test("Scalars whose names differ in case only have a file each, and each run finds both")
  func scalarsOfOneName() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { a: JSON, b: Json } scalar JSON scalar Json", "A.graphql": "query A { a b }",
    ])
    for change in [Self.changes[3], Self.changes[3], Self.changes[0]] {
      #expect(Self.run(change, in: folder).diagnostics == [])
      let files = folder.files.filter { $0.contains("/CustomScalars/") }.sorted()
      #expect(files == ["JSON", "Json_"].map { "out/Schema/CustomScalars/\($0).swift" })
      #expect(try files.map { try folder.text($0).contains("typealias JSON =") } == [true, false])
    }
    #expect(try folder.text("out/Schema/CustomScalars/Json_.swift").contains("extension HeroAPI {"))
    #expect(Self.run(Self.changes[0], in: folder).changedFiles == [])
  }

  @Test("The manifest of a package is removed with the package, and that of another one stays")
  func manifest() throws {
    let folder = try Self.folder(after: Self.changes[4])
    #expect(Self.run(Self.changes[2], in: folder).removedFiles.allSatisfy { !$0.hasSuffix("Package.swift") })
    #expect(Self.run(Self.changes[3], in: folder).removedFiles.contains { $0.hasSuffix("/out/Package.swift") })
  }
  @Test(
    "The manifest of a former package stays if it was changed, with a warning",
    arguments: [
      ("platforms: [", "// Mine.\n  platforms: [", false),
      ("[.package(", #"[.package(url: "https://example.com/b", from: "1.0.0"), .package("#, false),
      ("  targets: [\n", "  targets: [\n    .target(name: \"Mine\", path: \"Mine\"),\n", false),
      (#"path: "Sources""#, #"path: "Sources", exclude: ["Mine"]"#, false), (".iOS(.v16)", ".iOS(.v17)", true),
      (#"path: "../apollo""#, #"path: "../../apollo""#, true),
      (#"name: "apollo-swift", path: "../apollo""#, #"url: "https://example.com/apollo-swift", from: "1.2.3""#, true),
    ])
  func changedManifest(old: String, new: String, isRemoved: Bool) throws {
    let folder = try Self.folder(after: Self.changes[4])
    let text = try folder.text("out/Package.swift").replacing(old, with: new, maxReplacements: 1)
    try folder.write(text, to: "out/Package.swift")
    let report = Self.run(Self.changes[3], in: folder)
    #expect(report.removedFiles.contains { $0.hasSuffix("/out/Package.swift") } == isRemoved)
    #expect(Self.warnings(report).count == (isRemoved ? 0 : 1), "\(report.diagnostics)")
    if !isRemoved { #expect(try folder.text("out/Package.swift") == text) }
  }

  @Test("The description in an introspection result is not a change")
  func introspectedDescription() throws {
    let when = #"{"kind":"SCALAR","name":"When","description":"A \"quoted\" moment,\n\u00e9 \\ \/"}"#
    let field =
      #"{"name":"at","args":[],"type":{"kind":"SCALAR","name":"When","ofType":null},"isDeprecated":false}"#
    let query = #"{"kind":"OBJECT","name":"Query","interfaces":[],"fields":["# + field + "]}"
    let schema =
      #"{"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":["# + query + "," + when + "]}}}"
    let folder = try TemporaryFolder(["schema.json": schema, "A.graphql": "query A { at }"])
    for change in [Self.changes[0], Self.changes[3]] {
      let report = folder.generate {
        $0.schemaNamespace = "HeroAPI"
        $0.input.schemaSearchPaths = ["schema.json"]
        change(&$0)
      }
      #expect(report.diagnostics == [])
      #expect(try folder.text("out/Schema/CustomScalars/When.swift").contains(#"/// é \ /"#))
    }
    #expect(try folder.text("out/Schema/CustomScalars/When.swift").contains("\npublic typealias When"))
  }

  @Test("The manifest of a former package stays as long as a file of it has to be changed, and each run says so")
  func manifestBesideChangedFile() throws {
    let folder = try Self.folder(after: Self.changes[4]), file = "out/Sources/Schema/CustomScalars/When.swift"
    try folder.write(try folder.text(file).replacing("String", with: "Moment"), to: file)
    for _ in 0..<2 {
      let report = Self.run(Self.changes[0], in: folder)
      #expect(Self.warnings(report).count == 1, "\(report.diagnostics)")
      #expect(folder.files.count { $0.hasSuffix("/When.swift") } == 1 && folder.files.contains("out/Package.swift"))
    }
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(file))
    let report = Self.run(Self.changes[0], in: folder)
    #expect(report.diagnostics == [] && report.removedFiles == [folder.url.path + "/out/Package.swift"])
    #expect(folder.files.contains("out/Schema/CustomScalars/When.swift"))
  }

  @Test("A run that reads only some documents keeps the manifest of a former package, and says nothing of it")
  func manifestInPartialRun() throws {
    let folder = try Self.folder(after: Self.changes[4])
    try folder.write("query B { at }", to: "B.graphql")
    let report = folder.generate {
      $0.schemaNamespace = "HeroAPI"
      $0.output.moduleType = .other
      $0.input.operationSearchPaths = ["A.graphql"]
      $0.input.replacedOperationSearchPaths = ["**/*.graphql"]
    }
    #expect(folder.files.contains("out/Package.swift"))
    #expect(Self.warnings(report).allSatisfy { !$0.contains("Package.swift") })
  }
}
