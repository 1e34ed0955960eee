import Foundation
import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

/// What is not found is not taken for what is gone, and what is found is what was meant.
@Suite("Files that are searched") struct SearchedFileTests {
  static let files = [
    "schema.graphqls": "type Query { hero: String }", "Hero.graphql": "query Hero { hero }",
    "more/Other.graphql": "query Other { hero }",
  ]
  private static let made = ["Hero", "Other", "Schema"].map { "out/\($0).graphql.swift" }

  private func link(_ name: String, to target: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent(name).path, withDestinationPath: target)
  }

  private func remove(_ name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
  }

  private func written(_ folder: TemporaryFolder) -> [String] { folder.files.filter { $0.hasPrefix("out/") } }

  @Test("Where a folder cannot be read, nothing is removed; it can be excluded")
  func unreadable() throws {
    let folder = try TemporaryFolder(Self.files)
    var patterns = ["*.graphql", "more/**/*.graphql"]
    let generate = { folder.generate { $0.input.operationSearchPaths = patterns } }
    #expect(!generate().hasErrors && written(folder) == Self.made)
    // (A link to itself cannot be read, not even by the owner of the machine.)
    try remove("more", in: folder)
    try link("more", to: "more", in: folder)
    let report = generate()
    #expect(!report.hasErrors && report.removedFiles == [] && written(folder) == Self.made)
    let warnings = report.diagnostics.filter { $0.code == .unreadableFile }
    #expect(warnings.map(\.severity) == [.warning])
    #expect(warnings.first?.message.contains("/more\" cannot be read: ") == true)
    #expect(warnings.first?.help?.hasSuffix("exclude it in the search paths: \"!more/**\".") == true)
    patterns.append("!more/**")
    #expect(!generate().hasErrors && written(folder) == Self.made.filter { !$0.contains("Other") })
  }

  @Test("Folders that are excluded as a whole are not searched")
  func excludedFolders() throws {
    var files = Self.files
    for name in ["a/A", "a/b/B", "c/C"] { files["node_modules/\(name).graphql"] = "" }
    files["more/node_modules/a/A.graphql"] = ""
    let folder = try TemporaryFolder(files)
    var finder = FileSearch(base: folder.url.path)
    func found(_ patterns: String...) -> [String] {
      finder.files(matching: patterns).map { String($0.dropFirst(folder.url.path.count + 1)) }
    }
    #expect(found("**/*.graphql", "!**/node_modules/**") == ["Hero.graphql", "more/Other.graphql"])
    #expect(finder.searchedFolderCount == 2)
    // The same folders are not searched again, whichever files of them are excluded.
    #expect(found("**/*.graphqls", "!**/node_modules/**", "!more/*") == ["schema.graphqls"])
    #expect(finder.searchedFolderCount == 2)
    #expect(found("**/*.graphql", "!node_modules/a/**", "!**/Hero.graphql").count == 3)
    #expect(finder.searchedFolderCount == 8)
    #expect(found("**/*.graphql").count == 6)
    #expect(finder.searchedFolderCount == 16)
  }

  @Test("An exclusion of the folders of some name excludes no others")
  func excludedName() {
    for (pattern, isExcluded) in [("**/x/**", false), ("*/**", true), ("a/**", true), ("a", false), ("?/x/**", false)] {
      #expect(Glob("!" + pattern, base: "/base").matchesAll(below: "/base/a") == isExcluded, "\(pattern)")
    }
    #expect(Glob("!**/x/**", base: "/base").matchesAll(below: "/base/a/x"))
  }

  // (Everything can be read by the owner of the machine.)
  @Test("Nor is anything removed where a folder may not be read", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    let folder = try TemporaryFolder(Self.files), more = folder.url.appendingPathComponent("more").path
    #expect(!folder.generate().hasErrors && written(folder) == Self.made)
    try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: more)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: more) }
    let report = folder.generate()
    #expect(!report.hasErrors)
    #expect(report.removedFiles.isEmpty)
    #expect(written(folder) == Self.made)
    let unreadable = report.diagnostics.filter { $0.code == .unreadableFile }
    #expect(unreadable.count == 1)
  }

  @Test("A file that patterns find on several ways is read once")
  func severalWays() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "ops/Hero.graphql": "query Hero { hero }",
    ])
    try link("linked", to: "ops", in: folder)
    try link("again.graphqls", to: "schema.graphqls", in: folder)
    let report = folder.generate { $0.input.operationSearchPaths = ["linked/*.graphql", "**/*.graphql"] }
    #expect(!report.hasErrors && report.operationCount == 1, "\(report.errors(in: folder))")
  }

  @Test("Search paths with braces and sets find documents, and what was generated from these goes with them")
  func alternatives() throws {
    let folder = try TemporaryFolder(Self.files)
    try folder.write("query More { hero }", to: "more/More.gql")
    let generate = {
      folder.generate { $0.input.operationSearchPaths = ["[A-H]*.graphql", "{less,more}/*.{graphql,gql}"] }
    }
    #expect(generate().operationCount == 3)
    try remove("more/Other.graphql", in: folder)
    #expect(generate().removedFiles == [folder.url.appendingPathComponent("out/Other.graphql.swift").path])
  }

  @Test("A file that is named has to be there; a folder that is not there has no files")
  func named() throws {
    let folder = try TemporaryFolder(Self.files)
    let generate = {
      folder.generate {
        $0.input.schemaSearchPaths = ["schema.graphqls", "extra/*.graphqls", "none/**/*.graphqls"]
        $0.input.operationSearchPaths = ["Hero.graphql", "more/Other.graphql", "!x/**", "none/*.graphql"]
      }
    }
    #expect(!generate().hasErrors && written(folder) == Self.made)
    try remove("more/Other.graphql", in: folder)
    let report = generate()
    #expect(report.errorCodes == [.missingOperations] && written(folder) == Self.made)
    #expect(report.errors(in: folder).contains("No operation file matches \"more/Other.graphql\" in"))
    let misspelt = folder.generate { $0.input.schemaSearchPaths = ["schema.graphqls", "extension.graphqls"] }
    #expect(misspelt.errorCodes == [.missingSchema])
    let help = misspelt.diagnostics.first { $0.code == .missingSchema }?.help
    #expect(help == "A file that is named has to be there. Correct the name, or remove it.")
  }

  @Test("A schema that is not there is named also where files add to it, and a file that adds to it has to be there")
  func missingBesideExtensions() throws {
    let folder = try TemporaryFolder(["more.graphqls": "extend type Hero { a: Int }", "A.graphql": "query A { a }"])
    func error(_ schemas: [String], _ extensions: [String]) -> String {
      let report = folder.generate {
        $0.input.schemaSearchPaths = schemas
        $0.input.schemaExtensions = extensions
      }
      #expect(report.errorCodes == [.missingSchema], "\(report.errors(in: folder))")
      return report.errors(in: folder)
    }
    #expect(error(["G/*.json"], ["more.graphqls"]).contains("No schema file matches \"G/*.json\" in"))
    try folder.write("type Query { a: Int }", to: "schema.graphqls")
    let misspelt = error(["schema.graphqls"], ["mroe.graphqls"])
    #expect(misspelt.contains("No schema file matches \"mroe.graphqls\" in"), "\(misspelt)")
  }

  @Test("What the search paths exclude is read where it is an addition, and watched", arguments: [true, false])
  func excludedExtension(isNamed: Bool) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { a: Int }", "extra.graphqls": "extend type Query { b: Int }",
      "A.graphql": "query A { b }",
    ])
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "out"
    configuration.input.schemaSearchPaths = ["*.graphqls", "!ex*.graphqls"]
    if isNamed { configuration.input.schemaExtensions = ["extra.graphqls"] }
    let codegen = ApolloCodegen(configuration, root: folder.url)
    #expect(codegen.generate().hasErrors != isNamed)
    #expect(codegen.inputState().keys.contains { $0.hasSuffix("/extra.graphqls") } == isNamed)
  }

  @Test("Hidden files of editors and of the system are found only where a pattern names them")
  func hiddenFiles() throws {
    let folder = try TemporaryFolder(Self.files)
    try folder.write("\u{0}", to: "more/._Other.graphql")
    try folder.write("query A { hero }", to: ".a.graphql")
    try link(".#Hero.graphql", to: "me@host.123:1", in: folder)
    let report = folder.generate()
    #expect(!report.hasErrors && written(folder) == Self.made, "\(report.errors(in: folder))")
    var finder = FileSearch(base: folder.url.path)
    func found(_ patterns: String...) -> [String] {
      finder.files(matching: patterns).map { String($0.dropFirst(folder.url.path.count + 1)) }
    }
    #expect(found("?a.graphql", "more/**", "out/*") == ["more/Other.graphql"] + Self.made)
    #expect(found(".a*") == [".a.graphql"])
    #expect(found(".a.graphql") == [".a.graphql"])
    #expect(found(".a.graphql", "!*.graphql") == [])
  }

  @Test("A folder Pods is passed over only if it is that of CocoaPods, which keeps its lock there")
  func pods() throws {
    var files = Self.files
    files["Pods/Episode.graphql"] = "query Episode { hero }"
    let folder = try TemporaryFolder(files)
    #expect(folder.generate().operationCount == 3)
    try folder.write("", to: "Pods/Manifest.lock")
    #expect(folder.generate().operationCount == 2)
  }

  @Test("A link is followed where a path or a pattern names it, and not where a wildcard finds it")
  func links() throws {
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: Self.files.map { ("real/\($0)", $1) }))
    try link("linked", to: "real", in: folder)
    try link("real/around", to: "../real", in: folder)
    try folder.write("", to: "real/made/keep")
    try link("real/out", to: "made", in: folder)
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "out"
    for root in ["linked", "real"] {
      let report = ApolloCodegen(configuration, root: folder.url.appendingPathComponent(root)).generate()
      #expect(!report.hasErrors && report.operationCount == 2, "\(report.errors(in: folder))")
    }
    var finder = FileSearch(base: folder.url.path)
    let found = finder.files(matching: ["linked/**/*.graphql"]).map { $0.dropFirst(folder.url.path.count + 1) }
    #expect(found == ["linked/Hero.graphql", "linked/more/Other.graphql"])
    let below = finder.files(matching: ["*/Hero.graphql"])
    #expect(below.count == 1)

    // Where the output is a link, what is obsolete is removed there.
    try remove("real/more/Other.graphql", in: folder)
    let report = ApolloCodegen(configuration, root: folder.url.appendingPathComponent("linked")).generate()
    #expect(report.removedFiles.map { $0.dropFirst(folder.url.path.count + 1) } == ["linked/out/Other.graphql.swift"])
  }

  @Test("The name of a folder is not a pattern, whatever is in it")
  func folderNames() throws {
    let folder = try TemporaryFolder()
    for name in ["a*b", "a?b", #"a\b"#, "axb"] {
      for (file, text) in Self.files { try folder.write(text, to: "\(name)/\(file)") }
    }
    for name in ["a*b", "a?b", #"a\b"#] {
      let place = folder.url.appendingPathComponent(name)
      var configuration = ApolloCodegenConfiguration()
      configuration.output.path = "out"
      let report = ApolloCodegen(configuration, root: place).generate()
      #expect(report.operationCount == 2 && report.files.allSatisfy { $0.hasPrefix(place.path + "/out/") })
      try remove("\(name)/more/Other.graphql", in: folder)
      #expect(ApolloCodegen(configuration, root: place).generate().removedFiles.count == 1)
    }
    var finder = FileSearch(base: folder.url.path)
    func found(_ patterns: String...) -> [String] {
      finder.files(matching: patterns).map { String($0.dropFirst(folder.url.path.count + 1)) }
    }
    #expect(found(#"a\*b/*.graphql"#) == ["a*b/Hero.graphql"])
    #expect(found(#"a\\b/*.graphql"#) == [#"a\b/Hero.graphql"#])
    #expect(found("a*b/Hero.graphql") == ["a*b/Hero.graphql"], "There is a file of this very name.")
    #expect(found("a*b/*.graphql").count == 4)
    #expect(found("a*b/*.graphql", #"!a\?b/**"#).count == 3)
  }

  @Test(
    "The option `only` of releases 0.x reads all documents, writes one, and removes none", arguments: [false, true])
  func only(isOneFile: Bool) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": "type Query { hero: String }", "A.graphql": "query A { ...F }",
      "B.graphql": "query B { hero }",
      "F.graphql": "fragment F on Query { hero }",
    ])
    let out = folder.url.appendingPathComponent("out")
    func run(only: String?) throws {
      let options = ApolloCodegenOptions(
        only: only.map { folder.url.appendingPathComponent($0) },
        operationIDsURL: folder.url.appendingPathComponent("operations.json"),
        outputFormat: isOneFile
          ? .singleFile(atFileURL: out.appendingPathComponent("API.swift")) : .multipleFiles(inFolderAtURL: out),
        urlToSchemaFile: folder.url.appendingPathComponent("schema.graphqls"))
      try ApolloCodegen.run(from: folder.url, options: options)
    }
    try run(only: nil)
    let all = folder.files, manifest = try folder.text("operations.json")
    let name = isOneFile ? "out/API.swift" : "out/A.graphql.swift", text = try folder.text(name)
    try folder.write("query A { ...F again: hero }", to: "A.graphql")
    try folder.write("query B { other: hero }", to: "B.graphql")
    let other = try isOneFile ? nil : folder.text("out/B.graphql.swift")
    try run(only: "A.graphql")
    #expect(folder.files == all)
    #expect(try folder.text(name) != text)
    if let other {
      #expect(try folder.text("out/B.graphql.swift") == other)
    } else {
      let written = try folder.text(name)
      #expect(written.contains("struct AQuery") && !written.contains("BQuery"), "\(written)")
    }
    let operations = try folder.text("operations.json")
    #expect(operations != manifest && operations.contains("query B"))
    #expect(throws: DiagnosticsError.self) { try run(only: "None.graphql") }
  }

  @Test("The option `only` means a file, whatever its path is, and one that is excluded is an error")
  func onlyElsewhere() throws {
    let folder = try TemporaryFolder([
      "real/schema.graphqls": "type Query { hero: String }", "real/A.graphql": "query A { hero }",
      "real/B.graphql": "query B { hero }",
    ])
    try link("linked", to: "real", in: folder)
    func run(only: String, excludes: String? = nil) throws {
      let options = ApolloCodegenOptions(
        excludes: excludes, only: folder.url.appendingPathComponent(only),
        outputFormat: .multipleFiles(inFolderAtURL: folder.url.appendingPathComponent("out")),
        urlToSchemaFile: folder.url.appendingPathComponent("real/schema.graphqls"))
      try ApolloCodegen.run(from: folder.url.appendingPathComponent("real"), options: options)
    }
    #expect(throws: DiagnosticsError.self) { try run(only: "real/A.graphql", excludes: "A.graphql") }
    #expect(written(folder) == [])
    try run(only: "linked/A.graphql")
    #expect(written(folder).contains("out/A.graphql.swift") && !written(folder).contains("out/B.graphql.swift"))
  }

  @Test("Paths for editors lead to a target beside the package, links followed, and are YAML whatever it is called")
  func editors() throws {
    for (name, place) in [("other", "../other"), ("o\"\\o", #"../o\"\\o"#), ("proj/in", "in"), ("link/in", "in")] {
      let folder = try TemporaryFolder(["proj/a": ""])
      if name.hasPrefix("link") { try link("link", to: "proj", in: folder) }
      try folder.write("type Query { a: Int }", to: "\(name)/schema.graphqls")
      let target = folder.url.appendingPathComponent(name)
      let report = StartingFiles(root: folder.url.appendingPathComponent("proj"), folder: target)
        .write(forSchemaAt: target.appendingPathComponent("schema.graphqls").path)
      #expect(report.diagnostics == [])
      let text = try folder.text("proj/.graphqlrc")
      #expect(text.contains("  - \"\(place)/*.graphqls\"\n"), "\(text)")
      #expect(text.hasSuffix("documents: \"\(place)/**/*.graphql\"\n"), "\(text)")
    }
  }
}

@Suite("Headers of downloads") struct DownloadHeaderTests {
  @Test(
    "What is not a header is an error without its value, and without a wrong name",
    arguments: [
      ("", "s3cret", "A header has no name."),
      ("Bearer s3cret", "", "The name of a header has the character U+0020, which no name has."),
      ("A\r\nB", "s3cret", "The name of a header has the character U+000D, which no name has."),
      ("é", "s3cret", "The name of a header has the character U+00E9, which no name has."),
      ("A", "s3cret\r\nB: c", "The value of the header \"A\" has a line break or another control character."),
      ("A", "s3cret\u{0}", "The value of the header \"A\" has a line break or another control character."),
    ])
  func headers(name: String, value: String, message: String) throws {
    let folder = try TemporaryFolder()
    // (Nothing is sent.)
    let download = SchemaDownloadConfiguration(
      using: .introspection(.init(endpointURL: "http://127.0.0.1:9/")),
      headers: [.init(key: "X-Good", value: "a\tb"), .init(key: name, value: value)], outputPath: "s.graphqls")
    let report = SchemaDownloader(download, root: folder.url).download()
    #expect(report.diagnostics.map(\.fullMessage) == [message])
  }

  @Test("The timeout of a configuration is more than 0", arguments: ["0", "-1"])
  func timeout(value: String) {
    let text = """
      { "schemaNamespace": "A", "output": { "schemaTypes": { "path": "a", "moduleType": { "other": {} } } },
        "schemaDownload": { "outputPath": "s", "downloadTimeout": \(value),
          "downloadMethod": { "introspection": { "endpointURL": "http://a" } } } }
      """
    let parsed = ApolloCodegenConfiguration.read(Source(text, name: "config.json"))
    #expect(parsed.diagnostics.map(\.message) == ["\"schemaDownload.downloadTimeout\" should be more than 0."])
  }
}
