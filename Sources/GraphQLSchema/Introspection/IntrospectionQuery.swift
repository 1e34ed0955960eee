/// The query that asks a server for its schema.
public struct IntrospectionQuery: Sendable {
  /// Asks for descriptions.
  public var descriptions = true
  /// Asks for `specifiedByURL` of scalars.
  public var specifiedByURL = false
  /// Asks for `isRepeatable` of directives.
  public var directiveIsRepeatable = false
  /// Asks for the description of the schema itself.
  public var schemaDescription = false
  /// Asks for deprecated arguments and input fields.
  public var inputValueDeprecation = false
  /// Asks for `isOneOf` of input objects.
  public var oneOf = false

  /// What all servers understand. Newer fields are for those that do.
  public init() {}

  /// Everything that the specification has.
  public static let full: IntrospectionQuery = {
    var query = IntrospectionQuery()
    query.specifiedByURL = true
    query.directiveIsRepeatable = true
    query.schemaDescription = true
    query.inputValueDeprecation = true
    query.oneOf = true
    return query
  }()

  /// How many wrappers of a type are asked for: lists of lists, and so on.
  private static let typeDepth = 9

  /// The text of the query.
  public var text: String {
    let description = descriptions ? "description" : ""
    let deprecated = inputValueDeprecation ? "(includeDeprecated: true)" : ""
    let inputDeprecation = inputValueDeprecation ? "isDeprecated deprecationReason" : ""
    return """
      query IntrospectionQuery {
        __schema {
          \(schemaDescription && descriptions ? "description" : "")
          queryType { name kind }
          mutationType { name kind }
          subscriptionType { name kind }
          types { ...FullType }
          directives {
            name \(description) \(directiveIsRepeatable ? "isRepeatable" : "") locations
            args\(deprecated) { ...InputValue }
          }
        }
      }
      fragment FullType on __Type {
        kind name \(description) \(specifiedByURL ? "specifiedByURL" : "") \(oneOf ? "isOneOf" : "")
        fields(includeDeprecated: true) {
          name \(description)
          args\(deprecated) { ...InputValue }
          type { ...TypeRef }
          isDeprecated deprecationReason
        }
        inputFields\(deprecated) { ...InputValue }
        interfaces { ...TypeRef }
        enumValues(includeDeprecated: true) { name \(description) isDeprecated deprecationReason }
        possibleTypes { ...TypeRef }
      }
      fragment InputValue on __InputValue {
        name \(description) type { ...TypeRef } defaultValue \(inputDeprecation)
      }
      fragment TypeRef on __Type { \(Self.typeFields(depth: Self.typeDepth)) }
      """
  }

  private static func typeFields(depth: Int) -> String {
    depth == 0 ? "kind name" : "kind name ofType { \(typeFields(depth: depth - 1)) }"
  }
}
