import ApolloCodegenLib
import Foundation
import GraphQLSyntax
import Testing

/// Fixtures are folders `0001_Name` with a schema, documents, perhaps a configuration, and the Swift that is expected.
///
/// `UPDATE_FIXTURES=1` writes what is generated in place of what was expected, and fails once so that the change is looked at.
@Suite("Fixtures") struct FixtureTests {
  static let names: [String] = {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: Paths.fixtures.path)) ?? []
    return entries.filter { !$0.hasPrefix(".") }.sorted()
  }()

  @Test("Every fixture has a number of its own, and is compiled by a target of the package")
  func numbers() throws {
    #expect(!Self.names.isEmpty)
    #expect(Set(Self.names.map { $0.prefix(4) }).count == Self.names.count)
    let manifest = try String(contentsOf: Paths.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    for name in Self.names { #expect(manifest.contains("\"\(name)\""), "Package.swift has to list \(name)") }
  }

  @Test("A fixture generates what is expected of it", arguments: names)
  func generates(name: String) throws {
    let folder = Paths.fixtures.appendingPathComponent(name)
    let expected = folder.appendingPathComponent("expected")
    let temporary = try TemporaryFolder()
    var configuration = try Self.configuration(in: folder)
    if FileManager.default.fileExists(atPath: expected.appendingPathComponent("SchemaConfiguration.swift").path) {
      configuration.output.schemaConfiguration = .provided
    }
    configuration.output.redirect(to: temporary.url.path)
    let report = ApolloCodegen(configuration, root: folder).generate()
    #expect(report.diagnostics.filter { $0.severity == .error } == [])

    let generated = try Self.texts(in: temporary.url)
    if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] != nil {
      var update = configuration
      update.output.redirect(to: expected.path)
      let report = ApolloCodegen(update, root: folder).generate()
      #expect(report.changedFiles == [] && report.removedFiles == [], "These files were updated.")
    }
    let wanted = try Self.texts(in: expected).filter { $0.key.hasSuffix(".graphql.swift") }
    #expect(generated.keys.sorted() == wanted.keys.sorted())
    for (file, text) in wanted { #expect(generated[file] == text, "\(name)/expected/\(file)") }
  }

  @Test("Mocks of a fixture, which tests of generated code use, are what is generated", arguments: names)
  func mocks(name: String) throws {
    let folder = Paths.fixtures.appendingPathComponent(name)
    var configuration = try Self.configuration(in: folder)
    guard configuration.output.testMocks != .none else { return }
    configuration.output.part = .mocks
    let codegen = ApolloCodegen(configuration, root: folder)
    if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] != nil { _ = codegen.generate() }
    let report = codegen.findStaleFiles()
    #expect(report.diagnostics.filter { $0.severity == .error } == [])
    #expect(report.staleFiles.isEmpty && !report.files.isEmpty)
  }

  @Test("The size of generated code is what the ledger says")
  func ledger() throws {
    var lines = ["fixture files lines bytes"]
    for name in Self.names {
      let texts = try Self.texts(in: Paths.fixtures.appendingPathComponent("\(name)/expected"))
        .filter { $0.key.hasSuffix(".graphql.swift") }
      let lineCount = texts.values.reduce(0) {
        $0 + $1.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      }
      lines.append("\(name) \(texts.count) \(lineCount) \(texts.values.reduce(0) { $0 + $1.utf8.count })")
    }
    let ledger = lines.joined(separator: "\n") + "\n"
    let url = Paths.fixtures.deletingLastPathComponent().appendingPathComponent("ledger.txt")
    let recorded = try? String(contentsOf: url, encoding: .utf8)
    if ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] != nil {
      try ledger.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(recorded == ledger)
  }

  private static func configuration(in folder: URL) throws -> ApolloCodegenConfiguration {
    let file = folder.appendingPathComponent("apollo-codegen-config.json")
    guard let data = try? Data(contentsOf: file) else {
      var configuration = ApolloCodegenConfiguration()
      configuration.input.schemaSearchPaths = ["*.graphqls"]
      configuration.input.operationSearchPaths = ["*.graphql"]
      configuration.output.moduleType = .sameModule(accessLevel: .public)
      return configuration
    }
    let parsed = ApolloCodegenConfiguration.read(Source(utf8: data, name: file.path))
    #expect(parsed.diagnostics == [])
    return try #require(parsed.value)
  }

  private static func texts(in folder: URL) throws -> [String: String] {
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      texts[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    return texts
  }
}
