import ApolloCodegenLib
import ArgumentParser
import Foundation
import GraphQLSyntax

/// The options that give the configuration: a file, a string, or flags.
struct InputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: "The configuration file. (default: apollo-codegen-config.json, if neither --schema nor --operations is given)"
  )
  var path: String?

  @Option(name: [.short, .customLong("string")], help: "The configuration as JSON text. It overrides --path.")
  var string: String?

  @Option(
    name: .long, parsing: .upToNextOption,
    help: "Schema files or patterns: SDL, or the JSON result of introspection.")
  var schema: [String] = []

  @Option(
    name: .long, parsing: .upToNextOption,
    help: "Schema files or patterns that are read as well as those of --schema or of the configuration.")
  var schemaExtensions: [String] = []

  @Option(
    name: .long, parsing: .upToNextOption,
    help: "Operation files or patterns. '**' stands for any number of folders. (default: **/*.graphql)")
  var operations: [String] = []

  @Option(name: .long, help: "How to show mistakes: terminal, xcode, or json.")
  var diagnostics: DiagnosticsFormat = .automatic

  @Option(
    name: .long,
    help: "What is said about the run: text for people, or json, one object on standard output, for programs.")
  var format: OutputFormat = .text

  enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  enum DiagnosticsFormat: String, ExpressibleByArgument {
    case automatic, terminal, xcode, json
  }

  static let defaultPath = "apollo-codegen-config.json"

  /// The configuration, and the folder that its paths are relative to.
  ///
  /// Flags replace values of the configuration file. Without a file, they are the whole configuration.
  ///
  /// - Parameter reporter: Is told what is wrong with the configuration.
  /// - Returns: The configuration and the folder.
  /// - Throws: The end of the run if there is an error.
  func load(for reporter: inout Reporter) throws -> (configuration: ApolloCodegenConfiguration, root: URL) {
    var (configuration, root) =
      isWithoutConfiguration
      ? (ApolloCodegenConfiguration(), Self.current) : try Self.load(path: path, string: string, for: &reporter)
    if !schema.isEmpty { configuration.input.schemaSearchPaths = schema.map(absolute) }
    configuration.input.schemaExtensions = schemaExtensions.map(absolute)
    if !operations.isEmpty {
      if !isWithoutConfiguration {
        configuration.input.replacedOperationSearchPaths = configuration.input.operationSearchPaths
        configuration.input.hasOtherSearchPaths = true
      }
      configuration.input.operationSearchPaths = operations.map(absolute)
    }
    return (configuration, root)
  }

  /// The contents of the configuration file; nil if there is none, or if it is not used.
  var fileContents: Data? {
    guard !isWithoutConfiguration, string == nil else { return nil }
    return try? Data(contentsOf: URL(fileURLWithPath: path ?? Self.defaultPath))
  }

  /// Whether the flags are the whole configuration.
  var isWithoutConfiguration: Bool {
    path == nil && string == nil && !(schema.isEmpty && operations.isEmpty)
  }

  /// Makes the generator.
  ///
  /// - Parameters:
  ///   - configuration: What to generate.
  ///   - root: The folder that paths are relative to.
  ///   - showsProgress: Whether a line at a terminal tells the stage of the run. The default is true.
  /// - Returns: The generator.
  func codegen(
    _ configuration: ApolloCodegenConfiguration, root: URL, showsProgress: Bool = true
  ) -> ApolloCodegen {
    var codegen = ApolloCodegen(configuration, root: root, namesAbsolutePaths: diagnostics == .xcode)
    if showsProgress, format == .text {
      codegen.onStage = { stage in Console.progress(Self.stages[stage] ?? stage) }
    }
    return codegen
  }

  private static let stages = [
    "read": "Reading files…", "schema": "Reading the schema…", "validate": "Checking operations…",
    "lower": "Merging selections…", "plan": "Planning types…", "render": "Writing Swift…",
    "lay out": "Looking at earlier files…",
    "write": "Writing files…", "compare": "Comparing files…",
  ]

  /// Makes a reporter, which tells people or programs what a run did.
  func reporter(_ command: String, quiet: Bool = false, verbose: Bool = false) -> Reporter {
    Reporter(
      command: command, diagnostics: diagnostics, isJSON: format == .json, isQuiet: quiet, isVerbose: verbose)
  }

  private static var current: URL { URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }

  /// Paths on the command line are relative to the current folder.
  private func absolute(_ pattern: String) -> String {
    ApolloCodegenConfiguration.Input.searchPath(pattern, from: Self.current.path)
  }

  /// The configuration in a file or a string, and the folder that its paths are relative to.
  ///
  /// - Parameters:
  ///   - path: The file; nil: the one that is called ``defaultPath``.
  ///   - string: The string, which counts if both are given; nil: there is a file.
  ///   - reporter: Is told what is wrong with the configuration.
  ///   - options: What may be given instead of a configuration. The default is what generates code.
  /// - Returns: The configuration and the folder.
  /// - Throws: The end of the run if there is an error.
  static func load(
    path: String?, string: String?, for reporter: inout Reporter, orOptions options: String = "--schema and --output"
  ) throws -> (configuration: ApolloCodegenConfiguration, root: URL) {
    if let string { return (try parse(Source(string, name: "--string"), for: &reporter), current) }
    let file = URL(fileURLWithPath: path ?? defaultPath)
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      var message = "\"\(path ?? defaultPath)\" cannot be read: \(error.localizedDescription)"
      if path == nil {
        message += "\nGive \(options), or write a configuration with \"apollo-codegen init\"."
      }
      try reporter.failWithoutConfiguration(message)
    }
    return (try parse(Source(utf8: data, name: path ?? defaultPath), for: &reporter), file.deletingLastPathComponent())
  }

  private static func parse(_ source: Source, for reporter: inout Reporter) throws -> ApolloCodegenConfiguration {
    let parsed = ApolloCodegenConfiguration.read(source)
    try reporter.reportConfiguration(parsed.diagnostics, in: source)
    guard let configuration = parsed.value else { try reporter.failForPrograms() }
    return configuration
  }
}
