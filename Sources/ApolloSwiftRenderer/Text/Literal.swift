/// Swift literals.
enum Literal {
  /// A string literal. It is raw if that avoids escapes.
  static func string(_ text: String) -> String {
    let hasControl = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    guard !hasControl else { return "\"" + text.unicodeScalars.map(escape).joined() + "\"" }
    guard text.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"" + text + "\"" }
    var delimiter = "#"
    while text.contains("\"" + delimiter) || text.contains("\\" + delimiter) { delimiter += "#" }
    return delimiter + "\"" + text + "\"" + delimiter
  }

  /// A string literal, perhaps on several lines if it is too long for one. The text must have no line breaks: each line
  /// but the last ends in a backslash.
  static func lines(_ text: String, format: DocumentLiteralFormat) -> [String] {
    guard format == .multiline, text.utf8.count > lineLength else { return [string(text)] }
    var lines = [""]
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let word = word.unicodeScalars.map(escape).joined()
      if lines[lines.count - 1].utf8.count + word.utf8.count > lineLength {
        lines[lines.count - 1] += "\\"
        lines.append("")
      }
      lines[lines.count - 1] += word + " "
    }
    lines[lines.count - 1].removeLast()
    return ["\"\"\""] + lines + ["\"\"\""]
  }

  private static let lineLength = 100

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.value < 0x20 || scalar.value == 0x7f: "\\u{" + String(scalar.value, radix: 16) + "}"
    default: String(scalar)
    }
  }
}
