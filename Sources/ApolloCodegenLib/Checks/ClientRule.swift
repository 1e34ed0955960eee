import GraphQLSchema
import GraphQLSyntax

/// The rules that documents must follow for code to be generated, in addition to those of the specification.
struct ClientRule: Sendable {
  struct Context {
    var document: Document
    var schema: Schema
    var configuration: ApolloCodegenConfiguration
  }

  var check: @Sendable (Context) -> [Diagnostic]

  static let all: [ClientRule] = [
    .namedOperations, .noTypenameAlias, .noKeyFieldAlias, .validTypePolicies, .validFieldPolicies,
    .validEmbeddedFields, .validPagination, .keyedNodes, .validOnDelete, .validLocalFields,
    .validCacheControl, .agreeingInterfaceAges, .validCacheControlInOperations, .validListEdits,
    .freeNamespace, .knownNames, .nameableDeferredFragments, .effectiveMembers, .sendableInputs,
    .importedModules, .swiftNames, .mappedScalars,
  ]

  /// The rules for documents that follow those of the specification.
  static let afterValidation: [ClientRule] = [.consistentAges, .selectableKeyFields, .keyedObjects]
}
