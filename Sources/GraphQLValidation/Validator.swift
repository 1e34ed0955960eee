public import GraphQLSchema
public import GraphQLSyntax

/// Checks documents that are to be executed against a schema
/// — [spec](https://spec.graphql.org/September2025/#sec-Validation)
public enum Validator {
  /// How to validate.
  public struct Options: Sendable {
    /// The rules to apply: by default those of the specification and those for `@defer` and `@stream`.
    public var rules: [Rule] = Rule.specified + Rule.incrementalDelivery
    /// Severities other than `error`, by code. Only errors make a document invalid. ``setSeverity(_:of:)`` sets those of
    /// a rule.
    public var severities: [Diagnostic.Code: Diagnostic.Severity] = [.deprecated: .warning]
    /// How many findings are enough. One more then says that there were more.
    public var maximumDiagnostics = 1_000
    /// Definitions that documents may use besides those of the schema, such as a client's own directives. What the
    /// schema defines too is taken from the schema.
    public var clientDefinitions: Document?

    public init() {}

    /// Gives everything that a rule reports a severity.
    public mutating func setSeverity(_ severity: Diagnostic.Severity, of rule: Rule) {
      for code in rule.codes { severities[code] = severity }
    }

    /// Takes a rule out.
    public mutating func remove(_ rule: Rule) { rules.removeAll { $0 == rule } }
  }

  /// Checks one document. The value is `nil` when there are errors.
  public static func validate(
    _ document: Document, against schema: Schema, options: Options = Options()
  ) -> Parsed<Validated<Document>?> {
    let schema = options.clientDefinitions.map { schema.extended(with: [$0]).value } ?? schema
    let context = ValidationContext(
      schema: schema, document: document, maximumDiagnostics: options.maximumDiagnostics)
    let diagnostics = run(options.rules, in: context).map { diagnostic in
      guard let severity = options.severities[diagnostic.code] else { return diagnostic }
      var diagnostic = diagnostic
      diagnostic.severity = severity
      return diagnostic
    }
    return Parsed(diagnostics.hasErrors ? nil : Validated(value: document), diagnostics: diagnostics)
  }

  /// Checks several documents as one: a fragment of one may be used in another, and names are unique across all.
  /// The value holds all definitions, or is `nil` when there are errors.
  public static func validate(
    _ documents: [Document], against schema: Schema, options: Options = Options()
  ) -> Parsed<Validated<Document>?> {
    let document = Document(concatenating: documents)
    return validate(document, against: schema, options: options)
  }

  /// Walks the document once with all rules. The findings are in the order of the text.
  static func run(_ rules: [Rule], in context: ValidationContext) -> [Diagnostic] {
    let walker = DocumentWalker(context: context, visitors: rules.map { $0.makeVisitor() })
    walker.walk()
    return context.diagnostics.inDocumentOrder(of: context.document)
  }
}

extension [Diagnostic] {
  /// Sorted by place: files in the order of the document's definitions, then by offset. What is nowhere comes last.
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
