import GraphQLSyntax

/// The directives for the generator, which need not be declared.
enum ClientDefinitions {
  /// Those on operations and fragments.
  static let forOperations = Parser.parse(
    """
    directive @apollo_client_ios_localCacheMutation on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    directive @import(module: String!) repeatable on QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    """, name: "client directives"
  ).value

  /// Those on the types of a schema.
  static let forSchemas = Parser.parse(
    """
    directive @typePolicy(keyFields: String! = "") on OBJECT | INTERFACE
    directive @fieldPolicy(forField: String!, keyArgs: String! = "") repeatable on OBJECT | INTERFACE
    """, name: "client directives"
  ).value
}
