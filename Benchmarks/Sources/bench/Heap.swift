import Apollo
import CHeap
import Foundation
import People

/// Prints what a decoded response keeps in memory, without and with a cache, and what decoding it takes at its peak: bytes for each byte of JSON.
func printHeap(_ data: BenchmarkData) {
  let bytes = data["people_large"]
  // Once, for what is made once for the process.
  write(data["people_small"], to: ApolloStore())
  let before = live_heap_bytes(), peakBefore = peak_memory_bytes()
  let models = decode(UsersQuery.Data.self, bytes)
  let live = live_heap_bytes() &- before, peak = peak_memory_bytes() - peakBefore
  let store = ApolloStore()
  write(bytes, to: store)
  let both = live_heap_bytes() &- before
  withExtendedLifetime((models, store)) {}
  let results = [
    ("live heap of the models", UInt(live)), ("live heap of models and store", UInt(both)),
    ("growth of peak memory", UInt(peak)),
  ]
  for (name, size) in results {
    print(String(format: "%.2f", Double(size) / Double(bytes.count)), name, size, separator: "\t")
  }
}

/// Prints what the dates of fields take, in bytes for each field: if all of a record came together, and if each came at
/// another time.
func printHeapOfDates() async throws {
  let recordCount = 20_000, fieldCount = 20, store = ApolloStore()
  func publish(_ fields: Range<Int>, at seconds: Int) async throws {
    var set = RecordSet()
    for record in 0..<recordCount {
      let values = fields.map { ("field\($0)", Record.Value.int(record * $0)) }
      let date = Date(timeIntervalSince1970: Double(1_700_000_000 + seconds))
      set.insert(Record(key: "Thing:\(record)", Dictionary(uniqueKeysWithValues: values), receivedAt: date))
    }
    try await store.publish(records: set)
  }
  try await publish(0..<fieldCount, at: 0)
  let before = live_heap_bytes()
  try await publish(0..<fieldCount, at: 60)
  let together = live_heap_bytes() &- before
  for field in 0..<fieldCount { try await publish(field..<(field + 1), at: 120 + field) }
  let apart = live_heap_bytes() &- before
  withExtendedLifetime(store) {}
  for (name, size) in [("dates of fields that came together", together), ("dates of fields that came apart", apart)] {
    print(
      String(format: "%.2f", Double(size) / Double(recordCount * fieldCount)), name, size, separator: "\t")
  }
}
