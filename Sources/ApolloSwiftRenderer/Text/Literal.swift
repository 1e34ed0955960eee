import ForeignText

/// Swift literals.
///
/// **Invariant.** What ends a literal, or begins an escape or an interpolation in it, is found by scalars, as Swift's
/// lexer finds it. A `Character` may be a quotation mark joined with the scalar before or behind it, and is then not
/// equal to `"`.
package enum Literal {
  /// A string literal on one line. It is never raw: attributes do not take raw literals.
  package static func string(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  /// A string literal, perhaps on several lines if it is too long for one. Each line but the last ends in a backslash.
  static func lines(_ text: String, format: DocumentLiteralFormat) -> [String] {
    guard format == .multiline, text.utf8.count > lineLength else { return [string(text)] }
    var lines: [[UInt8]] = [[]]
    // An escape has no spaces.
    for word in escaped(text).utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      if lines[lines.count - 1].count + word.count > lineLength {
        lines[lines.count - 1].append(UInt8(ascii: "\\"))
        lines.append([])
      }
      lines[lines.count - 1] += word + [UInt8(ascii: " ")]
    }
    lines[lines.count - 1].removeLast()
    return ["\"\"\""] + lines.map { String(decoding: $0, as: UTF8.self) } + ["\"\"\""]
  }

  private static let lineLength = 100

  /// The text between the quotation marks.
  private static func escaped(_ text: String) -> String {
    guard !text.utf8.allSatisfy(isPlain) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(contentsOf: escaped(scalar).unicodeScalars) }
    return String(result)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    // Swift's lexer refuses these noncharacters as escapes, and takes them as they are.
    case _ where 0xFDD0...0xFDEF ~= scalar.value: String(scalar)
    case _ where isShown(scalar): String(scalar)
    default: HiddenScalar.escaped(scalar)
    }
  }

  /// Whether a scalar is written as it is: it has a shape of its own, also in years to come.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned, .surrogate:
      false
    default: true
    }
  }
}
