/// An error, a warning or a note about a GraphQL text, as data. ``DiagnosticRenderer`` turns it into text.
public struct Diagnostic: Sendable, Hashable {
  /// How serious a diagnostic is.
  public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    case note, warning, error

    /// Orders the severities: a note is less than a warning, and a warning less than an error.
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rank < right.rank
    }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// Another place in a text that explains the diagnostic.
  public struct Label: Sendable, Hashable {
    /// The range of the text.
    public var span: SourceSpan
    /// A few words about the place, such as `first defined here`. It may be empty.
    public var message: String

    /// Makes a label.
    ///
    /// - Parameters:
    ///   - message: A few words about the place; may be empty.
    ///   - span: The range of the text.
    public init(_ message: String, at span: SourceSpan) {
      self.message = message
      self.span = span
    }
  }

  /// The kind of diagnostic. All kinds are documented in `Docs/diagnostics.md`.
  public var code: Code
  /// How serious it is.
  public var severity: Severity
  /// One or two sentences. If the reference implementation (graphql-js) reports the error as well, its words are used.
  public var message: String
  /// The range of the text that it is about; ``SourceSpan/none`` if it is not about a certain place.
  public var span: SourceSpan
  /// Other places that explain it, in the order in which they should be read.
  public var labels: [Label]
  /// What could be done, such as `Did you mean "name"?`; nil if there is no advice.
  public var help: String?

  /// Makes a diagnostic.
  ///
  /// - Parameters:
  ///   - code: The kind of diagnostic.
  ///   - severity: How serious it is. The default is an error.
  ///   - message: One or two sentences.
  ///   - span: The range of the text that it is about.
  ///   - labels: Other places that explain it. The default is none.
  ///   - help: What could be done. nil, the default: no advice.
  public init(
    _ code: Code, severity: Severity = .error, _ message: String, at span: SourceSpan,
    labels: [Label] = [], help: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.span = span
    self.labels = labels
    self.help = help
  }

  /// The message, followed by the help if there is any.
  public var fullMessage: String {
    guard let help else { return message }
    return message + " " + help
  }
}

extension Diagnostic {
  /// A stable name for one kind of diagnostic, such as `unknown-field`.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The name, in lower case with hyphens.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a code of a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The name, in lower case with hyphens.
    public var description: String { rawValue }
  }
}

extension Sequence<Diagnostic> {
  /// Whether one of the diagnostics is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}
