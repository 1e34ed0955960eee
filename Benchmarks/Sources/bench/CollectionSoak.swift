import Apollo
import CHeap
import Foundation

/// Collects the garbage among many records, of which a tenth is garbage, while another task writes to the store.
///
/// - Parameter count: How many records.
/// - Returns: False if garbage is left, if a write has waited for more than a five-hundredth of the whole, or if the peak
///   of memory is more than 1.1 times that before.
func soakCollection(count: Int) async throws -> Bool {
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
  let (whole, longest, writes) = try await measureWithWrites(to: store) {
    removed = try await store.collectGarbage().removedRecords.count
  }
  let growth = Double(peak_memory_bytes()) / Double(before)
  print("\(removed) of \(count) records removed in \(whole), with \(writes) writes meanwhile")
  print("longest write: \(longest), 1/\(Int(whole / longest)) of the whole")
  print(String(format: "peak of resident memory: %.1f MB, %.3f times", Double(before) / 1e6, growth))
  try await soakLongList(count: count)
  return removed == (count + 9) / 10 && longest * 500 <= whole && growth <= 1.1
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
  let (whole, longest, writes) = try await measureWithWrites(to: store) {
    removed = try await store.removeDanglingReferences().removedFields.count
  }
  print("\(removed) of \(count) references of one list removed in \(whole), with \(writes) writes meanwhile")
  print("longest write: \(longest), 1/\(Int(whole / longest)) of the whole")
}

/// Runs a collection while another task writes to the store.
///
/// - Returns: How long it took, how long the longest of the writes did, and how many there were.
private func measureWithWrites(
  to store: ApolloStore, _ body: () async throws -> Void
) async throws -> (whole: Duration, longest: Duration, writes: Int) {
  let clock = ContinuousClock()
  let writer = Task {
    var longest = Duration.zero, writes = 0
    while !Task.isCancelled {
      writes += 1
      let value = Record.Value.int(writes)
      let time = try await clock.measure { try await store.publish(records: ["QUERY_ROOT": ["written": value]]) }
      longest = max(longest, time)
      try? await Task.sleep(for: .microseconds(200))
    }
    return (longest, writes)
  }
  let whole = try await clock.measure(body)
  writer.cancel()
  let (longest, writes) = try await writer.value
  return (whole, longest, writes)
}
