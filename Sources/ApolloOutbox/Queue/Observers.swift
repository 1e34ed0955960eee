/// The streams that are told when an outbox has changed.
struct Observers {
  private var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
  private var count = 0

  mutating func add(_ continuation: AsyncStream<Void>.Continuation) -> Int {
    count += 1
    continuations[count] = continuation
    continuation.yield()
    return count
  }

  mutating func remove(_ number: Int) { continuations[number] = nil }

  func tell() { for continuation in continuations.values { continuation.yield() } }

  mutating func finish() {
    for continuation in continuations.values { continuation.finish() }
    continuations = [:]
  }
}
