import ForeignText

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
      paint("\(diagnostic.severity.rawValue)[\(diagnostic.code)]", color)
        + paint(": \(diagnostic.message.shownOnOneLine)", "1")
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
      lines.append(margin(gutter) + paint("= ", "34") + paint("help", "1") + ": " + help.shownOnOneLine)
    }
    return lines.map { $0 + "\n" }.joined() + "\n"
  }

  private func excerpt(_ place: Place, gutter: Int, color: String, caret: Character, message: String) -> [String] {
    let location = place.location
    let line = place.index.line(containing: place.span.start)
    let mark = Int(place.span.start)..<max(Int(place.span.start), Int(place.span.end))
    // The line number and the bar, with spaces, are before the line.
    let excerpt = Excerpt(place.source.utf8[line], mark: mark, width: width.map { max(20, $0 - gutter - 3) })
    let carets = String(repeating: caret, count: excerpt.length)
    let number = String(location.line)
    let bar = margin(gutter) + paint("|", "34")
    let numbered = String(repeating: " ", count: gutter - number.count) + paint("\(number) |", "34")
    return [
      String(repeating: " ", count: gutter) + paint("-->", "34") + " \(place.description)",
      bar,
      numbered + " " + excerpt.text,
      bar + " " + String(repeating: " ", count: excerpt.indent)
        + paint(carets + (message.isEmpty ? "" : " " + message.shownOnOneLine), color),
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
    seen(text).reduce(start) { column, character in column + width(of: character, at: column) } - start
  }

  /// Replaces tabs by spaces, so that a caret is below its character in every terminal. What a terminal would obey, or
  /// a log take for a command, becomes `?`.
  static func expandTabs(_ text: String) -> String {
    var column = 0
    var result = ""
    for character in seen(text) {
      let width = width(of: character, at: column)
      column += width
      if character == "\t" {
        result += String(repeating: " ", count: width)
      } else {
        result.append(character)
      }
    }
    return result
  }

  /// The text with `?` in place of each scalar that is hidden, and of one in each command.
  private static func seen(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for place in LogCommand.places(in: bytes) { bytes[place] = UInt8(ascii: "?") }
    var seen = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      seen.append(HiddenScalar.isHidden(scalar) ? "?" : scalar)
    }
    return String(seen)
  }

  /// The number of columns of a character that is not hidden.
  ///
  /// - Parameters:
  ///   - character: The character.
  ///   - column: The column at which it begins, because the width of a tab depends on it. The default is 0.
  /// - Returns: The number of columns.
  static func width(of character: Character, at column: Int = 0) -> Int {
    if character == "\t" { return tabWidth - column % tabWidth }
    // (A scalar of the class Prepend stands before what takes the column.)
    guard let scalar = character.unicodeScalars.first(where: { !isWithoutWidth($0) }) else { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  private static func isWithoutWidth(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  /// Whether the character is an East Asian wide character or an emoji.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x1100: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
