import ApolloDirectives
import GraphQLSchema
import GraphQLSyntax

/// The rules that documents and the configuration must follow for code to be generated, in addition to those of the
/// specification.
struct ClientRule: Sendable {
  struct Context {
    var document: Document
    var schema: Schema
    var directives: SchemaDirectives
    var configuration: ApolloCodegenConfiguration
  }

  var check: @Sendable (Context) -> [Diagnostic]

  static let all: [ClientRule] = [
    .namedOperations, .noTypenameAlias, .directives, .noNamespaceConflict, .knownNames, .nameableDeferredFragments,
    .validFragmentArguments, .noIgnoredMembers, .sendableInputs, .importedModules, .swiftNames, .numbersAsText,
    .mappedScalars, .targetNames, .usableTypes, .usableAccessLevels,
  ]

  /// The rules for the directives of the client, in the schema and in documents.
  private static let directives = ClientRule { $0.directives.diagnostics(of: $0.document) }
}
