import ApolloVersion
import ArgumentParser

@main struct ApolloCodegenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apollo-codegen",
    abstract: "Generates Swift from a GraphQL schema and the operations of an app.",
    discussion: """
      In a new app:

        apollo-codegen start https://example.com/graphql

      Without a configuration file:

        apollo-codegen generate --schema schema.graphqls --output Sources/API

      With one:

        apollo-codegen init -n StarWarsAPI -m embeddedInTarget -t App
        apollo-codegen generate

      Exit status: 0 if all is well; 1 if there are errors in the input (and then no file is changed), if 'generate \
      --check' finds files out of date, or if 'schema diff' finds breaking changes; 64 if the command line is wrong.
      """,
    version: apolloVersion,
    subcommands: [
      StartCommand.self, GenerateCommand.self, ValidateCommand.self, InitCommand.self, FetchSchemaCommand.self,
      ManifestCommand.self, SchemaCommand.self,
    ],
    defaultSubcommand: GenerateCommand.self)

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let mistake = MistypedCommand.find(in: arguments, of: Self.self) {
      Console.write(mistake.message)
      Self.exit(withError: ExitCode.validationFailure)
    }
    main(arguments)
  }
}
