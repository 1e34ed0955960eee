import ApolloCodegenLib
import ArgumentParser
import ForeignText
import Foundation

struct StartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Begins an app: fetches a server's schema, and writes what goes with it.",
    discussion: """
        swift package --allow-network-connections all apollo-codegen start https://example.com/graphql

      It writes schema.graphqls, key fields for its types, a first query, and .graphqlrc for editors. A file that is there \
      is kept; of the schema, the newest is fetched. A configuration is not needed.
      """)

  @ArgumentParser.Argument(help: "The address of the server's GraphQL.")
  var url: String

  @Option(name: .long, help: "The folder of the target. (default: the only one in Sources)")
  var folder: String?

  @Option(name: .long, help: "A header such as 'Authorization: Bearer …'. Can be given several times.")
  var header: [String] = []

  @Option(name: .long, help: "post or get.")
  var method: FetchSchemaCommand.Method = .post

  @Option(name: .long, help: "How many seconds to wait for the server.")
  var timeout: Double = 30

  @Flag(name: .long, help: "Replace schema.graphqls even if it is not a downloaded schema.")
  var force = false

  func validate() throws { try FetchSchemaCommand.check(header, timeout: timeout) }

  func run() throws {
    let root = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL
    let folder = try self.folder(in: root)
    let schema = folder.appendingPathComponent("schema.graphqls").path
    var reporter = Reporter(command: "start", diagnostics: .automatic, isJSON: false, isQuiet: false)
    reporter.verboseOption = "fetch-schema --verbose"
    var downloader = SchemaDownloader(
      FetchSchemaCommand.download(url, to: schema, headers: header, method: method, timeout: timeout), root: root)
    downloader.replacesForeignFiles = force
    guard FetchSchemaCommand.run(downloader, reporter: reporter).isSuccessful else { throw ExitCode.failure }
    let report = StartingFiles(root: root, folder: folder).write(forSchemaAt: schema)
    Console.show(report.diagnostics, sources: report.sources, format: .automatic)
    guard report.diagnostics.isEmpty else { throw ExitCode.failure }
    for file in report.files {
      let path = file.path.relativeToCurrentFolder.shownOnOneLine
      Console.write(
        file.isWritten
          ? "\(Console.paint("✓", "32;1")) \(path): \(file.summary.shownOnOneLine)\n"
          : "  \(path) is there, and was kept\n")
    }
    Console.write(NextSteps(root: root, folder: folder, url: url, query: report.query).text)
  }

  /// The folder of the target that begins to use GraphQL.
  private func folder(in root: URL) throws -> URL {
    if let folder {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
        Console.error("There is no folder \"\(folder)\".")
        throw ExitCode.failure
      }
      return URL(fileURLWithPath: folder).standardizedFileURL
    }
    let sources = root.appendingPathComponent("Sources")
    let targets = Self.folders(in: sources)
    switch targets.count {
    // In packages with one target, sources may be in "Sources" itself.
    case 0: return FileManager.default.fileExists(atPath: sources.path) ? sources : root
    case 1: return targets[0]
    default:
      Console.error(
        "There are several targets. Say which one begins: "
          + targets.map { "--folder Sources/\($0.lastPathComponent)" }.joined(separator: ", or "))
      throw ExitCode.failure
    }
  }

  private static func folders(in folder: URL) -> [URL] {
    let entries = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    return (entries ?? [])
      .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true }
      .sorted { $0.path < $1.path }
  }
}

/// What to do behind `start`, as far as it has not been done.
private struct NextSteps {
  let text: String

  init(root: URL, folder: URL, url: String, query: String?) {
    let target = folder.lastPathComponent
    var steps: [String] = []
    if let manifest = Self.text(root.appendingPathComponent("Package.swift")),
      !manifest.contains("ApolloCodegenPlugin")
    {
      steps.append(
        """
        In Package.swift, give the target "\(target)" the client and the plugin:

             dependencies: [.product(name: "Apollo", package: "apollo-swift")],
             plugins: [.plugin(name: "ApolloCodegenPlugin", package: "apollo-swift")]
        """)
    }
    if let query {
      steps.append(
        """
        Ask the server, for example:

             import Apollo
             import Foundation

             @main struct \(Self.typeName(target)) {
               static func main() async throws {
                 let client = ApolloClient(url: URL(string: "\(Self.withoutCredentials(url))")!)
                 print(try await client.fetch(query: \(query)Query()).dataOrThrow())
               }
             }
        """)
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent("main.swift").path) {
        steps.append("Move what is in main.swift there: a program has one beginning, main.swift or @main.")
      }
    }
    steps.append("Run \"swift build\". Each .graphql file becomes Swift; a mistake is an error at its place.")
    let numbered = steps.enumerated().map { "  \($0.offset + 1). \($0.element)\n" }.joined(separator: "\n")
    text = "\nNext:\n\n\(numbered)"
  }

  /// What is shown, and becomes code, has no password and no token.
  private static func withoutCredentials(_ url: String) -> String {
    var components = URLComponents(string: url)
    components?.user = nil
    components?.password = nil
    let ending = components?.query == nil ? "" : "?..."
    components?.query = nil
    return (components?.string ?? "https://...") + ending
  }

  private static func text(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }

  private static func typeName(_ target: String) -> String {
    let name = target.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return name.isEmpty || name.first?.isNumber == true ? "App" : name
  }
}
