import GraphQLSyntax

/// What every schema has without defining it.
enum BuiltIn {
  /// The types in the order of their definition.
  static let orderedTypes: [NamedType] = SchemaParts(merging: [document]).types

  static let types = Dictionary(uniqueKeysWithValues: orderedTypes.map { ($0.name, $0) })

  static func isIntrospectionType(_ name: String) -> Bool { name.hasPrefix("__") && types[name] != nil }

  static let directives: [DirectiveDefinition] = document.definitions.compactMap {
    if case .directive(let directive) = $0 { directive } else { nil }
  }

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

  private static let document = Parser.parse(Source(sdl, name: "built-in definitions")).value
}
