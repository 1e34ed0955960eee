import Foundation

// Usage: bench [--json] [NAME …]          measures the cases whose names contain one of the words
//        bench --list                     prints the names of the cases and their bytes
//        bench --heap                     measures memory
//        bench --overhead                 measures what a request costs beyond URLSession
//        bench --soak COUNT               runs many requests at once, and looks for what is left of them
//        bench --soak-cache COUNT         writes to one store with ever new arguments, and looks how memory grows
//        bench --soak-collection COUNT    collects the garbage among many records while others are written
//        bench --once CASE TIMES          runs one case and nothing else, for an instruction counter

let arguments = Array(CommandLine.arguments.dropFirst())
let data = try BenchmarkData.load()

if let index = arguments.firstIndex(of: "--once"), index + 2 < arguments.count, let times = Int(arguments[index + 2]) {
  // For instruction counts: one case, a given number of times, and nothing else.
  guard let benchmark = benchmarks(data).first(where: { $0.name == arguments[index + 1] }) else {
    fatalError("There is no case \(arguments[index + 1]).")
  }
  for _ in 0..<times { benchmark.body() }
} else if arguments.contains("--list") {
  for benchmark in benchmarks(data) { print(benchmark.bytes, benchmark.name, separator: "\t") }
} else if arguments.contains("--heap") {
  printHeap(data)
  try await printHeapOfDates()
  await printHeapOfStates()
} else if arguments.contains("--overhead") {
  try await printOverhead(data["people_small"])
} else if let index = arguments.firstIndex(of: "--soak"), index + 1 < arguments.count,
  let count = Int(arguments[index + 1])
{
  guard try await soak(data["people_small"], count: count) else {
    print("soak: failed")
    exit(1)
  }
} else if let index = arguments.firstIndex(of: "--soak-cache"), index + 1 < arguments.count,
  let count = Int(arguments[index + 1])
{
  guard count >= 100, try await soakCache(count: count) else {
    print("soak-cache: memory grows, or there are less than 100 arguments")
    exit(1)
  }
} else if let index = arguments.firstIndex(of: "--soak-collection"), index + 1 < arguments.count,
  let count = Int(arguments[index + 1])
{
  guard try await soakCollection(count: count) else {
    print("soak-collection: garbage is left, a step takes long, or memory grows")
    exit(1)
  }
} else {
  let wanted = arguments.filter { !$0.hasPrefix("--") }
  let results = benchmarks(data)
    .filter { benchmark in wanted.isEmpty || wanted.contains { benchmark.name.contains($0) } }
    .map(measure)
  if arguments.contains("--json") { printJSON(results) } else { printTable(results) }
}
