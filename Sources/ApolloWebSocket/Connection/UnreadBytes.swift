/// The bytes that the network was given and has not taken, because the server does not read.
struct UnreadBytes: Sendable {
  let limit: Int
  /// Of operations, which wait until there is room.
  private var operations = 0
  /// Of messages that cannot wait.
  private var others = 0
  /// Of the one pong that is under way; nil if there is none.
  private var pong: Int?
  /// Whether the network has taken anything since this was last set to false.
  var hasMoved = true

  init(limit: Int) { self.limit = limit }

  /// True if a pong waits for the server to read it.
  var hasPong: Bool { pong != nil }

  /// True if there are more bytes than the limit. A message that is larger than the limit may wait by itself, but for an
  /// answer, whose size the server decides.
  private(set) var isTooMuch = false

  /// Whether an operation may be sent now.
  func hasRoom(for bytes: Int) -> Bool {
    let sum = operations + others + (pong ?? 0)
    return sum == 0 || bytes <= limit - sum
  }

  mutating func add(_ weight: ClientMessage.Weight) {
    switch weight.kind {
    case .operation: operations += weight.bytes
    case .pong:
      pong = weight.bytes
      if weight.bytes > limit { isTooMuch = true }
    case .other:
      if others > 0, others + weight.bytes > limit { isTooMuch = true }
      others += weight.bytes
    }
  }

  /// The network has taken a message.
  mutating func remove(_ weight: ClientMessage.Weight) {
    hasMoved = true
    switch weight.kind {
    case .operation: operations -= weight.bytes
    case .pong: pong = nil
    case .other: others -= weight.bytes
    }
  }
}
