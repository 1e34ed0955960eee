import ApolloCodegenLib
import ArgumentParser
import Foundation
import GraphQLSyntax

struct ManifestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-operation-manifest",
    abstract: "Writes the list of all operations, for servers that accept no others.",
    discussion: "Identifiers are the SHA-256 of what the client sends: the operation and its fragments.")

  @OptionGroup var input: InputOptions

  @Option(name: [.short, .long], help: "The file to write. (default: the configuration's)")
  var output: String?

  @Option(name: .customLong("manifest-version"), help: "persistedQueries or legacy.")
  var version: Version?

  @Flag(name: .long, help: "Replace the file even if it is not a manifest.")
  var force = false

  @Flag(name: [.short, .long], help: "Tell how long each stage took, and list warnings about the schema.")
  var verbose = false

  @Flag(name: .long, help: ArgumentHelp("Has no effect.", visibility: .hidden))
  var ignoreVersionMismatch = false

  enum Version: String, ExpressibleByArgument, CaseIterable {
    case persistedQueries, legacy
  }

  func run() throws {
    var reporter = input.reporter("generate-operation-manifest", verbose: verbose)
    var (configuration, root) = try input.load(for: &reporter)
    if let output {
      configuration.operationManifest = OperationManifest.Configuration(
        path: URL(fileURLWithPath: output).path, version: configuration.operationManifest?.version ?? .persistedQueries)
    }
    if let version { configuration.operationManifest?.version = version == .legacy ? .legacy : .persistedQueries }
    var codegen = input.codegen(configuration, root: root)
    codegen.replacesForeignFiles = force
    let report = codegen.generateOperationManifest()
    Console.endProgress()
    reporter.report(
      report.diagnostics, sources: report.sources, schema: report.schemaSources,
      summary: "\(Console.count(report.operationCount, "operation")) → "
        + report.files.map(\.relativeToCurrentFolder).joined(separator: ", ")
        + (report.changedFiles.isEmpty ? " (unchanged)" : ""),
      failure: "; no file was changed", details: report.details)
    if report.hasErrors { throw ExitCode.failure }
    if verbose, input.format == .text { Console.show(report.stages) }
  }
}
