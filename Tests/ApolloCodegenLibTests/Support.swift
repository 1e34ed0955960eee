import ApolloCodegenLib
import ApolloIR
import Foundation
import GraphQLSyntax
import GraphQLValidation
import Testing

enum Paths {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let fixtures = package.appendingPathComponent("Tests/ApolloCodegenLibTests/Fixtures")
  /// Material that is not a part of the package.
  static let shared =
    ProcessInfo.processInfo.environment["APOLLO_SHARED"].map { URL(fileURLWithPath: $0) }
    ?? package.deletingLastPathComponent().appendingPathComponent("shared")
}

/// A folder that is removed with the test.
final class TemporaryFolder {
  let url: URL

  init(_ files: [String: String] = [:]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("codegen-tests-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: false, encoding: .utf8)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The paths of all files, relative to the folder.
  var files: [String] {
    let entries = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isDirectoryKey])
    return (entries?.compactMap { $0 as? URL } ?? [])
      .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) != true }
      .map { String($0.path.dropFirst(url.path.count + 1)) }.sorted()
  }

  /// Runs the generator on `*.graphqls` and `*.graphql` here, with the output in `out`.
  func generate(_ change: (inout ApolloCodegenConfiguration) -> Void = { _ in }) -> ApolloCodegen.Report {
    var configuration = ApolloCodegenConfiguration()
    configuration.output.path = "out"
    change(&configuration)
    return ApolloCodegen(configuration, root: url).generate()
  }
}

extension ApolloCodegen.Report {
  var errorCodes: [Diagnostic.Code] { diagnostics.filter { $0.severity == .error }.map(\.code) }

  /// The errors as Xcode wants them, without the folder.
  func errors(in folder: TemporaryFolder) -> String {
    var renderer = DiagnosticRenderer(.xcode, sources: sources)
    return renderer.render(diagnostics.filter { $0.severity == .error })
      .replacingOccurrences(of: folder.url.path + "/", with: "").replacingOccurrences(
        of: folder.url.path, with: "FOLDER")
  }

  /// The errors as they are shown at a terminal.
  var excerpt: String {
    var renderer = DiagnosticRenderer(.terminal(isColored: false), sources: sources)
    return renderer.render(diagnostics.filter { $0.severity == .error })
  }
}

/// The program of texts, which have to be valid.
func lower(schema: String, _ operations: String, isCompatibleWithLegacySafelists: Bool = false) throws -> Program {
  let schema = try #require(try Pipeline.schema(from: [Source(schema, name: "schema.graphqls")]).get())
  let document = try #require(
    try Pipeline.document(
      from: [Source(operations, name: "Test.graphql")], schema: schema, configuration: .init()
    ).get())
  return Program(
    lowering: document, schema: schema.value, isCompatibleWithLegacySafelists: isCompatibleWithLegacySafelists)
}
