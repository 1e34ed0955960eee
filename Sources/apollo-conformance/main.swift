import Foundation
import GraphQLConformance

// Usage: apollo-conformance FOLDER [--verbose] [KIND …]
let arguments = CommandLine.arguments.dropFirst()
let isVerbose = arguments.contains("--verbose")
let positional = arguments.filter { !$0.hasPrefix("--") }
guard let path = positional.first else {
  print("usage: apollo-conformance FOLDER [--verbose] [KIND …]")
  exit(2)
}

let known = try KnownFailures.load()
let runner = ConformanceRunner(folder: URL(fileURLWithPath: path))
let summaries = try await runner.run(kinds: Set(positional.dropFirst()))
var unexpected = 0
for summary in summaries {
  print("\(summary.corpus) \(summary.kind) \(summary.passed)/\(summary.total)")
  if summary.unreadable > 0 { print("  not Unicode, left out: \(summary.unreadable)") }
  for failure in summary.failures {
    let reason = known.reason(for: failure.name)
    if reason == nil { unexpected += 1 }
    print("  \(reason.map { "known (\($0)): " } ?? "FAILED: ")\(failure.name)")
    if isVerbose { print(failure.details.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")) }
  }
}
print("Recorded, but not checked here: \(try runner.kindsWithoutCheck().joined(separator: ", "))")
print(unexpected == 0 ? "No unexpected failures." : "\(unexpected) unexpected failures.")
exit(unexpected == 0 ? 0 : 1)
