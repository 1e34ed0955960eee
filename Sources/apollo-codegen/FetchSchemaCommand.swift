import ApolloCodegenLib
import ArgumentParser
import GraphQLJSON
import Foundation
import GraphQLSyntax

struct FetchSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch-schema", abstract: "Fetches the schema from a server or from the GraphOS registry.",
    discussion: """
      Without a configuration file:

        apollo-codegen fetch-schema --endpoint https://example.com/graphql --output schema.graphqls

      The server is asked first what it knows of introspection, so that old servers answer as well. The file stays as it \
      was unless a whole schema has arrived.
      """)

  @Option(name: [.short, .long], help: "The configuration file, which has the key \"schemaDownload\".")
  var path: String?

  @Option(name: [.short, .customLong("string")], help: "The configuration as JSON text.")
  var string: String?

  @Option(name: .long, help: "The address of the server.")
  var endpoint: String?

  @Option(name: .long, help: "A header such as 'Authorization: Bearer …'. Can be given several times.")
  var header: [String] = []

  @Option(name: .long, help: "post or get. (default: post)")
  var method: Method?

  @Option(name: [.short, .long], help: "The file to write. JSON if it ends in .json, otherwise SDL.")
  var output: String?

  @Option(name: .long, help: "How many seconds to wait for the server.")
  var timeout: Double?

  @Option(name: .long, help: "How many bytes an answer may have, when it is unpacked. (default: 67108864)")
  var maximumResponseSize: Int?

  @Flag(name: .long, help: "Ask for deprecated arguments and input fields as well.")
  var includeDeprecatedInputValues = false

  @Flag(name: [.short, .long], help: "Tell the size of the schema.")
  var verbose = false

  @Flag(name: .long, help: "Replace the file even if it is not a downloaded schema.")
  var force = false

  @Option(name: .long, help: "What is said about the run: text for people, or json for programs.")
  var format: InputOptions.OutputFormat = .text

  @Flag(name: .long, help: ArgumentHelp("Has no effect.", visibility: .hidden))
  var ignoreVersionMismatch = false

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case post, get
  }

  func validate() throws {
    if endpoint != nil, output == nil { throw ValidationError("--endpoint needs --output, the file to write.") }
    if endpoint == nil,
      !header.isEmpty || output != nil || method != nil || timeout != nil || maximumResponseSize != nil
        || includeDeprecatedInputValues
    {
      throw ValidationError(
        "--header, --output, --method, --timeout, --maximum-response-size and --include-deprecated-input-values go with "
          + "--endpoint.")
    }
    try Self.check(header)
  }

  static func check(_ headers: [String]) throws {
    for header in headers where !header.contains(":") {
      throw ValidationError("\"\(header)\" is not a header. Write 'Name: value'.")
    }
  }

  func run() throws {
    let reporter = Reporter(
      command: "fetch-schema", diagnostics: .automatic, isJSON: format == .json, isQuiet: false)
    if let endpoint, let output {
      let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      var download = Self.download(
        endpoint, to: output, headers: header, method: method ?? .post, timeout: timeout ?? 30,
        includeDeprecatedInputValues: includeDeprecatedInputValues)
      if let maximumResponseSize { download.maximumResponseSize = maximumResponseSize }
      return try Self.run(download, root: current, force: force, reporter: reporter)
    }
    let (configuration, root) = try InputOptions.load(
      path: path, string: string, orOptions: "--endpoint and --output")
    guard let download = configuration.schemaDownload else {
      Console.error(
        "The configuration does not say where to fetch the schema: it has no key \"schemaDownload\".\n"
          + "Give --endpoint and --output, or add the key.")
      throw ExitCode.failure
    }
    try Self.run(download, root: root, force: force, reporter: reporter)
  }

  /// A download by introspection, as the command line says it.
  static func download(
    _ endpoint: String, to output: String, headers: [String], method: Method, timeout: Double,
    includeDeprecatedInputValues: Bool = false
  ) -> SchemaDownloadConfiguration {
    SchemaDownloadConfiguration(
      using: .introspection(
        .init(
          endpointURL: endpoint, httpMethod: method == .get ? .get() : .post,
          outputFormat: output.hasSuffix(".json") ? .json : .sdl,
          includeDeprecatedInputValues: includeDeprecatedInputValues)),
      timeout: timeout,
      headers: headers.map { header in
        let parts = header.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        return .init(key: parts[0], value: parts.count > 1 ? parts[1] : "")
      },
      outputPath: output)
  }

  static func run(_ download: SchemaDownloadConfiguration, root: URL, force: Bool, reporter: Reporter) throws {
    if !reporter.isJSON { Console.progress("Fetching the schema…") }
    var downloader = SchemaDownloader(download, root: root)
    downloader.replacesForeignFiles = force
    let report = downloader.download()
    if !reporter.isJSON { Console.endProgress() }
    reporter.report(
      report.diagnostics, sources: report.sources,
      summary: "\(Console.count(report.typeCount, "type")), \(report.byteCount / 1000) kB → "
        + "\(report.path.relativeToCurrentFolder)\(report.isChanged ? "" : " (unchanged)")",
      failure: "; \(report.path.relativeToCurrentFolder) was not changed",
      details: [
        "path": .string(report.path), "types": .number(report.typeCount), "bytes": .number(report.byteCount),
        "changed": .boolean(report.isChanged),
      ])
    if report.hasErrors { throw ExitCode.failure }
  }
}
