/// One finding about a GraphQL text, as data. ``DiagnosticRenderer`` turns it into something to read.
public struct Diagnostic: Sendable, Hashable {
  /// How much a finding matters.
  public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    case note, warning, error

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

  /// Another place that explains the finding.
  public struct Label: Sendable, Hashable {
    public var span: SourceSpan
    /// A few words, such as `first defined here`. May be empty where the place speaks for itself.
    public var message: String

    public init(_ message: String, at span: SourceSpan) {
      self.message = message
      self.span = span
    }
  }

  /// What kind of finding this is. Documented in `Docs/diagnostics.md`.
  public var code: Code
  public var severity: Severity
  /// One or two sentences, in the words of the reference implementation where it reports the same thing.
  public var message: String
  /// Where it is, or ``SourceSpan/none`` when it is nowhere in particular.
  public var span: SourceSpan
  /// Other places, in the order in which they should be read.
  public var labels: [Label]
  /// What could be done, such as `Did you mean "name"?`.
  public var help: String?

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

  /// The message, followed by the help where there is one.
  public var fullMessage: String {
    guard let help else { return message }
    return message + " " + help
  }
}

extension Diagnostic {
  /// A stable name for one kind of finding, such as `unknown-field`.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }
}

extension Sequence<Diagnostic> {
  /// Whether one of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}
