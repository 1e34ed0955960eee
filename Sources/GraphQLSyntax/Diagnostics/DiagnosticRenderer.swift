public import GraphQLJSON

/// Turns diagnostics into text for a reader.
public struct DiagnosticRenderer {
  /// Whom the text is for.
  public enum Style: Sendable {
    /// People at a terminal: the line in question with a caret under it, in colour if asked.
    ///
    /// Longer lines than the width are cut around the place; with nil, which is the default, none is.
    case terminal(isColored: Bool, width: Int? = nil)
    /// Xcode and other tools that read `file:line:column: error: message`.
    case xcode
    /// Programs: one JSON object a line.
    case jsonLines
  }

  private let style: Style
  private let sources: SourceMap
  private var lineIndices: [Source.ID: LineIndex] = [:]

  /// - Parameter sources: The texts that the diagnostics talk about. A diagnostic about another text is shown without
  ///   its place.
  public init(_ style: Style, sources: SourceMap) {
    self.style = style
    self.sources = sources
  }

  /// All diagnostics, in order, each ending in a line break.
  public mutating func render(_ diagnostics: some Sequence<Diagnostic>) -> String {
    var output = ""
    for diagnostic in diagnostics { output += render(diagnostic) }
    return output
  }

  /// One diagnostic, ending in a line break.
  public mutating func render(_ diagnostic: Diagnostic) -> String {
    switch style {
    case .terminal(let isColored, let width):
      TerminalStyle(isColored: isColored, width: width).render(diagnostic) { span in place(of: span) }
    case .xcode:
      XcodeStyle.render(diagnostic) { span in place(of: span) }
    case .jsonLines:
      json(diagnostic).text + "\n"
    }
  }

  /// One diagnostic as the object of JSON that ``Style/jsonLines`` writes.
  public mutating func json(_ diagnostic: Diagnostic) -> JSONNode {
    JSONStyle.render(diagnostic) { span in place(of: span) }
  }

  private mutating func place(of span: SourceSpan) -> Place? {
    guard let source = sources[span.source] else { return nil }
    let index = lineIndices[source.id] ?? LineIndex(source)
    lineIndices[source.id] = index
    return Place(source: source, index: index, span: span)
  }
}

/// A span with what is needed to show it.
struct Place {
  var source: Source
  var index: LineIndex
  var span: SourceSpan

  var location: SourceLocation { index.location(of: span.start) }
  var endLocation: SourceLocation { index.location(of: span.end) }

  /// `file:line:column`
  var description: String { "\(source.name):\(location.line):\(location.column)" }
}
