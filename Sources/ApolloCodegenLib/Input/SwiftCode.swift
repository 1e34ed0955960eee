/// The code of a Swift file, without what only looks like code.
struct SwiftCode {
  private var rest: ArraySlice<UInt8>
  private var code: [UInt8] = []

  private init(_ text: String) { rest = Array(text.utf8)[...] }

  /// The code of a text without comments and without what is between the quotes of literals. It has the lines of the
  /// text.
  ///
  /// - Parameter text: The text.
  /// - Returns: The code.
  static func withoutTexts(_ text: String) -> String {
    var reader = SwiftCode(text)
    reader.read()
    return String(decoding: reader.code, as: UTF8.self)
  }

  /// Reads code to its end, or to the parenthesis behind an interpolation.
  private mutating func read(inParentheses: Bool = false) {
    var depth = 0
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "/") where rest.starts(with: "//".utf8): rest = rest.drop { $0 != Self.lineBreak }
      case UInt8(ascii: "/") where rest.starts(with: "/*".utf8): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "#"): readLiteral()
      default:
        rest.removeFirst()
        code.append(byte)
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if inParentheses, depth < 0 { return }
      }
    }
  }

  /// Skips a comment, which may have others in it.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if rest.starts(with: "/*".utf8) {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.starts(with: "*/".utf8) {
        depth -= 1
        rest = rest.dropFirst(2)
      } else if rest.popFirst() == Self.lineBreak {
        code.append(Self.lineBreak)
      }
    } while depth > 0 && !rest.isEmpty
  }

  /// Reads the quotes of a literal, and the code in its interpolations.
  private mutating func readLiteral() {
    let marks = Array(rest.prefix { $0 == UInt8(ascii: "#") })
    rest = rest.dropFirst(marks.count)
    guard rest.first == UInt8(ascii: "\"") else { return code += marks }
    let hasLines = rest.starts(with: "\"\"\"".utf8)
    let quotes = Array(repeating: UInt8(ascii: "\""), count: hasLines ? 3 : 1)
    rest = rest.dropFirst(quotes.count)
    code += quotes
    while let byte = rest.first {
      if rest.starts(with: quotes + marks) {
        rest = rest.dropFirst(quotes.count + marks.count)
        code += quotes
        return
      }
      let isEscape = byte == UInt8(ascii: "\\") && rest.dropFirst().starts(with: marks)
      if isEscape { rest = rest.dropFirst(1 + marks.count) }
      guard let byte = rest.popFirst() else { return }
      if isEscape, byte == UInt8(ascii: "(") { read(inParentheses: true) }
      guard byte == Self.lineBreak else { continue }
      code.append(byte)
      if !hasLines { return }
    }
  }

  private static let lineBreak = UInt8(ascii: "\n")
}
