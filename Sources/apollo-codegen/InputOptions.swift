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
    if path != nil || string != nil, !schema.isEmpty || !operations.isEmpty {
      throw ValidationError("--schema and --operations stand for a configuration: do not give --path or --string.")
    }
  }

  /// The configuration, and the folder its paths are relative to. Mistakes are printed.
  func load() throws -> (configuration: ApolloCodegenConfiguration, root: URL) {
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    if !schema.isEmpty || !operations.isEmpty {
      var configuration = ApolloCodegenConfiguration()
      if !schema.isEmpty { configuration.input.schemaSearchPaths = schema }
      if !operations.isEmpty { configuration.input.operationSearchPaths = operations }
      return (configuration, current)
    }
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
