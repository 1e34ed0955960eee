import GraphQLSchema
public import GraphQLSyntax

/// What the rules of one walk share: the schema, the document, where the walk is, and what was found.
final class ValidationContext {
  let schema: Schema
  let document: Document
  /// The schema that type system definitions are added to, if any.
  let extendedSchema: Schema?
  /// The first fragment of each name.
  let fragments: [String: FragmentDefinition]
  /// Whether the braces after a field may be empty.
  let allowsEmptySelectionSets: Bool
  /// Whether a variable of a fragment equals the argument that it is given.
  let comparesFragmentVariablesByValue: Bool
  /// Whether an extension may repeat a field to add directives.
  let allowsFieldExtensions: Bool
  private(set) var diagnostics: [Diagnostic] = []

  /// The type that the current selection set is made on; `nil` when it is unknown.
  var parentType: NamedType?
  /// The definition of the current field; `nil` when it is unknown.
  var field: FieldDefinition?
  /// The operation that the walk is in; `nil` inside fragments.
  var operation: OperationDefinition?

  /// What each operation and fragment uses. Complete when the walk leaves the document.
  var usage = UsageTable()

  private let severities: [Diagnostic.Code: Diagnostic.Severity]
  private let maximumDiagnostics: Int
  /// How many findings there are that are errors, and how many that are not. Each kind has the limit for itself:
  /// warnings leave no error out.
  private var errorCount = 0
  private var otherCount = 0

  /// How many errors get suggestions. Comparing names takes time, and so many mistakes have one cause.
  private static let maximumSuggestions = 100

  init(
    schema: Schema, document: Document, extending extendedSchema: Schema? = nil,
    severities: [Diagnostic.Code: Diagnostic.Severity] = [:], maximumDiagnostics: Int = 1_000,
    allowsEmptySelectionSets: Bool = false, comparesFragmentVariablesByValue: Bool = false,
    allowsFieldExtensions: Bool = false
  ) {
    self.severities = severities
    self.maximumDiagnostics = maximumDiagnostics
    self.allowsEmptySelectionSets = allowsEmptySelectionSets
    self.comparesFragmentVariablesByValue = comparesFragmentVariablesByValue
    self.allowsFieldExtensions = allowsFieldExtensions
    self.schema = schema
    self.document = document
    self.extendedSchema = extendedSchema
    fragments = Dictionary(document.fragments.map { ($0.name.value, $0) }) { first, _ in first }
  }

  func report(
    _ code: Diagnostic.Code, _ message: String, at span: SourceSpan, labels: [Diagnostic.Label] = [],
    help: String? = nil
  ) {
    let severity = severities[code] ?? .error, isError = severity == .error
    let count = isError ? errorCount : otherCount
    guard count <= maximumDiagnostics else { return }
    if isError { errorCount += 1 } else { otherCount += 1 }
    if count < maximumDiagnostics {
      diagnostics.append(Diagnostic(code, severity: severity, message, at: span, labels: labels, help: help))
    } else if isError {
      diagnostics.append(
        Diagnostic(.tooManyErrors, "Too many validation errors, error limit reached. Validation aborted.", at: .none))
    } else {
      diagnostics.append(
        Diagnostic(.tooManyErrors, severity: severity, "Too many warnings: the rest is left out.", at: .none))
    }
  }

  /// Names like the one that was written, for the help of a finding.
  func similar(to name: String, among names: @autoclosure () -> some Sequence<String>) -> [String] {
    errorCount < Self.maximumSuggestions ? Suggestions.similar(to: name, among: names()) : []
  }
}

extension Diagnostic.Code {
  /// More findings than were asked for.
  public static let tooManyErrors = Self("too-many-errors")
}
