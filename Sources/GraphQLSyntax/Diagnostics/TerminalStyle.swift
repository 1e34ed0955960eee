/// Shows the line that a diagnostic is about, with a caret below:
///
///     error[unknown-field]: Cannot query field "nme" on type "User".
///      --> Queries/User.graphql:3:5
///       |
///     3 |     nme
///       |     ^^^
///       = help: Did you mean "name"?
struct TerminalStyle {
  var isColored: Bool
  /// How many columns there are; nil for no limit.
  var width: Int?

  func render(_ diagnostic: Diagnostic, place: (SourceSpan) -> Place?) -> String {
    let color = Self.color(of: diagnostic.severity)
    var lines = [
      paint("\(diagnostic.severity.rawValue)[\(diagnostic.code)]", color) + paint(": \(diagnostic.message)", "1")
    ]
    let primary = place(diagnostic.span)
    let labels = diagnostic.labels.map { ($0.message, place($0.span)) }
    let places = [primary].compactMap(\.self) + labels.compactMap(\.1)
    let gutter = places.map { String($0.location.line).count }.max() ?? 1
    if let primary { lines += excerpt(primary, gutter: gutter, color: color, caret: "^", message: "") }
    for (message, place) in labels {
      guard let place else { continue }
      lines += excerpt(place, gutter: gutter, color: "34", caret: "-", message: message)
    }
    if let help = diagnostic.help {
      lines.append(margin(gutter) + paint("= ", "34") + paint("help", "1") + ": " + help)
    }
    return lines.map { $0 + "\n" }.joined() + "\n"
  }

  private func excerpt(_ place: Place, gutter: Int, color: String, caret: Character, message: String) -> [String] {
    let location = place.location
    let (text, start) = place.index.line(containing: place.span.start)
    let mark = (Int(place.span.start) - start)..<max(Int(place.span.start), Int(place.span.end)) - start
    // The line number and the bar, with spaces, are before the line.
    let excerpt = Excerpt(text, mark: mark, width: width.map { max(20, $0 - gutter - 3) })
    let carets = String(repeating: caret, count: excerpt.length)
    let number = String(location.line)
    let bar = margin(gutter) + paint("|", "34")
    let numbered = String(repeating: " ", count: gutter - number.count) + paint("\(number) |", "34")
    return [
      String(repeating: " ", count: gutter) + paint("-->", "34") + " \(place.description)",
      bar,
      numbered + " " + excerpt.text,
      bar + " " + String(repeating: " ", count: excerpt.indent)
        + paint(carets + (message.isEmpty ? "" : " " + message), color),
    ]
  }

  private func margin(_ gutter: Int) -> String { String(repeating: " ", count: gutter + 1) }

  private func paint(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private static func color(of severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "1;31"
    case .warning: "1;33"
    case .note: "1;36"
    }
  }
}

/// How many columns text takes in a terminal.
enum DisplayWidth {
  static let tabWidth = 4

  /// The number of columns of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - start: The column at which the text begins, because the width of tabs depends on it. The default is 0.
  /// - Returns: The number of columns.
  static func of(_ text: String, at start: Int = 0) -> Int {
    text.reduce(start) { column, character in column + width(of: character, at: column) } - start
  }

  /// Replaces tabs by spaces, so that a caret is below its character in every terminal. Other control characters, which
  /// a terminal would obey, become `?`.
  static func expandTabs(_ text: String) -> String {
    var column = 0
    var result = ""
    for character in text {
      let width = width(of: character, at: column)
      column += width
      if character == "\t" {
        result += String(repeating: " ", count: width)
      } else {
        result.append(isControl(character) ? "?" : character)
      }
    }
    return result
  }

  private static func isControl(_ character: Character) -> Bool {
    character.unicodeScalars.first?.properties.generalCategory == .control
  }

  private static func width(of character: Character, at column: Int) -> Int {
    if character == "\t" { return tabWidth - column % tabWidth }
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.isASCII { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// Whether the character is an East Asian wide character or an emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
