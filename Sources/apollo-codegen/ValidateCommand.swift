import ApolloCodegenLib
import ArgumentParser
import GraphQLSyntax

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Checks operations against the schema, and writes nothing.")

  @OptionGroup var input: InputOptions

  func run() throws {
    let (configuration, root) = try input.load()
    let report = input.codegen(configuration, root: root).validate()
    input.reporter("validate").report(
      report.diagnostics, sources: report.sources,
      summary: "\(Console.count(report.operationCount, "operation")) and "
        + "\(Console.count(report.fragmentCount, "fragment")) are valid",
      details: ["operations": report.operationCount, "fragments": report.fragmentCount])
    if report.hasErrors { throw ExitCode.failure }
  }
}
