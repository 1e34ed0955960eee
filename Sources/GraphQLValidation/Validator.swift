public import GraphQLSchema
public import GraphQLSyntax

/// Checks operations and fragments against a schema — [spec](https://spec.graphql.org/September2025/#sec-Validation)
public enum Validator {
  /// What is checked, and how errors are reported.
  public struct Options: Sendable {
    /// The rules to apply. By default those of the specification, and those for `@defer` and `@stream`.
    public var rules: [Rule] = Rule.specified + Rule.incrementalDelivery
    /// Severities other than `error`, by code. Only errors make a document invalid. ``setSeverity(_:of:)`` sets the
    /// severities of a rule. By default, uses of deprecated fields are warnings.
    public var severities: [Diagnostic.Code: Diagnostic.Severity] = [.deprecated: .warning]
    /// After how many errors checking stops; a last diagnostic then says so. Warnings are counted apart, and do not
    /// stop it. The default is 1,000.
    public var maximumDiagnostics = 1_000
    /// How many selection sets may stand in one another, where a spread counts as the selections of its fragment. A
    /// document with more is one error, and no rule is applied. The default is that of the parser, 256, and 64 in a
    /// build without optimization.
    public var maximumDepth = Parser.Options.defaultMaximumDepth
    /// Whether the braces after a field may be empty, see `Parser.Options.allowsEmptySelectionSets`. The
    /// default is false.
    public var allowsEmptySelectionSets = false
    /// Whether a variable of a fragment equals the argument that it is given, where fields with one response key are
    /// compared. By default it equals only itself, as in the
    /// [proposal](https://github.com/graphql/graphql-spec/pull/1081): a field with `$size` does not merge with a field
    /// with `50`, even if the fragment is spread with `size: 50`. An earlier text of the proposal compared values.
    public var comparesFragmentVariablesByValue = false
    /// Definitions that documents may use in addition to those of the schema, such as the directives of a client. A
    /// definition that is also in the schema is taken from the schema. nil, the default: none.
    public var clientDefinitions: Document?

    /// Makes options with all defaults.
    public init() {}

    /// Sets the severity of all diagnostics that a rule reports.
    public mutating func setSeverity(_ severity: Diagnostic.Severity, of rule: Rule) {
      for code in rule.codes { severities[code] = severity }
    }

    /// Removes a rule.
    public mutating func remove(_ rule: Rule) { rules.removeAll { $0 == rule } }
  }

  /// Checks one document. The value is nil if there are errors.
  public static func validate(
    _ document: Document, against schema: Schema, options: Options = Options()
  ) -> Parsed<Validated<Document>?> {
    if let error = document.nestingError(deeperThan: options.maximumDepth) {
      return Parsed(nil, diagnostics: document.invalidNames + [error])
    }
    let schema = options.clientDefinitions.map { schema.extended(with: [$0]).value } ?? schema
    let context = ValidationContext(
      schema: schema, document: document, severities: options.severities,
      maximumDiagnostics: options.maximumDiagnostics,
      allowsEmptySelectionSets: options.allowsEmptySelectionSets,
      comparesFragmentVariablesByValue: options.comparesFragmentVariablesByValue)
    // No option makes a warning of an invalid name.
    let diagnostics = document.invalidNames + run(options.rules, in: context)
    return Parsed(diagnostics.hasErrors ? nil : Validated(value: document), diagnostics: diagnostics)
  }

  /// Checks several documents as one: a fragment of one document may be used in another, and names must differ among
  /// all of them. The value has all definitions; it is nil if there are errors.
  public static func validate(
    _ documents: [Document], against schema: Schema, options: Options = Options()
  ) -> Parsed<Validated<Document>?> {
    let document = Document(concatenating: documents)
    return validate(document, against: schema, options: options)
  }

  /// Walks the document once with all rules. The diagnostics are in the order of the text.
  static func run(_ rules: [Rule], in context: ValidationContext) -> [Diagnostic] {
    let walker = DocumentWalker(context: context, visitors: rules.map { $0.makeVisitor() })
    walker.walk()
    return context.diagnostics.inDocumentOrder(of: context.document)
  }
}

extension [Diagnostic] {
  /// Sorts diagnostics by place: sources in the order of the document's definitions, then by offset. Diagnostics
  /// without a place are last.
  func inDocumentOrder(of document: Document) -> [Diagnostic] {
    guard count > 1 else { return self }
    var ranks: [Source.ID: Int] = [:]
    for definition in document.definitions where ranks[definition.span.source] == nil {
      ranks[definition.span.source] = ranks.count
    }
    let keyed = enumerated().map { index, diagnostic in
      (rank: ranks[diagnostic.span.source] ?? .max, start: diagnostic.span.start, index: index, diagnostic: diagnostic)
    }
    return keyed.sorted { ($0.rank, $0.start, $0.index) < ($1.rank, $1.start, $1.index) }.map(\.diagnostic)
  }
}
