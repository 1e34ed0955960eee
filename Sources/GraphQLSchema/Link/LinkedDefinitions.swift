import GraphQLSyntax

/// The definitions that a schema may use without defining them, because it links to a specification that does.
struct LinkedDefinitions {
  let links: [SchemaLink]
  /// The definition of `@link`, under the name that the schema gives it.
  private(set) var directives: [DirectiveDefinition] = []
  private(set) var types: [NamedType] = []

  /// Finds the definitions.
  ///
  /// - Parameters:
  ///   - appliedToSchema: The directives that are applied to the schema.
  ///   - referencedTypes: The names of the types that the schema refers to.
  init(_ appliedToSchema: [Directive], referencedTypes: @autoclosure () -> Set<String>) {
    let applications = appliedToSchema.filter(Self.isLink)
    let links = applications.compactMap { SchemaLink($0) }
    self.links = links
    guard !applications.isEmpty else { return }
    directives = Set(applications.map(\.name.value)).sorted().map { name in
      var definition = Self.directive
      definition.name = Name(name)
      return definition
    }
    // Only the name of an imported type is known, so it counts as a scalar.
    types = referencedTypes().sorted().filter { name in links.contains { $0.provides(name) } }.map { name in
      Self.types[name] ?? .scalar(ScalarType(TypeDefinition(name: Name(name), body: .scalar)))
    }
  }

  /// Whether a directive is `@link`, which may rename itself.
  private static func isLink(_ directive: Directive) -> Bool {
    if directive.name.value == "link" { return true }
    guard let link = SchemaLink(directive), link.url.contains("/link/v") else { return false }
    return link.namespace == directive.name.value || link.localName(of: "@link") == "@\(directive.name)"
  }

  private static let parts = SchemaParts(merging: [
    Parser.parse(
      """
      directive @link(url: String!, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
      scalar link__Import
      enum link__Purpose { SECURITY EXECUTION }
      """
    ).value
  ])

  private static let directive = parts.directives[0]
  private static let types = Dictionary(uniqueKeysWithValues: parts.types.map { ($0.name, $0) })
}
