import Foundation

/// The built executable.
enum Tool {
  static let url: URL = {
    let test = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
    let beside = test.deletingLastPathComponent().appendingPathComponent("apollo-codegen")
    if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    // On Apple's systems the test runner is elsewhere, and the tests are in a bundle beside the tool.
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return package.appendingPathComponent(".build/debug/apollo-codegen")
  }()

  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// A process that starts while another one does inherits the pipe that tells Foundation of the other one's end.
  private static let starting = NSLock()

  /// Starts the tool. Its output goes to files, which never fill up.
  static func start(_ arguments: [String], in folder: Folder, environment: [String: String] = [:]) throws -> Run {
    let run = Run(id: UUID().uuidString, folder: folder)
    run.process.executableURL = url
    run.process.arguments = arguments
    run.process.currentDirectoryURL = folder.url
    run.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    for file in [run.outputFile, run.errorFile] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    run.process.standardOutput = try FileHandle(forWritingTo: run.outputFile)
    run.process.standardError = try FileHandle(forWritingTo: run.errorFile)
    try starting.withLock { try run.process.run() }
    return run
  }

  /// Runs the tool to its end, without holding a thread that servers in the same process may need.
  static func run(
    _ arguments: [String], in folder: Folder, environment: [String: String] = [:]
  ) async throws -> Outcome {
    let run = try start(arguments, in: folder, environment: environment)
    while run.process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    return run.outcome
  }

  final class Run {
    let process = Process()
    let outputFile: URL
    let errorFile: URL

    init(id: String, folder: Folder) {
      outputFile = folder.logs.appendingPathComponent("\(id).out")
      errorFile = folder.logs.appendingPathComponent("\(id).err")
    }

    var outcome: Outcome {
      Outcome(
        status: process.isRunning ? -1 : process.terminationStatus,
        output: (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "",
        errors: (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "")
    }
  }
}

/// A folder that is removed with the test.
final class Folder {
  let url: URL
  let logs: URL

  init(_ files: [String: String] = [:]) throws {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("command-tests-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    url = base.appendingPathComponent("project")
    logs = base.appendingPathComponent("logs")
    for folder in [url, logs] { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
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
    "schema.graphqls": "type Query { hero: Hero } type Hero { id: ID!, name: String! }",
    "Hero.graphql": "query Hero { hero { name } }",
  ]
  static let flags = ["--schema", "schema.graphqls", "--operations", "*.graphql", "--output", "API"]
}
