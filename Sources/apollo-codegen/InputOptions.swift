import ApolloCodegenLib
import ArgumentParser
import Foundation
import GraphQLSyntax

/// Where the configuration comes from: a file, a string, or flags.
struct InputOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "The configuration file.")
  var path: String?

  @Option(name: [.short, .customLong("string")], help: "The configuration as JSON text.")
  var string: String?

  @Option(
    name: .long, parsing: .upToNextOption,
    help: "Schema files or patterns: SDL, or the JSON result of introspection.")
  var schema: [String] = []

  @Option(
    name: .long, parsing: .upToNextOption,
    help: "Operation files or patterns. '**' stands for any number of folders. (default: **/*.graphql)")
  var operations: [String] = []

  @Option(name: .long, help: "How to show mistakes: terminal, xcode, or json.")
  var diagnostics: DiagnosticsFormat = .automatic

  enum DiagnosticsFormat: String, ExpressibleByArgument {
    case automatic, terminal, xcode, json
  }

  static let defaultPath = "apollo-codegen-config.json"

  func validate() throws {
    if path != nil, string != nil { throw ValidationError("Give --path or --string, not both.") }
  }

  /// The configuration, and the folder its paths are relative to. Mistakes are printed.
  ///
  /// Flags stand for a whole configuration, or take the place of what a file says if there is one.
  func load() throws -> (configuration: ApolloCodegenConfiguration, root: URL) {
    let hasFlags = !schema.isEmpty || !operations.isEmpty
    var (configuration, root) =
      hasFlags && path == nil && string == nil ? (ApolloCodegenConfiguration(), current) : try read()
    if !schema.isEmpty { configuration.input.schemaSearchPaths = schema.map(absolute) }
    if !operations.isEmpty { configuration.input.operationSearchPaths = operations.map(absolute) }
    return (configuration, root)
  }

  func codegen(_ configuration: ApolloCodegenConfiguration, root: URL) -> ApolloCodegen {
    ApolloCodegen(configuration, root: root, namesAbsolutePaths: diagnostics == .xcode)
  }

  private var current: URL { URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }

  /// What is given on the command line is relative to the current folder.
  private func absolute(_ pattern: String) -> String {
    let isExclusion = pattern.hasPrefix("!")
    let path = isExclusion ? String(pattern.dropFirst()) : pattern
    guard !path.hasPrefix("/") else { return pattern }
    return (isExclusion ? "!" : "") + current.path + "/" + path
  }

  private func read() throws -> (configuration: ApolloCodegenConfiguration, root: URL) {
    if let string { return (try parse(Source(string, name: "--string")), current) }
    let file = URL(fileURLWithPath: path ?? Self.defaultPath)
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      var message = "\"\(path ?? Self.defaultPath)\" cannot be read: \(error.localizedDescription)"
      if path == nil {
        message += "\nGive --schema and --output, or write a configuration with \"apollo-codegen init\"."
      }
      Console.error(message)
      throw ExitCode.failure
    }
    return (try parse(Source(utf8: data, name: path ?? Self.defaultPath)), file.deletingLastPathComponent())
  }

  private func parse(_ source: Source) throws -> ApolloCodegenConfiguration {
    let parsed = ApolloCodegenConfiguration.read(source)
    Console.show(parsed.diagnostics, sources: SourceMap([source]), format: diagnostics)
    guard let configuration = parsed.value, !parsed.hasErrors else { throw ExitCode.failure }
    return configuration
  }
}
