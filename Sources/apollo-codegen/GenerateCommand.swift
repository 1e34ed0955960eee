import ApolloCodegenLib
import ApolloSwiftRenderer
import ArgumentParser
import Foundation
import GraphQLSyntax

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Writes one Swift file for each .graphql file, and one for the schema's types.",
    discussion: "Only files that change are written, and nothing is written if there is an error.")

  @OptionGroup var input: InputOptions

  @Option(name: [.short, .long], help: "The folder to write to. (default: the current folder, or the configuration's)")
  var output: String?

  @Option(name: .long, help: "The access level of generated code: internal or public.")
  var access: AccessLevelArgument?

  @Option(name: .long, help: "Put all types into an enum of this name.")
  var namespace: String?

  @Flag(name: [.short, .long], help: "List the files that were written.")
  var verbose = false

  @Flag(name: .long, help: "Write nothing to standard error but diagnostics.")
  var quiet = false

  @Flag(name: .long, help: ArgumentHelp("Accepted for compatibility.", visibility: .hidden))
  var ignoreVersionMismatch = false

  func validate() throws {
    if input.path != nil || input.string != nil, namespace != nil || access != nil {
      throw ValidationError("--namespace and --access are for use without a configuration file.")
    }
  }

  func run() throws {
    let clock = ContinuousClock()
    let start = clock.now
    var (configuration, root) = try input.load()
    if let output { configuration.output.redirect(to: URL(fileURLWithPath: output).path) }
    if let namespace {
      configuration.schemaNamespace = namespace
      configuration.output.moduleType = .embeddedInTarget(name: "", accessLevel: access?.value ?? .internal)
    } else if let access {
      configuration.output.moduleType = .sameModule(accessLevel: access.value)
    }
    let report = input.codegen(configuration, root: root).generate()
    Console.show(report.diagnostics, sources: report.sources, format: input.diagnostics)
    if report.hasErrors {
      let count = report.diagnostics.count { $0.severity == .error }
      if !quiet {
        Console.write(Console.paint("✗", "31;1") + " \(Console.count(count, "error")); no file was changed\n")
      }
      throw ExitCode.failure
    }
    if verbose { listFiles(report) }
    if !quiet { Console.write(summary(report, clock.now - start)) }
  }

  private func listFiles(_ report: ApolloCodegen.Report) {
    for file in report.changedFiles { Console.write("  wrote \(file)\n") }
    for file in report.removedFiles { Console.write("  removed \(file)\n") }
  }

  private func summary(_ report: ApolloCodegen.Report, _ duration: Duration) -> String {
    var changes = "\(report.changedFiles.count) changed"
    if !report.removedFiles.isEmpty { changes += ", \(report.removedFiles.count) removed" }
    let milliseconds = duration / .milliseconds(1)
    return Console.paint("✓", "32;1") + " \(Console.count(report.operationCount, "operation")), "
      + "\(Console.count(report.fragmentCount, "fragment")) → \(Console.count(report.files.count, "file")) (\(changes)) "
      + "in \(Int(milliseconds.rounded())) ms\n"
  }
}

/// The words of the configuration file.
enum AccessLevelArgument: String, ExpressibleByArgument, CaseIterable {
  case `internal`, `public`

  var value: RenderingOptions.AccessLevel { self == .public ? .public : .internal }
}
