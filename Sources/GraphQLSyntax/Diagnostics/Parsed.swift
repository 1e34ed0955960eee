/// The result of parsing a text: a value, and what is wrong with the text. The value is there even if there are errors;
/// then it has the parts that could be understood.
public struct Parsed<Value> {
  /// The value that was made of the text.
  public var value: Value
  /// What is wrong with the text, in the order in which it was found.
  public var diagnostics: [Diagnostic]

  /// Makes a result.
  ///
  /// - Parameters:
  ///   - value: The value that was made of the text.
  ///   - diagnostics: What is wrong with the text. The default is nothing.
  public init(_ value: Value, diagnostics: [Diagnostic] = []) {
    self.value = value
    self.diagnostics = diagnostics
  }

  /// Whether one of the diagnostics is an error.
  public var hasErrors: Bool { diagnostics.hasErrors }

  /// Gives the value, or throws the diagnostics.
  ///
  /// - Returns: The value.
  /// - Throws: ``DiagnosticsError``, with all diagnostics, if one of them is an error.
  public func get() throws(DiagnosticsError) -> Value {
    if hasErrors { throw DiagnosticsError(diagnostics) }
    return value
  }
}

extension Parsed: Sendable where Value: Sendable {}

/// Diagnostics as an error to throw.
public struct DiagnosticsError: Error, Sendable, CustomStringConvertible {
  /// The diagnostics, of which at least one is an error.
  public let diagnostics: [Diagnostic]

  /// Makes an error of diagnostics.
  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// The messages of the diagnostics, one on each line.
  public var description: String { diagnostics.map(\.fullMessage).joined(separator: "\n") }
}
