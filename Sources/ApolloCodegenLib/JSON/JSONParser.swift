import GraphQLSyntax

/// Parses JSON (RFC 8259).
struct JSONParser<Value: JSONReadable> {
  private let source: Source
  private let bytes: ArraySlice<UInt8>
  private var position = 0
  private var depth = 0
  /// Commas behind which there is nothing, where they are allowed.
  private var needlessCommas: [SourceSpan]?

  private init(_ source: Source) {
    self.source = source
    bytes = source.utf8
  }

  static func parse(_ source: Source) throws(DiagnosticsError) -> Value {
    var parser = JSONParser(source)
    return try parser.file()
  }

  /// Parses a file that people write, in which a comma before `}` or `]` is a warning.
  static func parseWithNeedlessCommas(_ source: Source) throws(DiagnosticsError) -> Parsed<Value> {
    var parser = JSONParser(source)
    parser.needlessCommas = []
    let value = try parser.file()
    let warnings = parser.needlessCommas?.map { comma in
      Diagnostic(
        .needlessComma, severity: .warning,
        "Nothing follows this comma. JSON has none there, and other tools refuse it.",
        at: comma, help: "Remove it.")
    }
    return Parsed(value, diagnostics: warnings ?? [])
  }

  private mutating func file() throws(DiagnosticsError) -> Value {
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw error("Expected the end of the file") }
    return value
  }

  private mutating func value() throws(DiagnosticsError) -> Value {
    skipSpace()
    let start = position
    let json: JSON<Value>
    switch peek {
    case UInt8(ascii: "{"): json = .object(try members())
    case UInt8(ascii: "["): json = .list(try elements())
    case UInt8(ascii: "\""): json = .string(try string())
    case UInt8(ascii: "t"): json = try word("true", .boolean(true))
    case UInt8(ascii: "f"): json = try word("false", .boolean(false))
    case UInt8(ascii: "n"): json = try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte): json = .number(try number())
    default: throw error("Expected a JSON value")
    }
    return Value(json, at: span(from: start))
  }

  private mutating func members() throws(DiagnosticsError) -> [JSON<Value>.Member] {
    try descend()
    defer { depth -= 1 }
    var members: [JSON<Value>.Member] = []
    // Of members with the same name, the last one counts, as in the JSON of servers.
    var indices: [String: Int] = [:]
    skipSpace()
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      skipSpace()
      if !members.isEmpty, takesEnd(UInt8(ascii: "}")) { break }
      let start = position
      guard peek == UInt8(ascii: "\"") else { throw error("Expected the name of a member") }
      let name = try string()
      let nameSpan = span(from: start)
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("Expected \":\"") }
      let member = JSON<Value>.Member(name: name, nameSpan: nameSpan, value: try value())
      if let index = indices.updateValue(members.count, forKey: name) {
        members[index] = member
        indices[name] = index
      } else {
        members.append(member)
      }
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw error("Expected \",\" or \"}\"") }
    return members
  }

  private mutating func elements() throws(DiagnosticsError) -> [Value] {
    try descend()
    defer { depth -= 1 }
    var elements: [Value] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    repeat {
      skipSpace()
      if !elements.isEmpty, takesEnd(UInt8(ascii: "]")) { break }
      elements.append(try value())
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw error("Expected \",\" or \"]\"") }
    return elements
  }

  /// Whether the end stands behind a comma, which is noted.
  private mutating func takesEnd(_ end: UInt8) -> Bool {
    guard needlessCommas != nil, peek == end else { return false }
    let comma = bytes[..<position].lastIndex(of: UInt8(ascii: ",")) ?? position
    needlessCommas?.append(SourceSpan(source: source.id, start: UInt32(comma), end: UInt32(comma + 1)))
    return true
  }

  private mutating func descend() throws(DiagnosticsError) {
    position += 1
    depth += 1
    guard depth <= 512 else { throw error("Nested too deeply: no more than 512 levels are read") }
  }

  private mutating func number() throws(DiagnosticsError) -> String {
    let start = position
    _ = take(UInt8(ascii: "-"))
    // No digit follows a leading zero.
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return text(start..<position)
  }

  private mutating func digits() throws(DiagnosticsError) {
    let start = position
    while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw error("Expected a digit") }
  }

  private mutating func word(_ word: String, _ json: JSON<Value>) throws(DiagnosticsError) -> JSON<Value> {
    guard bytes.dropFirst(position).starts(with: word.utf8) else { throw error("Expected a JSON value") }
    position += word.utf8.count
    return json
  }

  // MARK: - Strings

  private mutating func string() throws(DiagnosticsError) -> String {
    position += 1
    var start = position
    var result = ""
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        result += text(start..<position)
        position += 1
        return result
      case UInt8(ascii: "\\"):
        result += text(start..<position)
        result.unicodeScalars.append(try escape())
        start = position
      case 0..<0x20: throw error("Expected no control character in a string")
      default: position += 1
      }
    }
    throw error("Expected the end of a string")
  }

  private mutating func escape() throws(DiagnosticsError) -> Unicode.Scalar {
    position += 1
    guard let byte = peek else { throw error("Expected the end of a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"):
      return try unicodeEscape()
    default: throw error("Expected a valid escape")
    }
  }

  /// Reads the digits of `\uXXXX`, and of a second one if the two are a surrogate pair. A surrogate without its pair is
  /// U+FFFD.
  private mutating func unicodeEscape() throws(DiagnosticsError) -> Unicode.Scalar {
    let first = try codeUnit()
    let end = position
    if UTF16.isLeadSurrogate(first), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
      let second = try codeUnit()
      if UTF16.isTrailSurrogate(second) { return UTF16.decode(UTF16.EncodedScalar([first, second])) }
    }
    // What follows it, if anything did, is read by itself.
    position = end
    return Unicode.Scalar(first) ?? "\u{fffd}"
  }

  private mutating func codeUnit() throws(DiagnosticsError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("Expected a hexadecimal digit")
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  // MARK: - Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func span(from start: Int) -> SourceSpan {
    SourceSpan(source: source.id, start: UInt32(start), end: UInt32(position))
  }

  private func error(_ expected: String) -> DiagnosticsError {
    let place = SourceSpan(
      source: source.id, start: UInt32(position), end: UInt32(min(position + 1, bytes.count)))
    let found = peek == nil ? "the file ends" : "found \"\(Character(Unicode.Scalar(bytes[position])))\""
    return DiagnosticsError([Diagnostic(.invalidJSON, "\(expected), but \(found).", at: place)])
  }
}
