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
    Console.show(report.diagnostics, sources: report.sources, format: input.diagnostics)
    if report.hasErrors {
      let count = report.diagnostics.count { $0.severity == .error }
      Console.write(Console.paint("✗", "31;1") + " \(Console.count(count, "error"))\n")
      throw ExitCode.failure
    }
    Console.write(
      Console.paint("✓", "32;1") + " \(Console.count(report.operationCount, "operation")) and "
        + "\(Console.count(report.fragmentCount, "fragment")) are valid\n")
  }
}
