import Foundation
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax

/// The parts of introspection that a server supports. Later versions of the specification have more of them.
struct Capabilities {
  /// A query that every server supports since the first edition of the specification.
  static let query = """
    query IntrospectionCapabilities {
      schema: __type(name: "__Schema") { fields { name args { name } } }
      type: __type(name: "__Type") { fields { name args { name } } }
      directive: __type(name: "__Directive") { fields { name args { name } } }
      field: __type(name: "__Field") { fields { name args { name } } }
      inputValue: __type(name: "__InputValue") { fields { name } }
    }
    """

  /// The names of the arguments, by alias in the query and by field.
  private var fields: [String: [String: Set<String>]] = [:]

  /// nil: the response does not answer the query.
  init?(response: Data) {
    guard let types = (try? JSONNode(parsing: response))?["data"]?.object else { return nil }
    for type in types {
      for field in type.value["fields"]?.array ?? [] {
        guard let name = field["name"]?.string else { continue }
        let arguments = field["args"]?.array ?? []
        fields[type.name, default: [:]][name] = Set(arguments.compactMap { $0["name"]?.string })
      }
    }
  }

  func query(includeDeprecatedInputValues: Bool) -> IntrospectionQuery {
    var query = IntrospectionQuery()
    query.specifiedByURL = has("type", "specifiedByURL")
    query.oneOf = has("type", "isOneOf")
    query.directiveIsRepeatable = has("directive", "isRepeatable")
    query.schemaDescription = has("schema", "description")
    query.directiveDeprecation =
      has("directive", "isDeprecated") && has("schema", "directives", argument: "includeDeprecated")
    // One switch of the query covers all three places.
    query.inputValueDeprecation =
      includeDeprecatedInputValues && has("inputValue", "isDeprecated")
      && has("field", "args", argument: "includeDeprecated")
      && has("type", "inputFields", argument: "includeDeprecated")
      && has("directive", "args", argument: "includeDeprecated")
    return query
  }

  private func has(_ type: String, _ field: String, argument: String? = nil) -> Bool {
    guard let arguments = fields[type]?[field] else { return false }
    return argument.map(arguments.contains) ?? true
  }
}
