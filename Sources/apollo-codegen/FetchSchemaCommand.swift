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

  @Option(name: [.short, .customLong("string")], help: "The configuration as JSON text. It overrides --path.")
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

  @Flag(name: [.short, .long], help: "Show all warnings about the schema, and not only the first ones.")
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
    if endpoint != nil, path != nil || string != nil {
      throw ValidationError("--path and --string name a configuration, and --endpoint goes without one.")
    }
    if endpoint != nil, output == nil { throw ValidationError("--endpoint needs --output, the file to write.") }
    if endpoint == nil,
      !header.isEmpty || output != nil || method != nil || timeout != nil || maximumResponseSize != nil
        || includeDeprecatedInputValues
    {
      throw ValidationError(
        "--header, --output, --method, --timeout, --maximum-response-size and --include-deprecated-input-values go with "
          + "--endpoint.")
    }
    if let maximumResponseSize, maximumResponseSize <= 0 {
      throw ValidationError("--maximum-response-size is a number of bytes, and at least 1.")
    }
    try Self.check(header, timeout: timeout)
  }

  static func check(_ headers: [String], timeout: Double?) throws {
    // (All of a header may be a secret, also its name: the name may have been forgotten.)
    for (index, header) in headers.enumerated() {
      guard header.contains(":") else {
        throw ValidationError("Header \(index + 1) has no colon. Write 'Name: value'.")
      }
      guard !parsedHeader(header).key.isEmpty else {
        throw ValidationError("Header \(index + 1) has nothing before its colon. Write 'Name: value'.")
      }
    }
    if let timeout, !(timeout > 0) { throw ValidationError("--timeout is a number of seconds, and more than 0.") }
  }

  private static func parsedHeader(_ text: String) -> SchemaDownloadConfiguration.Header {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return .init(key: parts[0], value: parts.count > 1 ? parts[1] : "")
  }

  func run() throws {
    var reporter = Reporter(
      command: "fetch-schema", diagnostics: .automatic, isJSON: format == .json, isQuiet: false, isVerbose: verbose)
    if let endpoint, let output {
      let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      var download = Self.download(
        endpoint, to: output, headers: header, method: method ?? .post, timeout: timeout ?? 30,
        includeDeprecatedInputValues: includeDeprecatedInputValues)
      if let maximumResponseSize { download.maximumResponseSize = maximumResponseSize }
      return try run(download, root: current, reporter)
    }
    let (configuration, root) = try InputOptions.load(
      path: path, string: string, for: &reporter, orOptions: "--endpoint and --output")
    guard let download = configuration.schemaDownload else {
      try reporter.failWithoutConfiguration(
        "The configuration does not say where to fetch the schema: it has no key \"schemaDownload\".\n"
          + "Give --endpoint and --output, or add the key.")
    }
    try run(download, root: root, reporter)
  }

  private func run(_ download: SchemaDownloadConfiguration, root: URL, _ reporter: Reporter) throws {
    var downloader = SchemaDownloader(download, root: root)
    downloader.replacesForeignFiles = force
    guard Self.run(downloader, reporter: reporter).isSuccessful else { throw ExitCode.failure }
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
      headers: headers.map(parsedHeader), outputPath: output)
  }

  /// Downloads a schema, and reports how that went.
  ///
  /// - Parameters:
  ///   - downloader: Downloads the schema.
  ///   - reporter: Tells people. Servers may send thousands of warnings, so only some are shown.
  /// - Returns: Whether there is a schema, and the object for programs.
  static func run(_ downloader: SchemaDownloader, reporter: Reporter) -> (isSuccessful: Bool, object: JSONNode) {
    let showsProgress = !reporter.isJSON && !reporter.isQuiet
    if showsProgress { Console.progress("Fetching the schema…") }
    let report = downloader.download()
    if showsProgress { Console.endProgress() }
    var reporter = reporter
    reporter.shownSchemaWarnings = 20
    let object = reporter.report(
      report.diagnostics, sources: report.sources,
      schema: Set(report.diagnostics.map(\.span.source)).subtracting([Source.ID.none]),
      summary: "\(Console.count(report.typeCount, "type")), \(report.byteCount / 1000) kB → "
        + "\(report.path.relativeToCurrentFolder)\(report.isChanged ? "" : " (unchanged)")",
      failure: "; \(report.path.relativeToCurrentFolder) was not changed",
      details: [
        "path": .string(report.path), "types": .number(report.typeCount), "bytes": .number(report.byteCount),
        "changed": .boolean(report.isChanged),
      ])
    return (!report.hasErrors, object)
  }
}
