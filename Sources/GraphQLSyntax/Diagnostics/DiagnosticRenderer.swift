import ForeignText
public import GraphQLJSON

/// Turns diagnostics into text.
public struct DiagnosticRenderer {
  /// The form of the text, which depends on its reader.
  public enum Style: Sendable {
    /// For people at a terminal: the line that the diagnostic is about, with a caret below, and in colour if
    /// `isColored` is true.
    ///
    /// `width` is the number of columns; longer lines are cut around the place. nil, the default: lines are not cut.
    case terminal(isColored: Bool, width: Int? = nil)
    /// For Xcode and other tools that read `file:line:column: error: message`.
    case xcode
    /// For programs: one JSON object on each line.
    case jsonLines
  }

  private let style: Style
  private let sources: SourceMap
  private var lineIndices: [Source.ID: LineIndex] = [:]

  /// Makes a renderer.
  ///
  /// - Parameters:
  ///   - style: The form of the text.
  ///   - sources: The texts that the diagnostics are about. A diagnostic about any other text is shown without its
  ///     place.
  public init(_ style: Style, sources: SourceMap) {
    self.style = style
    self.sources = sources
  }

  /// Renders several diagnostics in order. Each ends in a line break.
  public mutating func render(_ diagnostics: some Sequence<Diagnostic>) -> String {
    var output = ""
    for diagnostic in diagnostics { output += render(diagnostic) }
    return output
  }

  /// Renders one diagnostic. It ends in a line break.
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

  /// Renders one diagnostic as the JSON object that ``Style/jsonLines`` writes.
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

/// A span with everything that is needed to show it.
struct Place {
  var source: Source
  var index: LineIndex
  var span: SourceSpan
  let location: SourceLocation

  init(source: Source, index: LineIndex, span: SourceSpan) {
    self.source = source
    self.index = index
    self.span = span
    // (To find it, the line is read up to the place.)
    location = index.location(of: span.start)
  }

  var endLocation: SourceLocation { index.location(of: span.end) }

  /// The place in the form `file:line:column`.
  var description: String { "\(source.name.shownOnOneLine):\(location.line):\(location.column)" }
}
