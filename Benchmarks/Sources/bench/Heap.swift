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
