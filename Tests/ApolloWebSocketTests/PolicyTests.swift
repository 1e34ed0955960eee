import Apollo
import Foundation
import Testing

@testable import ApolloWebSocket

@Suite("Rules of reconnection")
struct PolicyTests {
  private typealias Failures = ReconnectionPolicy.Failures

  @Test("Jitter takes a random part off the delay, and never adds to it")
  func jitter() {
    let policy = ReconnectionPolicy(initialDelay: .seconds(10), maximumDelay: .seconds(100), jitter: 0.5)
    #expect(policy.delay(after: Failures(), .network, random: 0) == .seconds(10))
    #expect(policy.delay(after: Failures(), .server, random: 0.5) == .seconds(7.5))
    #expect(policy.delay(after: Failures(network: 1), .network, random: 0.5) == .seconds(15))
  }

  @Test("A network that fails is tried for ever at the longest delay, a server that fails as often as is said")
  func limits() {
    let policy = ReconnectionPolicy(maximumServerFailures: 10, jitter: 0)
    #expect(policy.delay(after: Failures(network: 1_000_000), .network, random: 0.9) == .seconds(30))
    #expect(policy.delay(after: Failures(network: 50, server: 9), .server, random: 0) == .seconds(30))
    #expect(policy.delay(after: Failures(network: 50, server: 10), .server, random: 0) == nil)
    #expect(policy.delay(after: Failures(network: 50, server: 10), .network, random: 0) == .seconds(30))
    let patient = ReconnectionPolicy(jitter: 0)
    #expect(patient.delay(after: Failures(server: 1_000_000), .server, random: 0) == .seconds(30))
  }

  @Test("Jitter that is not a number, and delays without end, do no harm")
  func extremes() {
    for jitter in [.nan, .infinity, -.infinity, -1, 2] as [Double] {
      let delay = ReconnectionPolicy(initialDelay: .seconds(4), jitter: jitter)
        .delay(after: Failures(), .network, random: 0.5)
      #expect(delay == (jitter > 0 ? .seconds(2) : .seconds(4)), "\(jitter)")
    }
    let endless = ReconnectionPolicy(initialDelay: .seconds(Int64.max), maximumDelay: .seconds(Int64.max), jitter: 0)
    for count in [0, 1, 30, 1_000] {
      #expect(endless.delay(after: Failures(network: count), .network, random: 0) == .longest)
    }
  }

  @Test("No attempt at all")
  func never() {
    #expect(ReconnectionPolicy.never.delay(after: Failures(), .network, random: 0) == nil)
    #expect(ReconnectionPolicy.never.delay(after: Failures(), .server, random: 0) == nil)
  }

  @Test("Whose fault a loss is: the network's, the server's, or one that no other attempt would cure")
  func nature() {
    func nature(_ kind: WebSocketError.ErrorKind, _ cause: (any Error)? = nil) -> ReconnectionPolicy.Nature? {
      WebSocketError(kind, error: cause).natureOfLoss
    }
    #expect(nature(.networkError) == .network)
    #expect(nature(.timeout) == .network)
    #expect(nature(.closed(code: .abnormalClosure, reason: "")) == .network)
    #expect(nature(.closed(code: .terminated, reason: "")) == .network)
    #expect(nature(.closed(code: .serviceRestart, reason: "")) == .server)
    #expect(nature(.closed(code: .connectionAcknowledgementTimeout, reason: "")) == .server)
    #expect(nature(.upgradeError(code: 503)) == .server)
    #expect(nature(.closed(code: .forbidden, reason: "")) == nil)
    #expect(nature(.upgradeError(code: 404)) == nil)
    #expect(nature(.secureConnection(reason: "")) == nil)
    #expect(nature(.credentials, URLError(.notConnectedToInternet)) == .network)
    #expect(nature(.connectingPayload, WebSocketError(.networkError)) == .network)
    #expect(nature(.credentials, CancellationError()) == nil)
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
    "Input that is not UTF-8 is found at once",
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
