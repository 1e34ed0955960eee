import ApolloCodegenLib
import ApolloSwiftRenderer
import ArgumentParser
import ForeignText
import Foundation
import GraphQLJSON
import GraphQLSyntax

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Writes one Swift file for each .graphql file, and one for the schema's types.",
    discussion: """
      Only files that change are written, and nothing is written if there is an error.

      For continuous integration: 'generate --check' writes nothing, and ends with status 1 if a file is not what would \
      be generated.
      """)

  @OptionGroup var input: InputOptions

  @Option(name: [.short, .long], help: "The folder to write to. (default: the current folder, or the configuration's)")
  var output: String?

  @Option(name: .long, help: "The access level of generated code: internal or public.")
  var access: AccessLevelArgument?

  @Option(name: .long, help: "Put all types into an enum of this name.")
  var namespace: String?

  @Flag(name: [.customShort("f"), .long], help: "Fetch the schema first, as the configuration says.")
  var fetchSchema = false

  @Flag(name: .long, help: "Write nothing, and list the files that are out of date.")
  var check = false

  @Flag(name: .long, help: "Keep running, and generate whenever a file changes.")
  var watch = false

  @Flag(
    name: [.short, .long],
    help: "Print how long each stage took, which files were written, and all warnings about the schema.")
  var verbose = false

  @Flag(name: .long, help: "Write nothing to standard error but diagnostics.")
  var quiet = false

  @Flag(
    name: .long,
    help: "With --output: operations use the type SchemaConfiguration that their target declares.")
  var schemaConfiguration = false

  @Option(
    name: .long, parsing: .upToNextOption,
    help: ArgumentHelp(
      "Files of the target that declare SchemaConfiguration and custom scalars.",
      discussion: "Files in the output folder, and in the folder of its target, are found without this option."))
  var provided: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write mocks only; or, with --output, schema-types or operations only.",
      discussion: """
        Mocks go where output.testMocks of the configuration says, or into the folder of --output. schema-types are all \
        types of the schema. Operations import them from the module schemaNamespace.
        """))
  var only: PartArgument?

  @Option(
    name: .long,
    help: "With --only mocks and --output: the module of the mocked types. (default: the configuration's)")
  var module: String?

  @Option(name: .long, help: "Fail rather than write a file outside of this folder.")
  var within: String?

  @Flag(name: .long, help: "Replace files that no generator wrote.")
  var force = false

  @OptionGroup var legacy: LegacyOptions

  func validate() throws {
    if !input.isWithoutConfiguration, namespace != nil || access != nil {
      throw ValidationError(
        "--namespace and --access are for use without a configuration file: with --schema or --operations.")
    }
    if let namespace, !Identifier.isName(namespace) {
      throw ValidationError("--namespace has to be a name in Swift, but \"\(namespace.shownOnOneLine)\" is not.")
    }
    if let only, only != .mocks, output == nil { throw ValidationError("--only \(only.rawValue) goes with --output.") }
    if module != nil, only != .mocks || output == nil {
      throw ValidationError("--module goes with --only mocks and --output.")
    }
    if watch, check || input.format == .json {
      throw ValidationError("--watch cannot be used with --check or --format json.")
    }
    if check, fetchSchema { throw ValidationError("--check writes nothing, so it cannot be used with --fetch-schema.") }
  }

  func run() throws {
    var reporter = input.reporter("generate", quiet: quiet, verbose: verbose)
    // Read before the schema is fetched, so that a change meanwhile is noticed.
    let contents = input.fileContents
    if watch, !fetchSchema { watchForever(try? loadedCodegen(), of: contents) }
    let loaded = try input.load(for: &reporter)
    if fetchSchema { try fetch(loaded, for: &reporter) }
    if watch { watchForever(try? codegen(loaded, for: &reporter), of: contents) }
    guard runOnce(try codegen(loaded, for: &reporter), reporter) else { throw ExitCode.failure }
  }

  private typealias Loaded = (configuration: ApolloCodegenConfiguration, root: URL)

  /// The generator for the flags and the configuration.
  private func codegen(_ loaded: Loaded, for reporter: inout Reporter) throws -> ApolloCodegen {
    var configuration = loaded.configuration
    if schemaConfiguration { configuration.output.schemaConfiguration = .provided }
    configuration.output.providedFiles = provided
    if let output {
      configuration.output.redirect(
        to: URL(fileURLWithPath: output).path, part: only?.value ?? .all, mocksOf: module)
    } else if only == .mocks {
      guard configuration.output.testMocks != .none else {
        try reporter.failWithoutConfiguration(
          "The configuration does not say where mocks go: add \"output.testMocks\", or give --output.")
      }
      configuration.output.part = .mocks
    }
    // With --output, the folder has the files of this run only.
    if output != nil { configuration.input.replacedOperationSearchPaths = [] }
    if let namespace {
      configuration.schemaNamespace = namespace
      configuration.output.moduleType = .embeddedInTarget(name: "", accessLevel: access?.value ?? .internal)
    } else if let access {
      configuration.output.moduleType = .sameModule(accessLevel: access.value)
    }
    legacy.apply(to: &configuration)
    var codegen = input.codegen(configuration, root: loaded.root, showsProgress: !quiet)
    codegen.replacesForeignFiles = force
    codegen.allowedFolder = allowedFolder
    return codegen
  }

  private var allowedFolder: URL? { within.map { URL(fileURLWithPath: $0) } }

  /// Generates code once. Returns false if there are errors, or files that are out of date.
  private func runOnce(_ codegen: ApolloCodegen, _ reporter: Reporter) -> Bool {
    let clock = ContinuousClock()
    let start = clock.now
    let report = check ? codegen.findStaleFiles() : codegen.generate()
    Console.endProgress()
    let isStale = !report.staleFiles.isEmpty
    reporter.report(
      report.diagnostics, sources: report.sources, schema: report.schemaSources,
      summary: isStale ? "" : check ? upToDate(report) : summary(report, clock.now - start),
      failure: "; no file was changed", details: report.details)
    if verbose, !quiet, input.format == .text { showDetails(report) }
    if isStale, !quiet, input.format == .text {
      for file in report.staleFiles { Console.write("  \(file.line)\n") }
      reporter.fail(
        Console.count(report.staleFiles.count, "file")
          + " would change. Run \"apollo-codegen generate\", and check in what it writes.")
    }
    return !report.hasErrors && !isStale
  }

  private func fetch(_ loaded: Loaded, for reporter: inout Reporter) throws {
    guard let download = loaded.configuration.schemaDownload else {
      try reporter.failWithoutConfiguration(
        "The configuration does not say where to fetch the schema: it has no key \"schemaDownload\".")
    }
    var downloader = SchemaDownloader(download, root: loaded.root)
    downloader.replacesForeignFiles = force
    downloader.allowedFolder = allowedFolder
    var fetching = input.reporter("fetch-schema", quiet: quiet, verbose: verbose)
    fetching.isPart = true
    let fetched = FetchSchemaCommand.run(downloader, reporter: fetching)
    reporter.parts = ["fetch": fetched.object]
    if !fetched.isSuccessful { try reporter.failForPrograms() }
  }

  private func loadedCodegen() throws -> ApolloCodegen {
    var reporter = input.reporter("generate", quiet: quiet, verbose: verbose)
    return try codegen(try input.load(for: &reporter), for: &reporter)
  }

  /// Compares the files twice a second, which works on every disk and every system.
  ///
  /// - Parameters:
  ///   - first: The generator; nil: the configuration has to change first.
  ///   - contents: The configuration file of that generator, if there is a file.
  private func watchForever(_ first: ApolloCodegen?, of contents: Data?) -> Never {
    // Loading shows what is wrong with the configuration, so it is loaded again only if it has changed.
    var codegen = first, configuration = contents
    var state: [String: ApolloCodegen.InputState]?
    while true {
      let contents = input.fileContents
      if contents != configuration {
        configuration = contents
        codegen = try? loadedCodegen()
        state = nil
      }
      // Taken before the run, so that a change during it is noticed.
      let current = codegen?.inputState()
      if let codegen, let current, current != state {
        state = current
        _ = runOnce(codegen, input.reporter("generate", quiet: quiet, verbose: verbose))
        if !quiet { Console.progress("Waiting for changes of \(Console.count(current.count, "file"))…") }
      }
      Thread.sleep(forTimeInterval: 0.5)
    }
  }

  // MARK: - Text

  private func showDetails(_ report: ApolloCodegen.Report) {
    Console.show(report.stages)
    for file in report.changedFiles { Console.write("  wrote \(file.relativeToCurrentFolder.shownOnOneLine)\n") }
    for file in report.removedFiles { Console.write("  removed \(file.relativeToCurrentFolder.shownOnOneLine)\n") }
  }

  private func counts(_ report: ApolloCodegen.Report) -> String {
    "\(Console.count(report.operationCount, "operation")), \(Console.count(report.fragmentCount, "fragment"))"
  }

  private func upToDate(_ report: ApolloCodegen.Report) -> String {
    "\(counts(report)): all \(Console.count(report.files.count, "file")) are up to date"
  }

  private func summary(_ report: ApolloCodegen.Report, _ duration: Duration) -> String {
    var changes = "\(report.changedFiles.count) changed"
    if !report.removedFiles.isEmpty { changes += ", \(report.removedFiles.count) removed" }
    let milliseconds = duration / .milliseconds(1)
    return "\(counts(report)) → \(Console.count(report.files.count, "file")) (\(changes)) "
      + "in \(Int(milliseconds.rounded())) ms"
  }
}

/// The parts of the code that separate targets may have.
enum PartArgument: String, ExpressibleByArgument, CaseIterable {
  case schemaTypes = "schema-types"
  case operations
  case mocks

  var value: ApolloCodegenConfiguration.Output.Part {
    switch self {
    case .schemaTypes: .schemaTypes
    case .operations: .operations
    case .mocks: .mocks
    }
  }
}

/// An access level, under its name in the configuration file.
enum AccessLevelArgument: String, ExpressibleByArgument, CaseIterable {
  case `internal`, `public`

  var value: RenderingOptions.AccessLevel { self == .public ? .public : .internal }
}
