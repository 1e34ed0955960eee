public import GraphQLSchema
public import GraphQLSyntax

/// Checks type system definitions, and makes a schema of them —
/// [spec](https://spec.graphql.org/September2025/#sec-Type-System)
public enum SchemaValidator {
  /// What is checked, and how errors are reported.
  public struct Options: Sendable {
    /// Whether errors are reported as warnings, and the schema is made nevertheless: of several fields with one name
    /// the first is kept, and so on. Real schemas have such errors, and servers run with them. Syntax errors, names that
    /// no text can have, and types that are not defined are still errors. The default is false.
    public var isLenient = false
    /// Whether an extension of an object type or interface can repeat a field to add directives to it: `extend type
    /// User { email: String @deprecated }`. This is a [proposal](https://github.com/graphql/graphql-spec/pull/1196) that
    /// is not in the specification yet. The default is false.
    public var allowsFieldExtensions = false
    /// The rules for the documents.
    public var rules: [Rule] = Rule.schemaDocument
    /// The rules for the schema that the documents define.
    public var typeSystemRules: [TypeSystemRule] = TypeSystemRule.all

    /// Makes options with all rules.
    public init() {}
  }

  /// Makes a schema of documents, which are read as one. The value is nil if there are errors.
  public static func validate(
    _ documents: [Document], options: Options = Options()
  ) -> Parsed<Validated<Schema>?> {
    finish(check(documents, extending: nil, options), options)
  }

  /// Parses sources and makes a schema of them. The value is nil if there are errors.
  public static func validate(_ sources: [Source], options: Options = Options()) -> Parsed<Validated<Schema>?> {
    let documents = sources.map { Parser.parse($0) }
    var checked = check(documents.map(\.value), extending: nil, options)
    checked.diagnostics = documents.flatMap(\.diagnostics) + checked.diagnostics
    return finish(checked, options)
  }

  /// Adds documents to a schema. The value is nil if there are errors.
  public static func extend(
    _ schema: Schema, with documents: [Document], options: Options = Options()
  ) -> Parsed<Validated<Schema>?> {
    finish(check(documents, extending: schema, options), options)
  }

  /// Checks a schema that was made without checks, such as one from introspection.
  public static func check(_ schema: Schema, rules: [TypeSystemRule] = TypeSystemRule.all) -> [Diagnostic] {
    rules.flatMap { $0.check(schema) }
  }

  /// The errors that are not turned into warnings.
  private static let unforgivable = Set(Diagnostic.Code.syntax + [.unknownType, .invalidName])

  private static func check(
    _ documents: [Document], extending extended: Schema?, _ options: Options
  ) -> Parsed<Schema> {
    let document = Document(concatenating: documents)
    let allowsFieldExtensions = options.allowsFieldExtensions
    let schema =
      extended?.extended(with: [document], allowsFieldExtensions: allowsFieldExtensions).value
      ?? Schema.build(from: [document], allowsFieldExtensions: allowsFieldExtensions).value
    let context = ValidationContext(
      schema: schema, document: document, extending: extended,
      // Of what is forgiven, there may be more than could be read, and it must leave out nothing else.
      maximumDiagnostics: options.isLenient ? .max : 1_000, allowsFieldExtensions: allowsFieldExtensions)
    var diagnostics = document.invalidNames + Validator.run(options.rules, in: context)
    // The rules for the whole schema need documents without errors.
    if options.isLenient || !diagnostics.hasErrors {
      var found = check(schema, rules: options.typeSystemRules)
      // The rules for documents have reported it, at the place where the type is named.
      if options.rules.contains(.knownTypeNames) { found.removeAll { $0.code == .unknownType } }
      diagnostics += found.inDocumentOrder(of: document)
    }
    return Parsed(schema, diagnostics: diagnostics)
  }

  private static func finish(_ checked: Parsed<Schema>, _ options: Options) -> Parsed<Validated<Schema>?> {
    var diagnostics = checked.diagnostics
    if options.isLenient {
      for index in diagnostics.indices where !unforgivable.contains(diagnostics[index].code) {
        diagnostics[index].severity = .warning
      }
    }
    return Parsed(diagnostics.hasErrors ? nil : Validated(value: checked.value), diagnostics: diagnostics)
  }
}
