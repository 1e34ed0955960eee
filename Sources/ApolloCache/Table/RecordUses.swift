/// When records were used last, in steps of reads and writes.
struct RecordUses {
  private var lastUse: [UInt64] = []
  private var now: UInt64 = 0
  /// The last step of each of the last periods, with the second in which the period began. A period is a part of the
  /// time after which unused records are dropped.
  private var periods = FirstInFirstOut<Period>()
  private var current: Period?
  /// The last step that is too long ago, if it was not taken yet.
  private var expired: UInt64?

  private struct Period: Sendable {
    let start: UInt32
    var lastStep: UInt64
  }

  mutating func note(_ records: some Sequence<Int32>) {
    now += 1
    for record in records where record >= 0 {
      while lastUse.count <= Int(record) { lastUse.append(0) }
      lastUse[Int(record)] = now
    }
  }

  func lastUse(of record: Int32) -> UInt64 { Int(record) < lastUse.count ? lastUse[Int(record)] : 0 }

  mutating func renumber(_ numbers: [Int32: Int32]) {
    var renumbered = self
    renumbered.lastUse = Array(repeating: 0, count: Int(numbers.values.max() ?? -1) + 1)
    for (old, new) in numbers { renumbered.lastUse[Int(new)] = lastUse(of: old) }
    self = renumbered
  }

  // MARK: Time

  /// Notes the time of the last step.
  ///
  /// - Parameters:
  ///   - time: The time, in seconds since 1970. If it goes back, it counts as the latest time so far.
  ///   - limit: After how many seconds without use a record is dropped.
  mutating func noteTime(_ time: UInt32, limit: UInt32) {
    let length = max(1, limit / 64)
    if let period = current, time < period.start || time - period.start < length {
      current?.lastStep = now
    } else {
      if let current { periods.append(current) }
      current = Period(start: time, lastStep: now)
    }
    while let first = periods.first, time > first.start, time - first.start >= limit,
      time - first.start - limit >= length
    {
      expired = first.lastStep
      _ = periods.popFirst()
    }
  }

  /// The last step that is too long ago; nil if that is known already.
  mutating func takeExpired() -> UInt64? {
    defer { expired = nil }
    return expired
  }
}
