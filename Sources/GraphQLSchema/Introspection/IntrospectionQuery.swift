/// The query that asks a server for its schema.
public struct IntrospectionQuery: Sendable {
  /// Asks for descriptions.
  public var descriptions = true
  /// Asks for `specifiedByURL` of scalars.
  public var specifiedByURL = false
  /// Asks for `isRepeatable` of directives.
  public var directiveIsRepeatable = false
  /// Asks for the description of the schema itself, if ``descriptions`` are asked for.
  public var schemaDescription = false
  /// Asks for deprecated arguments and input fields.
  public var inputValueDeprecation = false
  /// Asks for deprecated arguments of directives as well, if ``inputValueDeprecation`` asks for those of fields. The
  /// default is true.
  public var directiveArgumentDeprecation = true
  /// Asks for deprecated directives, which are in the [draft](https://spec.graphql.org/draft/#sec-The-__Directive-Type)
  /// of the specification.
  public var directiveDeprecation = false
  /// Asks for `isOneOf` of input objects.
  public var oneOf = false
  /// How many wrappers of a type are asked for: lists, and types that are not null. The text asks for 100 at most. The
  /// default is 9, as in the reference implementation.
  public var typeDepth = 9

  /// What all servers understand. Newer fields are for those that do.
  public init() {}

  /// Everything that the draft of the specification has.
  public static let full: IntrospectionQuery = {
    var query = IntrospectionQuery()
    query.specifiedByURL = true
    query.directiveIsRepeatable = true
    query.schemaDescription = true
    query.inputValueDeprecation = true
    query.directiveDeprecation = true
    query.oneOf = true
    return query
  }()

  /// The text of the query, which is that of the reference implementation.
  public var text: String {
    let description = descriptions ? "description" : ""
    let inputs = inputValueDeprecation ? "(includeDeprecated: true)" : ""
    let ofDirectives = directiveArgumentDeprecation ? inputs : ""
    let deprecation = { (isAsked: Bool) in (isAsked ? "isDeprecated" : "", isAsked ? "deprecationReason" : "") }
    let ofInput = deprecation(inputValueDeprecation), ofDirective = deprecation(directiveDeprecation)
    let text = """

      query IntrospectionQuery {
        __schema {
          \(schemaDescription ? description : "")
          queryType { name kind }
          mutationType { name kind }
          subscriptionType { name kind }
          types {
            ...FullType
          }
          directives\(directiveDeprecation ? "(includeDeprecated: true)" : "") {
            name
            \(description)
            \(directiveIsRepeatable ? "isRepeatable" : "")
            \(ofDirective.0)
            \(ofDirective.1)
            locations
            args\(ofDirectives) {
              ...InputValue
            }
          }
        }
      }

      fragment FullType on __Type {
        kind
        name
        \(description)
        \(specifiedByURL ? "specifiedByURL" : "")
        \(oneOf ? "isOneOf" : "")
        fields(includeDeprecated: true) {
          name
          \(description)
          args\(inputs) {
            ...InputValue
          }
          type {
            ...TypeRef
          }
          isDeprecated
          deprecationReason
        }
        inputFields\(inputs) {
          ...InputValue
        }
        interfaces {
          ...TypeRef
        }
        enumValues(includeDeprecated: true) {
          name
          \(description)
          isDeprecated
          deprecationReason
        }
        possibleTypes {
          ...TypeRef
        }
      }

      fragment InputValue on __InputValue {
        name
        \(description)
        type { ...TypeRef }
        defaultValue
        \(ofInput.0)
        \(ofInput.1)
      }

      fragment TypeRef on __Type {
        kind
        name\(Self.wrappedType(depth: min(typeDepth, 100), indentation: "  "))
      }

      """
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.map { line in
      line.allSatisfy { $0 == UInt8(ascii: " ") } ? "" : String(Substring(line))
    }.joined(separator: "\n")
  }

  private static func wrappedType(depth: Int, indentation: String) -> String {
    guard depth > 0 else { return "" }
    return """

      \(indentation)ofType {
      \(indentation)  name
      \(indentation)  kind\(wrappedType(depth: depth - 1, indentation: indentation + "  "))
      \(indentation)}
      """
  }
}
