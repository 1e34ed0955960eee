/// What could be made of a text, and what is wrong with it. A value is there even when there are errors: it holds
/// the parts that could be understood.
public struct Parsed<Value> {
  public var value: Value
  public var diagnostics: [Diagnostic]

  public init(_ value: Value, diagnostics: [Diagnostic] = []) {
    self.value = value
    self.diagnostics = diagnostics
  }

  /// Whether one of the diagnostics is an error.
  public var hasErrors: Bool { diagnostics.hasErrors }

  /// The value, or the diagnostics thrown as one error when one of them is an error.
  public func get() throws(DiagnosticsError) -> Value {
    if hasErrors { throw DiagnosticsError(diagnostics) }
    return value
  }
}

extension Parsed: Sendable where Value: Sendable {}

/// Diagnostics for callers that would rather catch than look.
public struct DiagnosticsError: Error, Sendable, CustomStringConvertible {
  public let diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  public var description: String { diagnostics.map(\.fullMessage).joined(separator: "\n") }
}
