import Foundation

/// One named thing to measure. What it needs is prepared by its first run, so that no case disturbs another.
struct Benchmark {
  var name: String
  private var size: () -> Int
  /// The case that does the same by other means, for a ratio.
  var baseline: String?
  /// It runs on other threads as well, whose CPU time is counted in steps: a run has to take long.
  var isConcurrent = false
  var body: () -> Void

  init(
    _ name: String, _ bytes: Int, against baseline: String? = nil, isConcurrent: Bool = false,
    _ body: @escaping () -> Void
  ) {
    self.name = name
    self.bytes = bytes
    self.baseline = baseline
    self.isConcurrent = isConcurrent
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

/// The best of many runs, which is the least disturbed one.
func measure(_ benchmark: Benchmark) -> Measurement {
  func run(_ count: Int) -> Double {
    let before = cpuSeconds()
    for _ in 0..<count { benchmark.body() }
    return cpuSeconds() - before
  }
  let enough = benchmark.isConcurrent ? 0.1 : 0.002
  var inner = 1
  while run(inner) < enough { inner *= 2 }
  var best = Double.infinity
  let start = cpuSeconds()
  var runs = 0
  while runs < 5 || cpuSeconds() - start < 0.7 {
    best = min(best, run(inner) / Double(inner))
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
