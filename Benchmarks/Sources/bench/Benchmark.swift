import Foundation

/// One named thing to measure. What it needs is prepared by its first run, so that no case disturbs another.
struct Benchmark {
  var name: String
  private var size: () -> Int
  /// The case that does the same by other means, for a ratio.
  var baseline: String?
  /// It hands work to other threads, whose CPU time the system counts in coarse steps: its wall time is measured instead,
  /// which is no less, since one thread waits for the other.
  var isConcurrent = false
  var body: () -> Void
  /// How much one run handles, for MB/s.
  var bytes: Int { size() }

  init(
    _ name: String, _ bytes: @autoclosure @escaping () -> Int, against baseline: String? = nil,
    isConcurrent: Bool = false, _ body: @escaping () -> Void
  ) {
    self.name = name
    self.size = bytes
    self.baseline = baseline
    self.isConcurrent = isConcurrent
    self.body = body
  }
}

struct Measurement {
  var benchmark: Benchmark
  /// Seconds of the best run.
  var seconds: Double
  var megabytesPerSecond: Double { Double(benchmark.bytes) / seconds / 1e6 }
}

func cpuSeconds() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The best of many runs, which is the least disturbed one.
func measure(_ benchmark: Benchmark) -> Measurement {
  let clock = benchmark.isConcurrent ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID
  func run(_ count: Int) -> Double {
    let before = seconds(clock)
    for _ in 0..<count { benchmark.body() }
    return seconds(clock) - before
  }
  var inner = 1
  while run(inner) < 0.001 { inner *= 2 }
  var best = Double.infinity
  let start = seconds(clock)
  var runs = 0
  while runs < 5 || seconds(clock) - start < 0.7 {
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
