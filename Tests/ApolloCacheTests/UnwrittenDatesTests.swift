@testable import ApolloCache
import ResponseStyles
import StyledTests
import Testing

@Suite("Dates that wait for the next write")
struct UnwrittenDatesTests {
  /// All records that wait are looked at with each write.
  private struct Model {
    var waiting: Set<Int32> = []
    var writtenAt: [Int32: UInt32] = [:]

    mutating func take(at now: UInt32, takesAll: Bool) -> [Int32] {
      let taken = waiting.filter { record in takesAll || writtenAt[record].map { now - $0 >= 60 } ?? true }
      waiting.subtract(taken)
      for record in taken { writtenAt[record] = now }
      return taken.sorted()
    }
  }

  @Test("They are written at most once in a minute, and not later", arguments: Effort.seeds(5))
  func random(_ seed: UInt64) {
    var random = SplitMix(state: seed &* 7919 &+ 11), dates = UnwrittenDates(), model = Model(), now: UInt32 = 1_000_000
    var takenCount = 0, waitingCount = 0
    for step in 0..<2_000 {
      now += UInt32.random(in: 0...20, using: &random)
      let records = (0..<Int.random(in: 0..<5, using: &random)).map { _ in Int32.random(in: 0..<12, using: &random) }
      dates.insert(records)
      model.waiting.formUnion(records)
      let takesAll = Int.random(in: 0..<40, using: &random) == 0
      let taken = dates.take(at: now, takesAll: takesAll), expected = model.take(at: now, takesAll: takesAll)
      #expect(taken == expected, "seed \(seed), step \(step)")
      if Int.random(in: 0..<10, using: &random) == 0 {
        dates.putBack(taken)
        for record in taken {
          model.waiting.insert(record)
          model.writtenAt[record] = nil
        }
      }
      for record: Int32 in 0..<12 {
        #expect(dates.contains(record) == model.waiting.contains(record), "seed \(seed), step \(step)")
      }
      takenCount += taken.count
      waitingCount += model.waiting.count
    }
    #expect(takenCount > 1_000 && waitingCount > 1_000)
  }

  @Test("A clock that is set back does not keep them")
  func clock() {
    var dates = UnwrittenDates()
    let records: [Int32] = [1]
    let taken = [1_000, 1_010, 500].map { (now: UInt32) in
      dates.insert(records)
      return dates.take(at: now)
    }
    #expect(taken == [records, [], records])
  }
}
