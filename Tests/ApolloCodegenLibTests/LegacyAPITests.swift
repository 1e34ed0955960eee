import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

@Suite("Scripts of earlier releases") struct LegacyAPITests {
  static let files = [
    "schema.json": "{}",
    "schema.graphqls": "type Query { at: When, kind: Kind } scalar When enum Kind { A B @deprecated }",
    "A.graphql": "query A { at kind }", "Old/B.graphql": "query B { broken }",
  ]

  @Test("Options of releases 0.x write one file, identifiers, and scalars of the app")
  func options() throws {
    let folder = try TemporaryFolder(Self.files)
    let options = ApolloCodegenOptions(
      excludes: "Old/**", namespace: "API", omitDeprecatedEnumCases: true,
      operationIDsURL: folder.url.appendingPathComponent("operations.json"),
      outputFormat: .singleFile(atFileURL: folder.url.appendingPathComponent("Made/API.swift")),
      customScalarFormat: .passthroughWithPrefix("My"),
      urlToSchemaFile: folder.url.appendingPathComponent("schema.graphqls"))
    #expect(options.configuration.rendering.naming == .legacy)
    #expect(ApolloCodegenConfiguration().rendering.naming != .legacy)
    let summary = try ApolloCodegen.run(from: folder.url, with: folder.url, options: options)
    #expect(summary == "1 operations, 0 fragments, 2 files changed")
    let text = try folder.text("Made/API.swift")
    #expect(text.contains("public enum API {") && text.contains("typealias When = MyWhen"))
    #expect(text.contains("operationIdentifier: \"") && !text.contains("case b"))
    #expect(try folder.text("operations.json").contains("\"source\": \"query A { at kind }\""))
  }

  @Test(
    "Options for a folder find the schema of each release, and write the operations by their identifiers",
    arguments: [
      ("schema.graphqls", "type Query { a: Int }"),
      (
        "schema.json",
        #"{"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":[{"kind":"SCALAR","name":"Int"},"#
          + #"{"kind":"OBJECT","name":"Query","interfaces":[],"fields":[{"name":"a","args":[],"#
          + #""type":{"kind":"SCALAR","name":"Int","ofType":null},"isDeprecated":false}]}]}}}"#
      ),
    ])
  func optionsOfFolder(schema: String, text: String) throws {
    let folder = try TemporaryFolder([schema: text, "A.graphql": "query A { a }"])
    try ApolloCodegen.run(from: folder.url, options: ApolloCodegenOptions(targetRootURL: folder.url))
    #expect(folder.files == ["A.graphql", "API.swift", "operationIDs.json", schema])
    #expect(try folder.text("operationIDs.json").contains("query A { a }"))
  }

  @Test("What is wrong is thrown")
  func errors() throws {
    let folder = try TemporaryFolder(Self.files)
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "out"
    #expect(throws: DiagnosticsError.self) {
      try ApolloCodegen.build(with: configuration, withRootURL: folder.url)
    }
    #expect(throws: DiagnosticsError.self) {
      try ApolloSchemaDownloader.fetch(
        configuration: ApolloSchemaDownloadConfiguration(
          using: .introspection(.init(endpointURL: "nowhere")), outputPath: "schema.graphqls"),
        withRootURL: folder.url)
    }
    #expect(folder.files == Self.files.keys.sorted())
  }

  @Test("Scripts print what they do, down to the level that they choose")
  func logger() {
    CodegenLogger.level = .error
    defer { CodegenLogger.level = .debug }
    var texts = 0
    func text() -> String {
      texts += 1
      return "a folder"
    }
    CodegenLogger.log("File structure: \(text())")
    #expect(texts == 0)
    CodegenLogger.log(text(), logLevel: .error)
    #expect(texts == 1)
  }

  @Test("Scripts of releases 0.x find folders by their names, and make them")
  func folders() throws {
    #expect(FileFinder.findParentFolder().lastPathComponent == "ApolloCodegenLibTests")
    let folder = try TemporaryFolder(Self.files)
    let inner = folder.url.apollo.childFolderURL(folderName: "A").apollo.childFolderURL(folderName: "B")
    for _ in 0..<2 { try FileManager.default.apollo.createFolderIfNeeded(at: inner) }
    try FileManager.default.apollo.createContainingFolderIfNeeded(for: inner.appendingPathComponent("C/schema.json"))
    #expect(FileManager.default.fileExists(atPath: inner.appendingPathComponent("C").path))
    #expect(inner.apollo.parentFolderURL().lastPathComponent == "A")
  }
}
