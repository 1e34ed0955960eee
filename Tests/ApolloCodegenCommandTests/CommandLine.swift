import Foundation
import Waiting

/// The built executable.
enum Tool {
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  static func start(_ arguments: [String], in folder: Folder, environment: [String: String] = [:]) throws -> Child {
    try Child(Child.product("apollo-codegen"), arguments, environment: environment, in: folder.url)
  }

  /// Runs the tool to its end.
  static func run(
    _ arguments: [String], in folder: Folder, environment: [String: String] = [:]
  ) async throws -> Outcome {
    let outcome = try await start(arguments, in: folder, environment: environment).ended()
    return Outcome(status: outcome.status, output: outcome.text, errors: outcome.errors)
  }
}

/// A folder that is removed with the test.
final class Folder {
  let url: URL

  init(_ files: [String: String] = [:]) throws {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("command-tests-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    url = base.appendingPathComponent("project")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

  func write(_ text: String, to name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  func text(_ name: String) -> String? {
    try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
  }

  /// The paths of all files, relative to the folder.
  var files: [String] {
    let entries = FileManager.default.enumerator(at: url, includingPropertiesForKeys: [.isDirectoryKey])
    return (entries?.compactMap { $0 as? URL } ?? [])
      .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) != true }
      .map { String($0.path.dropFirst(url.path.count + 1)) }.sorted()
  }
}

enum Sample {
  static let files = [
    "schema.graphqls": "type Query { hero: Hero } type Hero @typePolicy(keyFields: \"id\") { id: ID!, name: String! }",
    "Hero.graphql": "query Hero { hero { name } }",
  ]
  static let flags = ["--schema", "schema.graphqls", "--operations", "*.graphql", "--output", "API"]
}
