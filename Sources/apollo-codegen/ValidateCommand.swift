import ApolloCodegenLib
import ArgumentParser
import GraphQLJSON
import GraphQLSyntax

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Checks operations against the schema, and writes nothing.")

  @OptionGroup var input: InputOptions

  @Flag(name: [.short, .long], help: "List warnings about the schema.")
  var verbose = false

  func run() throws {
    var reporter = input.reporter("validate", verbose: verbose)
    let (configuration, root) = try input.load(for: &reporter)
    let report = input.codegen(configuration, root: root).validate()
    Console.endProgress()
    reporter.report(
      report.diagnostics, sources: report.sources, schema: report.schemaSources,
      summary: "\(Console.count(report.operationCount, "operation")) and "
        + "\(Console.count(report.fragmentCount, "fragment")) are valid",
      details: ["operations": .number(report.operationCount), "fragments": .number(report.fragmentCount)])
    if report.hasErrors { throw ExitCode.failure }
  }
}
