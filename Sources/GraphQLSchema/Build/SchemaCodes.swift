public import GraphQLSyntax

extension Diagnostic.Code {
  /// A second definition of a type.
  public static let duplicateType = Self("duplicate-type")
  /// A second definition of a directive.
  public static let duplicateDirective = Self("duplicate-directive")
  /// A second `schema` definition.
  public static let duplicateSchemaDefinition = Self("duplicate-schema-definition")
  /// An extension of a type or directive that is not defined.
  public static let undefinedExtension = Self("undefined-extension")
  /// An extension of a type of another kind.
  public static let mismatchedExtension = Self("mismatched-extension")
}
