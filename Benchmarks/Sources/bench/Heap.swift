import CHeap
import Foundation
import People

/// What a decoded response keeps in memory, and what decoding it takes at its peak.
func printHeap(_ data: BenchmarkData) {
  let bytes = data["people_large"]
  let before = live_heap_bytes(), peakBefore = peak_memory_bytes()
  let models = decode(UsersQuery.Data.self, bytes)
  let live = live_heap_bytes() &- before, peak = peak_memory_bytes() - peakBefore
  withExtendedLifetime(models) {}
  func times(_ size: UInt) -> String { String(format: "%.2f", Double(size) / Double(bytes.count)) }
  print("people_large: \(bytes.count) bytes of JSON")
  print("live heap of the models  \(live) bytes, \(times(UInt(live))) x the JSON")
  print("growth of peak memory    \(peak) bytes, \(times(UInt(peak))) x the JSON")
}
