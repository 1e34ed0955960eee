/// Writes JSON, value after value.
package struct JSONPrinter {
  package enum Style: Sendable {
    /// Without white space.
    case compact
    /// One value a line, two spaces a level.
    case indented
  }

  /// What is written so far, in UTF-8.
  package private(set) var utf8: [UInt8] = []
  private let style: Style
  /// For each container that is open, whether it has a value yet.
  private var open: [Bool] = []
  private var isBehindName = false

  package init(_ style: Style = .compact) { self.style = style }

  // MARK: - Values

  package mutating func null() { raw("null") }
  package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }
  package mutating func integer(_ value: Int) { raw(String(value)) }

  /// Infinite values and NaN are written as `null`, because JSON has neither.
  package mutating func double(_ value: Double) { raw(Self.digits(of: value) ?? "null") }

  /// The shortest digits that read as the same number, without a fraction where there is none; nil if the number is
  /// infinite or not a number.
  package static func digits(of value: Double) -> String? {
    // Int(exactly:) needs the library of mathematical functions, which programs without Foundation may not have linked.
    if value.magnitude < 0x1p53, Double(Int64(value)) == value { return String(Int64(value)) }
    return value.isFinite ? value.description : nil
  }

  package mutating func string(_ text: String) {
    beginValue()
    Self.appendQuoted(text, to: &utf8)
  }

  /// A value that is JSON already.
  mutating func raw(_ json: String) {
    beginValue()
    utf8.append(contentsOf: json.utf8)
  }

  // MARK: - Arrays and objects

  package mutating func array(_ body: (inout Self) -> Void) { container(from: "[", to: "]", body) }

  /// An object: `body` writes a name and a value by turns.
  package mutating func object(_ body: (inout Self) -> Void) { container(from: "{", to: "}", body) }

  /// The name of the member whose value is written next.
  package mutating func name(_ name: String) {
    string(name)
    utf8.append(contentsOf: (style == .compact ? ":" : ": ").utf8)
    isBehindName = true
  }

  private mutating func container(from begin: Unicode.Scalar, to end: Unicode.Scalar, _ body: (inout Self) -> Void) {
    beginValue()
    utf8.append(UInt8(ascii: begin))
    open.append(false)
    body(&self)
    if open.removeLast() { newLine() }
    utf8.append(UInt8(ascii: end))
  }

  /// Writes what separates a value from what stands before it.
  private mutating func beginValue() {
    if isBehindName {
      isBehindName = false
    } else if let hasValue = open.last {
      if hasValue { utf8.append(UInt8(ascii: ",")) }
      open[open.count - 1] = true
      newLine()
    }
  }

  private mutating func newLine() {
    guard style == .indented else { return }
    utf8.append(UInt8(ascii: "\n"))
    utf8.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * open.count))
  }

  // MARK: - Strings

  /// The text as a JSON string, with quotation marks and escapes.
  package static func quote(_ text: String) -> String {
    var utf8: [UInt8] = []
    appendQuoted(text, to: &utf8)
    return String(decoding: utf8, as: UTF8.self)
  }

  /// Escapes only what JSON demands, by the short escape where there is one.
  private static func appendQuoted(_ text: String, to utf8: inout [UInt8]) {
    utf8.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): utf8 += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): utf8 += "\\n".utf8
      case UInt8(ascii: "\r"): utf8 += "\\r".utf8
      case UInt8(ascii: "\t"): utf8 += "\\t".utf8
      case 0x8: utf8 += "\\b".utf8
      case 0xc: utf8 += "\\f".utf8
      case 0..<0x20: utf8 += (byte < 0x10 ? "\\u000" : "\\u00").utf8 + Array(String(byte, radix: 16).utf8)
      default: utf8.append(byte)
      }
    }
    utf8.append(UInt8(ascii: "\""))
  }
}

extension JSONNode {
  /// The value as JSON without white space.
  public var text: String { text(.compact) }

  /// The value as JSON with one value a line, two spaces a level.
  public var indentedText: String { text(.indented) }

  private func text(_ style: JSONPrinter.Style) -> String {
    var printer = JSONPrinter(style)
    write(to: &printer)
    return String(decoding: printer.utf8, as: UTF8.self)
  }

  private func write(to printer: inout JSONPrinter) {
    switch value {
    case .null: printer.null()
    case .boolean(let value): printer.boolean(value)
    case .number(let digits): printer.raw(digits)
    case .string(let text): printer.string(text)
    case .array(let elements):
      printer.array { printer in
        for element in elements { element.write(to: &printer) }
      }
    case .object(let members):
      printer.object { printer in
        for member in members {
          printer.name(member.name)
          member.value.write(to: &printer)
        }
      }
    }
  }
}
