import CHeap
import Foundation
import People

/// Prints what a decoded response keeps in memory, and what decoding it takes at its peak: bytes for each byte of JSON.
func printHeap(_ data: BenchmarkData) {
  let bytes = data["people_large"]
  let before = live_heap_bytes(), peakBefore = peak_memory_bytes()
  let models = decode(UsersQuery.Data.self, bytes)
  let live = live_heap_bytes() &- before, peak = peak_memory_bytes() - peakBefore
  withExtendedLifetime(models) {}
  for (name, size) in [("live heap of the models", UInt(live)), ("growth of peak memory", UInt(peak))] {
    print(String(format: "%.2f", Double(size) / Double(bytes.count)), name, size, separator: "\t")
  }
}
