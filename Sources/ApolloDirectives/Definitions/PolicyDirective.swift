import GraphQLSchema

/// The directives of a schema that tell the cache something.
enum PolicyDirective: String {
  case typePolicy, fieldPolicy, cacheControl, cacheControlField, embedded, embeddedField, connection, pagination
  case onDelete, onDeleteField

  /// What a schema calls the directive: its name, which need not be declared, and the one that `@link` gives it, as in
  /// `@link(url: "https://specs.apollo.dev/cache/v0.4", import: [{ name: "@typePolicy", as: "@cacheKey" }])`.
  func names(in schema: Schema) -> Set<String> {
    let links = schema.links.filter { $0.url.contains("/cache/") }
    let linked = links.compactMap { $0.localName(of: "@" + rawValue)?.dropFirst() }
    return Set(linked.map(String.init)).union([rawValue])
  }
}
