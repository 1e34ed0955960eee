import GraphQLSyntax
import Testing

@Suite("Strings")
struct BlockStringTests {
  /// All strings over an alphabet, up to a length.
  private static func strings(over alphabet: [Character], upTo length: Int) -> [String] {
    var all = [""]
    var longest = [""]
    for _ in 0..<length {
      longest = longest.flatMap { prefix in alphabet.map { prefix + String($0) } }
      all += longest
    }
    return all
  }

  private func value(_ text: String) -> String? {
    guard case .string(let string)? = Parser.parseValue(Source(text)).value?.kind else { return nil }
    return string.value
  }

  @Test("What a block string can hold, it means again when printed")
  func blockStrings() {
    var count = 0
    for text in Self.strings(over: ["\n", "\t", " ", "\"", "a", "\\"], upTo: 5) where BlockString.canHold(text) {
      count += 1
      let printed = value(BlockString.print(text))
      #expect(printed == text, "\(text.debugDescription)")
      #expect(value(BlockString.print(text, isMinified: true)) == text, "\(text.debugDescription)")
    }
    #expect(count > 3_000)
  }

  @Test("The value of any block string can be held by one")
  func blockStringValues() {
    for text in Self.strings(over: ["\n", "\t", " ", "\"", "a", "\\"], upTo: 5) {
      // Quotes and backslashes at the end may not leave a block string at all.
      guard let value = value("\"\"\"\(text)\"\"\"") else { continue }
      #expect(BlockString.canHold(value), "\(text.debugDescription)")
    }
  }

  @Test("Any string means itself again when quoted")
  func quotedStrings() {
    for text in Self.strings(over: ["\n", "\r", "\"", "\\", "\u{7F}", "ä", "😀", "u"], upTo: 4) {
      #expect(value(Printer.quote(text)) == text, "\(text.debugDescription)")
    }
  }
}
