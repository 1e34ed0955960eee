import Foundation
import People

#if canImport(Glibc)
  import Glibc

  /// Bytes that are allocated now.
  private func liveHeap() -> Int {
    let info = mallinfo2()
    return Int(info.uordblks + info.hblkhd)
  }

  private func peakMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss * 1024
  }

  /// What a decoded response keeps in memory, and what decoding it takes at its peak.
  func printHeap(_ data: BenchmarkData) {
    let bytes = data["people_large"]
    let before = liveHeap(), peakBefore = peakMemory()
    let models = decode(UsersQuery.Data.self, bytes)
    let live = liveHeap() - before, peak = peakMemory() - peakBefore
    withExtendedLifetime(models) {}
    func times(_ size: Int) -> String { String(format: "%.2f", Double(size) / Double(bytes.count)) }
    print("people_large: \(bytes.count) bytes of JSON")
    print("live heap of the models  \(live) bytes, \(times(live)) x the JSON")
    print("growth of peak memory    \(peak) bytes, \(times(peak)) x the JSON")
  }
#else
  func printHeap(_ data: BenchmarkData) { print("The live heap is measured with glibc only.") }
#endif
