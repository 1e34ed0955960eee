import GraphQLSyntax

/// What every schema has without defining it.
struct BuiltIn: Sendable {
  /// The types in the order of their definition.
  let orderedTypes: [NamedType]
  /// The types by name.
  let types: [String: NamedType]
  let directives: [DirectiveDefinition]

  // The names are the same in all editions.
  static let september2025 = BuiltIn(sdl(isDraft: false))
  static let draft = BuiltIn(sdl(isDraft: true))

  private init(_ sdl: String) {
    let parts = SchemaParts(merging: [Parser.parse(Source(sdl, name: "built-in definitions")).value])
    orderedTypes = parts.types
    types = Dictionary(uniqueKeysWithValues: parts.types.map { ($0.name, $0) })
    directives = parts.directives
  }

  static func isType(_ name: String) -> Bool { draft.types[name] != nil }

  static func isIntrospectionType(_ name: String) -> Bool { name.hasPrefix("__") && isType(name) }

  static func isDirective(_ name: String) -> Bool { draft.directives.contains { $0.name.value == name } }

  /// The fields that can be selected though no type defines them
  /// — [spec](https://spec.graphql.org/September2025/#sec-Schema-Introspection)
  static let typenameField = FieldDefinition(
    description: StringValue("The name of the current Object type at runtime."), name: "__typename",
    type: TypeReference(.named("String"), isNonNull: true))

  static let schemaField = FieldDefinition(
    description: StringValue("Access the current type schema of this server."), name: "__schema",
    type: TypeReference(.named("__Schema"), isNonNull: true))

  static let typeField = FieldDefinition(
    description: StringValue("Request the type information of a single type."), name: "__type",
    arguments: [InputValueDefinition(name: "name", type: TypeReference(.named("String"), isNonNull: true))],
    type: TypeReference(.named("__Type")))
}
