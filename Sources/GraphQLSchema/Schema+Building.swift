public import GraphQLSyntax

extension Schema {
  /// Makes a schema of type system documents, which are read as one.
  ///
  /// Extensions are merged into the definitions that they extend. The result is usable even if there are errors: of
  /// several definitions with one name the first is kept, and parts that cannot be used are left out and reported.
  /// Whether the schema follows the rules of the specification is checked by `SchemaValidator`.
  /// - Parameters:
  ///   - documents: The documents.
  ///   - isLenient: Whether errors are reported as warnings, but for names that no text can have. The default is false.
  ///   - edition: The edition of the specification whose built-in definitions the schema has. The default is `draft`.
  ///   - allowsFieldExtensions: Whether an extension of an object type or interface can repeat a field to add directives
  ///     to it. This is a [proposal](https://github.com/graphql/graphql-spec/pull/1196) that is not in the specification
  ///     yet. The default is false.
  /// - Returns: The schema, and what is wrong with the documents.
  public static func build(
    from documents: [Document], isLenient: Bool = false, edition: Edition = .draft,
    allowsFieldExtensions: Bool = false
  ) -> Parsed<Schema> {
    let merged = SchemaParts(merging: documents, allowsFieldExtensions: allowsFieldExtensions)
    let diagnostics = merged.diagnostics.map { diagnostic in
      guard isLenient, diagnostic.code != .invalidName else { return diagnostic }
      var diagnostic = diagnostic
      diagnostic.severity = .warning
      return diagnostic
    }
    return Parsed(Schema(parts: merged, edition: edition), diagnostics: diagnostics)
  }

  /// Parses type system documents, and makes a schema of them.
  public static func build(from sources: [Source], isLenient: Bool = false) -> Parsed<Schema> {
    let documents = sources.map { Parser.parse($0) }
    let schema = build(from: documents.map(\.value), isLenient: isLenient)
    return Parsed(schema.value, diagnostics: documents.flatMap(\.diagnostics) + schema.diagnostics)
  }

  /// A schema with the definitions of this one, and further definitions and extensions.
  ///
  /// - Parameters:
  ///   - documents: The definitions and extensions.
  ///   - isLenient: Whether errors are reported as warnings, but for names that no text can have. The default is false.
  ///   - allowsFieldExtensions: Whether an extension can repeat a field to add directives to it. The default is false.
  /// - Returns: The schema, and what is wrong with the documents.
  public func extended(
    with documents: [Document], isLenient: Bool = false, allowsFieldExtensions: Bool = false
  ) -> Parsed<Schema> {
    Schema.build(
      from: [document] + documents, isLenient: isLenient, edition: edition,
      allowsFieldExtensions: allowsFieldExtensions)
  }

  /// The definitions of this schema as one document. Extensions are merged in, and built-in definitions are left out.
  public var document: Document {
    var definitions: [Definition] = []
    if let definition { definitions.append(.schema(definition)) }
    definitions += definedDirectives.map { .directive($0) }
    definitions += definedTypes.map { .type($0.definition) }
    return Document(definitions: definitions)
  }
}
