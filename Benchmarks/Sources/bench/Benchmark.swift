import Foundation

/// One named thing to measure. What it needs is prepared by its first run, so that no case disturbs another.
struct Benchmark {
  var name: String
  private var size: () -> Int
  /// The case that does the same by other means, for a ratio.
  var baseline: String?
  var body: () -> Void
  /// How much one run handles, for MB/s.
  var bytes: Int { size() }

  init(
    _ name: String, _ bytes: @autoclosure @escaping () -> Int, against baseline: String? = nil,
    _ body: @escaping () -> Void
  ) {
    self.name = name
    self.size = bytes
    self.baseline = baseline
    self.body = body
  }
}

struct Measurement {
  var benchmark: Benchmark
  /// CPU seconds of the best run.
  var seconds: Double
  var megabytesPerSecond: Double { Double(benchmark.bytes) / seconds / 1e6 }
}

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The best of many runs, which is the least disturbed one. Each takes some milliseconds: the CPU time of other threads is
/// not counted to the microsecond.
func measure(_ benchmark: Benchmark) -> Measurement {
  benchmark.body()
  let first = cpuSeconds()
  benchmark.body()
  let inner = max(1, Int(0.01 / max(1e-7, cpuSeconds() - first)))
  var best = Double.infinity
  let start = cpuSeconds()
  var runs = 0
  while runs < 5 || cpuSeconds() - start < 0.7 {
    let before = cpuSeconds()
    for _ in 0..<inner { benchmark.body() }
    best = min(best, (cpuSeconds() - before) / Double(inner))
    runs += 1
  }
  return Measurement(benchmark: benchmark, seconds: best)
}

@inline(never) func blackHole<T>(_ value: T) { withExtendedLifetime(value) {} }

func printTable(_ results: [Measurement]) {
  print("case                                        time      MB/s   against")
  for result in results {
    var line = result.benchmark.name.padding(toLength: 38, withPad: " ", startingAt: 0)
    line += String(format: "%9.3f ms %8.0f", result.seconds * 1e3, result.megabytesPerSecond)
    if let name = result.benchmark.baseline, let other = results.first(where: { $0.benchmark.name == name }) {
      line += String(format: "   %.1fx \(name)", other.seconds / result.seconds)
    }
    print(line)
  }
}

func printJSON(_ results: [Measurement]) {
  let rows = results.map { result in
    [
      "name": result.benchmark.name, "bytes": result.benchmark.bytes, "seconds": result.seconds,
      "megabytesPerSecond": result.megabytesPerSecond,
    ] as [String: Any]
  }
  let json = try? JSONSerialization.data(withJSONObject: rows, options: [.prettyPrinted, .sortedKeys])
  print(String(decoding: json ?? Data(), as: UTF8.self))
}
