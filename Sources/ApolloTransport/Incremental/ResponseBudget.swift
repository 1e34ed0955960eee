/// How much of a response in parts may be given again because a small part has come.
///
/// Each time, the whole response so far is read and written to the cache. Without a limit, a server could keep a processor
/// busy with a few bytes. What has come, and the time that has passed, both pay for it, so a server that is slow, or whose
/// parts are as large as parts usually are, has each of them given at once.
struct ResponseBudget: Sendable {
  /// What is given in any case, in bytes.
  static let initial = 256 << 20
  /// How many bytes are given for one that comes.
  static let perByte = 64
  /// How many bytes are given for a second that passes.
  static let perSecond = 16 << 20

  private var bytes = Self.initial
  /// When the last part came; nil before the first one.
  private var last: ContinuousClock.Instant?

  /// Counts a part that has come.
  ///
  /// - Parameters:
  ///   - count: How many bytes it has.
  ///   - now: When it came.
  mutating func earn(_ count: Int, at now: ContinuousClock.Instant) {
    let milliseconds = min((now - (last ?? now)) / .milliseconds(1), 60_000)
    last = now
    let earned = Double(Self.perSecond) * milliseconds / 1000 + Double(Self.perByte) * Double(count)
    bytes = min(Self.initial, bytes + Int(min(earned, Double(Self.initial))))
  }

  /// Whether the response so far may be given.
  func allowsResult() -> Bool { bytes > 0 }

  /// Counts a response that is given. It may cost more than there is, so that even the largest one is given at some time.
  mutating func spend(_ count: Int) { bytes -= count }
}
