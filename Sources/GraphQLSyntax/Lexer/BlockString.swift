/// Decodes and writes block strings — [spec](https://spec.graphql.org/September2025/#BlockStringValue())
public enum BlockString {
  /// The characters that the bytes between the triple quotes mean.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for (index, line) in trimmedLines(splitLines(bytes)).enumerated() {
      if index > 0 { text.append(Ascii.lineFeed) }
      appendUnescaped(line, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The lines of a block string without their common indentation, and without blank lines at the beginning and the
  /// end.
  public static func dedent(_ lines: [String]) -> [String] {
    trimmedLines(lines.map { Array($0.utf8)[...] }).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Writes a text as a block string.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isMinified: Whether line breaks that are only for readability are left out. The default is false.
  /// - Returns: The block string with its quotes.
  public static func print(_ text: String, isMinified: Bool = false) -> String {
    let escaped = escapeTripleQuotes(text)
    let lines = splitLines(Array(escaped.utf8)[...])
    let isSingleLine = lines.count == 1
    let isBlank = { (byte: UInt8) in byte == Ascii.space || byte == Ascii.tab }

    // Without a line break before it, the first line would not count for the common indentation of the others.
    let needsLeadingBreak =
      lines.count > 1 && lines.dropFirst().allSatisfy { line in line.first.map(isBlank) ?? true }
    let endsWithTripleQuotes = escaped.hasSuffix("\\\"\"\"")
    let needsTrailingBreak =
      (text.utf8.last == Ascii.quote && !endsWithTripleQuotes) || text.utf8.last == Ascii.backslash
    let isSpread =
      !isMinified
      && (!isSingleLine || text.utf16.count > 70 || needsTrailingBreak || needsLeadingBreak || endsWithTripleQuotes)
    let startsBlank = isSingleLine && (text.utf8.first.map(isBlank) ?? false)

    var result = "\"\"\""
    if (isSpread && !startsBlank) || needsLeadingBreak { result += "\n" }
    result += escaped
    if isSpread || needsTrailingBreak { result += "\n" }
    return result + "\"\"\""
  }

  /// Whether a block string can express a text. It cannot if removing the indentation would change the text, or if the
  /// text has control characters.
  public static func canHold(_ text: String) -> Bool {
    let isControl = { (byte: UInt8) in byte < Ascii.space && byte != Ascii.tab && byte != Ascii.lineFeed }
    guard !text.utf8.contains(where: isControl) else { return false }
    if isPlainLine(text) { return true }
    return decode(Array(print(text).utf8).dropFirst(3).dropLast(3)) == text
  }

  /// Whether the text is a line without quotes, backslashes and outer spaces, as most descriptions are.
  private static func isPlainLine(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last, first > Ascii.space, last > Ascii.space else {
      return false
    }
    return text.utf8.allSatisfy { $0 >= Ascii.space && $0 != Ascii.quote && $0 != Ascii.backslash }
  }

  private static func splitLines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    var index = start
    while index < bytes.endIndex {
      let byte = bytes[index]
      guard byte == Ascii.lineFeed || byte == Ascii.carriageReturn else {
        index += 1
        continue
      }
      lines.append(bytes[start..<index])
      index += 1
      if byte == Ascii.carriageReturn, index < bytes.endIndex, bytes[index] == Ascii.lineFeed { index += 1 }
      start = index
    }
    lines.append(bytes[start...])
    return lines
  }

  private static func trimmedLines(_ lines: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
    let indentations = lines.map { line in line.prefix { $0 == Ascii.space || $0 == Ascii.tab }.count }
    let isBlank = lines.indices.map { indentations[$0] == lines[$0].count }
    guard let first = isBlank.firstIndex(of: false), let last = isBlank.lastIndex(of: false) else { return [] }
    let common = lines.indices.dropFirst().filter { !isBlank[$0] }.map { indentations[$0] }.min() ?? 0
    return (first...last).map { $0 == 0 ? lines[$0] : lines[$0].dropFirst(common) }
  }

  private static func appendUnescaped(_ line: ArraySlice<UInt8>, to text: inout [UInt8]) {
    guard line.contains(Ascii.backslash) else { return text.append(contentsOf: line) }
    var rest = line
    while let byte = rest.popFirst() {
      let isEscape = byte == Ascii.backslash && rest.prefix(3).elementsEqual(repeatElement(Ascii.quote, count: 3))
      if isEscape {
        text.append(contentsOf: rest.prefix(3))
        rest = rest.dropFirst(3)
      } else {
        text.append(byte)
      }
    }
  }

  private static func escapeTripleQuotes(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var quotes = 0
    for byte in text.utf8 {
      quotes = byte == Ascii.quote ? quotes + 1 : 0
      result.append(byte)
      if quotes == 3 {
        result.insert(Ascii.backslash, at: result.count - 3)
        quotes = 0
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
