import Apollo
import CHeap
import Foundation

/// Collects the garbage among many records, of which a tenth is garbage, while others write to the store.
///
/// A step is as long as the processor's time between the writes before and after it. What else the machine does makes it
/// longer, never shorter: so the collection is run several times, and the run with the shortest longest step counts.
///
/// - Parameter count: How many records.
/// - Returns: False if garbage is left, if in each run a step takes more than a five-hundredth of the whole, or if the peak
///   of memory is more than 1.1 times that before.
func soakCollection(count: Int) async throws -> Bool {
  let alone = try await collect(count: count, isAlone: true)
  var isClean = alone.isClean, longest = Double.infinity
  for _ in 0..<5 {
    let run = try await collect(count: count)
    isClean = isClean && run.isClean
    longest = min(longest, run.steps.longest)
  }
  print(
    "longest step of the best run: 1/\(Int(alone.steps.whole / longest)) of the whole without writes (1/500 at most)")
  try await soakLongList(count: count)
  return isClean && longest * 500 <= alone.steps.whole
}

private func collect(count: Int, isAlone: Bool = false) async throws -> (isClean: Bool, steps: Steps) {
  let store = ApolloStore()
  for start in stride(from: 0, to: count, by: 10_000) {
    var records = RecordSet()
    var list: [Record.Value] = []
    for index in start..<min(start + 10_000, count) {
      let next = Record.Value.reference("User:\((index + 10) % count)")
      records.insert(
        Record(
          key: "User:\(index)",
          ["__typename": "User", "id": .string("\(index)"), "name": .string("A name of user \(index)"), "next": next]))
      if index % 10 != 0 { list.append(.reference("User:\(index)")) }
    }
    records.insert(Record(key: "QUERY_ROOT", ["users(from:\(start))": .list(list)]))
    try await store.publish(records: records)
  }
  let before = peak_memory_bytes()
  var removed = 0
  let steps = try await Steps.measure(in: store, writerCount: isAlone ? 0 : 4) {
    removed = try await store.collectGarbage().removedRecords.count
  }
  let growth = Double(peak_memory_bytes()) / Double(before)
  print("\(removed) of \(count) records removed: \(steps)")
  print(String(format: "peak of resident memory: %.1f MB, %.3f times", Double(before) / 1e6, growth))
  return (removed == (count + 9) / 10 && growth <= 1.1, steps)
}

/// Removes a tenth of the references of one list. A list is a value: the step that replaces it copies its numbers.
private func soakLongList(count: Int) async throws {
  let store = ApolloStore()
  var records = RecordSet()
  for index in 0..<min(count, 1000) where index % 10 != 0 {
    records.insert(Record(key: "User:\(index)", ["__typename": "User", "id": .string("\(index)")]))
  }
  let list = Record.Value.list((0..<count).map { .reference("User:\($0 % 1000)") })
  records.insert(Record(key: "QUERY_ROOT", ["list": .reference("List:1")]))
  records.insert(Record(key: "List:1", ["users": list]))
  try await store.publish(records: records)
  var removed = 0
  let steps = try await Steps.measure(in: store) {
    removed = try await store.removeDanglingReferences().removedFields.count
  }
  print("\(removed) of \(count) references of one list removed: \(steps)")
}

/// The steps of a collection, between which there are writes.
private struct Steps: CustomStringConvertible {
  /// The processor's time of the collection and of the writes between its steps, in seconds.
  var whole = 0.0
  /// The processor's time of the longest step, in seconds.
  var longest = 0.0
  var writeCount = 0

  var description: String {
    guard writeCount > 0 else { return String(format: "%.0f ms, without writes", whole * 1000) }
    return String(
      format: "%.0f ms with %d writes meanwhile, longest step %.2f ms", whole * 1000, writeCount, longest * 1000)
  }

  /// Runs a collection. Several writes wait for their turn at any time, so there is at least one after each step.
  ///
  /// - Parameters:
  ///   - store: The store that is collected.
  ///   - writerCount: How many writes wait for their turn. Without any, only the whole is measured.
  ///   - body: Collects.
  static func measure(
    in store: ApolloStore, writerCount: Int = 4, _ body: () async throws -> Void
  ) async throws -> Steps {
    let steps = Locked(Steps()), last = Locked(0.0)
    let writers = (0..<writerCount).map { number in
      Task {
        while !Task.isCancelled {
          try await store.withinReadWriteTransaction { _ in
            let now = processorTime()
            let time = last.withLock { last in
              defer { last = now }
              return now - last
            }
            steps.withLock { steps in
              steps.longest = max(steps.longest, time)
              steps.writeCount += 1
            }
          }
          if number == 0 {
            try await store.publish(records: ["QUERY_ROOT": ["written": .int(steps.withLock { $0.writeCount })]])
          }
        }
      }
    }
    while steps.withLock({ $0.writeCount }) < 2 * writerCount { await Task.yield() }
    let start = processorTime()
    last.withLock { $0 = start }
    steps.withLock { $0 = Steps() }
    try await body()
    var measured = steps.withLock { $0 }
    measured.whole = processorTime() - start
    for writer in writers {
      writer.cancel()
      _ = await writer.result
    }
    return measured
  }

  /// How many seconds the threads of this process have run, in sum.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// A value that several tasks change.
private final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<T>(_ body: (inout Value) -> T) -> T { lock.withLock { body(&value) } }
}
