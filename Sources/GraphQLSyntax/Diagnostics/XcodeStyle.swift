import ForeignText

/// `file:line:column: error: message`, and a note for each label.
enum XcodeStyle {
  static func render(_ diagnostic: Diagnostic, place: (SourceSpan) -> Place?) -> String {
    var lines = [line(diagnostic.severity, diagnostic.fullMessage, at: place(diagnostic.span))]
    for label in diagnostic.labels {
      lines.append(line(.note, label.message.isEmpty ? "see also here" : label.message, at: place(label.span)))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(_ severity: Diagnostic.Severity, _ message: String, at place: Place?) -> String {
    // A line break would end the message for the tool that reads it.
    (place.map { $0.description + ": " } ?? "") + "\(severity.rawValue): \(message.shownOnOneLine)"
  }
}
