import GraphQLSchema
import GraphQLSyntax

/// What has to hold for code to be generated, beyond what the specification asks for.
struct ClientRule: Sendable {
  struct Context {
    var document: Document
    var sources: [Source]
    var schema: Schema
    var configuration: ApolloCodegenConfiguration
  }

  var check: @Sendable (Context) -> [Diagnostic]

  static let all: [ClientRule] = [
    .namedOperations, .noTypenameAlias, .noKeyFieldAlias, .validTypePolicies, .validFieldPolicies,
    .freeNamespace, .knownNames, .nameableDeferredFragments,
  ]
}
