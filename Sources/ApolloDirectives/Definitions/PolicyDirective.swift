import GraphQLSchema
import GraphQLSyntax

/// The directives of a schema that tell the cache something, or what models do with nulls.
enum PolicyDirective: String, CaseIterable {
  case typePolicy, fieldPolicy, cacheControl, cacheControlField, embedded, embeddedField, connection, pagination
  case onDelete, onDeleteField
  case semanticNonNull, semanticNonNullField, `catch`, catchByDefault

  /// What a schema calls the directive: its name, which need not be declared, and the one that `@link` gives it, as in
  /// `@link(url: "https://specs.apollo.dev/cache/v0.4", import: [{ name: "@typePolicy", as: "@cacheKey" }])`.
  func names(in schema: Schema) -> Set<String> {
    let links = schema.links.filter { $0.url.contains("/\(specification)/") }
    let linked = links.compactMap { $0.localName(of: "@" + rawValue)?.dropFirst() }
    let names = Set(linked.map(String.init)).union([rawValue]).filter { !schema.ignores(directive: $0) }
    guard self == .catch else { return names }
    // A directive on fields that the schema declares itself is one of the server, unless the schema opts in.
    let defaults = Self.catchByDefault.names(in: schema)
    let isOptedIn = schema.directives.contains { defaults.contains($0.name.value) }
    return isOptedIn ? names : names.filter { schema.directive(named: $0) == nil }
  }

  /// The specification that has the directive, as a part of its URL.
  private var specification: String {
    switch self {
    case .semanticNonNull, .semanticNonNullField, .catch, .catchByDefault: "nullability"
    default: "cache"
    }
  }
}

extension Schema {
  /// The directive on definitions of directives that are another tool's.
  static let ignore = "ignore"

  /// Whether the schema says that a directive of this name means nothing to the client: `extend directive @connection @ignore`.
  func ignores(directive name: String) -> Bool {
    directive(named: name)?.directives.first(named: Self.ignore) != nil
  }
}
