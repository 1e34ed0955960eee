import Testing

@testable import ApolloWebSocket

@Suite("Rules of reconnection")
struct PolicyTests {
  @Test("Jitter takes a random part off the delay, and never adds to it")
  func jitter() {
    let policy = ReconnectionPolicy(initialDelay: .seconds(10), maximumDelay: .seconds(100), jitter: 0.5)
    #expect(policy.delay(afterFailures: 0, random: 0) == .seconds(10))
    #expect(policy.delay(afterFailures: 0, random: 0.5) == .seconds(7.5))
    #expect(policy.delay(afterFailures: 1, random: 0.5) == .seconds(15))
  }

  @Test("Without a limit it goes on for ever at the longest delay")
  func unlimited() {
    let policy = ReconnectionPolicy(maximumAttempts: nil, maximumDelay: .seconds(30), jitter: 0)
    #expect(policy.delay(afterFailures: 1_000_000, random: 0.9) == .seconds(30))
  }

  @Test("No attempt at all")
  func never() {
    #expect(ReconnectionPolicy.never.delay(afterFailures: 0, random: 0) == nil)
  }

  @Test("A close reason is cut at 123 bytes, never within a character")
  func closeReason() {
    #expect("short".asCloseReason == "short")
    #expect(String(repeating: "a", count: 200).asCloseReason.utf8.count == 123)
    #expect(String(repeating: "😀", count: 40).asCloseReason == String(repeating: "😀", count: 30))
  }

  @Test("UTF-8 is checked across parts", arguments: ["grün", "€", "😀", "\u{d7ff}\u{e000}\u{10ffff}", ""])
  func validUTF8(text: String) {
    var checker = UTF8Checker()
    for byte in text.utf8 {
      let isAccepted = checker.accepts(CollectionOfOne(byte))
      #expect(isAccepted)
    }
    #expect(checker.isComplete)
  }

  @Test(
    "What is not UTF-8 is found at once",
    arguments: [
      [0x80], [0xc1], [0xc3, 0x41], [0xe0, 0x9f], [0xed, 0xa0], [0xf0, 0x8f], [0xf4, 0x90], [0xf5], [0xe2, 0x82, 0x41],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    var checker = UTF8Checker()
    for byte in bytes.dropLast() {
      let isAccepted = checker.accepts(CollectionOfOne(byte))
      #expect(isAccepted)
    }
    let isAccepted = checker.accepts(bytes.suffix(1))
    #expect(!isAccepted)
  }
}
