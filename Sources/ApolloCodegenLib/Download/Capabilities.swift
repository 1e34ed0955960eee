import Foundation
import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax

/// The parts of introspection that a server supports. Later versions of the specification have more of them.
struct Capabilities {
  /// A query that every server supports since the first edition of the specification. Each field of introspection is
  /// in it once: some servers take more for an attack. It asks for names alone, so the answer is smaller than any that
  /// has the schema.
  static let query = """
    query IntrospectionCapabilities {
      __schema { types { name fields { name args { name } } } }
    }
    """

  /// The names of the arguments, by type and by field.
  private var fields: [String: [String: Set<String>]] = [:]

  /// nil: the response does not say what introspection has.
  init?(response: Data) {
    let types = (try? JSONNode(parsing: response))?["data"]?["__schema"]?["types"]?.array
    for type in types ?? [] {
      guard let owner = type["name"]?.string, owner.hasPrefix("__") else { continue }
      for field in type["fields"]?.array ?? [] {
        guard let name = field["name"]?.string else { continue }
        let arguments = field["args"]?.array ?? []
        fields[owner, default: [:]][name] = Set(arguments.compactMap { $0["name"]?.string })
      }
    }
    guard fields["__Type"] != nil else { return nil }
  }

  func query(includeDeprecatedInputValues: Bool) -> IntrospectionQuery {
    var query = IntrospectionQuery()
    query.specifiedByURL = has("__Type", "specifiedByURL")
    query.oneOf = has("__Type", "isOneOf")
    query.directiveIsRepeatable = has("__Directive", "isRepeatable")
    query.schemaDescription = has("__Schema", "description")
    query.directiveDeprecation =
      has("__Directive", "isDeprecated") && has("__Schema", "directives", argument: "includeDeprecated")
    query.inputValueDeprecation =
      includeDeprecatedInputValues && has("__InputValue", "isDeprecated")
      && has("__Field", "args", argument: "includeDeprecated")
      && has("__Type", "inputFields", argument: "includeDeprecated")
    query.directiveArgumentDeprecation = has("__Directive", "args", argument: "includeDeprecated")
    return query
  }

  private func has(_ type: String, _ field: String, argument: String? = nil) -> Bool {
    guard let arguments = fields[type]?[field] else { return false }
    return argument.map(arguments.contains) ?? true
  }
}
