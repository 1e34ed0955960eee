/// Swift literals.
enum Literal {
  /// A string literal, raw where that saves escapes.
  static func string(_ text: String) -> String {
    let hasControl = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
    guard !hasControl else { return "\"" + text.unicodeScalars.map(escape).joined() + "\"" }
    guard text.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"" + text + "\"" }
    var delimiter = "#"
    while text.contains("\"" + delimiter) || text.contains("\\" + delimiter) { delimiter += "#" }
    return delimiter + "\"" + text + "\"" + delimiter
  }

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
