import ArgumentParser
import Foundation
import GraphQLConformance

@main
struct Conformance: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apollo-conformance",
    abstract: "Holds the GraphQL front end against recordings of what the reference implementation did.",
    discussion: """
      Prints "KIND passed/total" for each kind of recording, and the names of the cases that failed. The exit status is \
      0 when every failing case is known to fail, for a reason that the list of known failures gives.
      """)

  @Argument(
    help: .init("Folders of recordings (*.jsonl), or folders of such folders.", valueName: "dir"),
    completion: .directory)
  var folders: [String]

  @Option(name: .shortAndLong, help: "A kind to run, such as validate. May be repeated. By default all.")
  var kind: [String] = []

  @Flag(name: .shortAndLong, help: "Show what was expected and what came instead.")
  var verbose = false

  @Flag(help: "List the cases that passed with messages of our own, too.")
  var reworded = false

  func run() async throws {
    let known = try KnownFailures.load()
    let runner: ConformanceRunner
    do {
      // What a shell makes of `conformance/*` may hold a README.
      let urls = folders.map { URL(fileURLWithPath: $0) }.filter { !$0.isPlainFile }
      runner = try ConformanceRunner(folders: urls)
    } catch let error as ConformanceRunner.NoRecordings {
      throw ValidationError("\(error)")
    }
    let summaries = try await runner.run(kinds: Set(kind))
    var corpus = ""
    for summary in summaries {
      if summary.corpus != corpus { print("== \(summary.corpus)") }
      corpus = summary.corpus
      show(summary, known)
    }
    let unchecked = runner.kindsWithoutCheck
    if !unchecked.isEmpty { print("Recorded, but not checked here: \(unchecked.joined(separator: ", "))") }
    try finish(summaries, known)
  }

  private func show(_ summary: ConformanceRunner.Summary, _ known: KnownFailures) {
    print("\(summary.kind) \(summary.passed)/\(summary.total)")
    if summary.unreadable > 0 { print("  lines that are not Unicode: \(summary.unreadable)") }
    for failure in summary.failures {
      let reason = known.reason(for: failure.name)?.description ?? "FAILED"
      print("  \(failure.name)\n    \(reason)")
      if verbose { print(failure.indentedDetails) }
    }
    guard reworded else { return }
    for test in summary.reworded { print("  in other words: \(test.name)\n\(test.indentedDetails)") }
  }

  /// Of all kinds together, what could pass and did.
  private func finish(_ summaries: [ConformanceRunner.Summary], _ known: KnownFailures) throws {
    let failures = summaries.flatMap(\.failures).map { known.reason(for: $0.name) }
    let total = summaries.map(\.total).reduce(0, +)
    let impossible = failures.count { $0?.group == .notReplayable }
    let deliberate = failures.count { $0?.group == .deliberate }
    let unexpected = failures.count { $0 == nil }
    print(
      """
      \(total - failures.count) of \(total) pass; \(impossible) need what is not recorded, \(deliberate) differ on \
      purpose, \(unexpected) fail.
      """)
    if unexpected > 0 { throw ExitCode.failure }
  }
}

extension URL {
  fileprivate var isPlainFile: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }
}

extension ConformanceRunner.Case {
  fileprivate var indentedDetails: String {
    details.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
  }
}
