import Foundation
import GraphQLConformance
import Testing

/// Where the recorded cases and real projects are: beside the package, or where `APOLLO_SHARED` says.
enum Shared {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["APOLLO_SHARED"] { return URL(fileURLWithPath: path) }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared")
  }()

  static let isPresent = FileManager.default.fileExists(atPath: folder.appendingPathComponent("conformance").path)
}

@Suite("Conformance", .enabled(if: Shared.isPresent, "the recorded cases are not beside the package"))
struct ConformanceTests {
  @Test("Every recorded case of the reference implementation passes, or is known to fail for a reason")
  func recordedCases() async throws {
    let known = try KnownFailures.load()
    let summaries = try await ConformanceRunner(
      folders: [Shared.folder.appendingPathComponent("conformance")]
    ).run()
    #expect(summaries.map(\.total).reduce(0, +) > 5_000)
    for summary in summaries {
      for failure in summary.failures where known.reason(for: failure.name) == nil {
        Issue.record("\(failure.name)\n\(failure.details)")
      }
    }
    // In the words of the reference implementation, apart from where ours are better.
    #expect(summaries.map(\.reworded.count).reduce(0, +) <= 75)
    let failed = summaries.flatMap { $0.failures.map(\.name) }
    #expect(known.unused(by: failed) == [], "these pass now: take them off the list")
  }
}
