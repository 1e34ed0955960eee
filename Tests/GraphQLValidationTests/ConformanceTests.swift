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

@Suite("Conformance", .enabled(if: Shared.isPresent, "the reference material is not there"))
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
    #expect(summaries.map(\.reworded.count).reduce(0, +) <= 76)
    let failed = summaries.flatMap { $0.failures.map(\.name) }
    #expect(known.unused(by: failed, in: Set(summaries.map(\.corpus))) == [], "these pass now: take them off the list")
  }
}

@Suite("The runner of recorded cases")
struct ConformanceRunnerTests {
  private func failures(_ kind: String, _ records: [String]) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recordings-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let lines = records.map { #"{"file": "f", "test": "t", \#($0)}"# }.joined(separator: "\n")
    try Data(lines.utf8).write(to: folder.appendingPathComponent(kind + ".jsonl"))
    try Data(#"{"s": "type Query { a: Int }"}"#.utf8).write(to: folder.appendingPathComponent("schemas.json"))
    let summaries = try await ConformanceRunner(folders: [folder]).run()
    #expect(summaries.map(\.total) == [records.count])
    return summaries.flatMap(\.failures).map { String($0.name.suffix(2)) }
  }

  @Test("What differs from a recording fails: acceptance, print, tree, places")
  func syntax() async throws {
    let name = { (start: Int) in
      #"{"kind": "NamedType", "name": {"kind": "Name", "value": "A", "loc": {"start": \#(start), "end": 3}}, "loc": {"start": 2, "end": 3}}"#
    }
    let failed = try await failures(
      "parseType",
      [
        #""source": "  A", "ok": true, "printed": "A", "ast": \#(name(2))"#,
        #""source": "  A", "ok": true, "printed": "B""#,
        #""source": "  A", "ok": true, "printed": "A", "ast": \#(name(1))"#,
        #""source": "[A", "ok": true, "printed": "[A]""#,
        #""source": "A", "ok": false, "error": {"message": "", "locations": []}"#,
        #""source": "[A", "ok": false, "error": {"message": "", "locations": [{"line": 1, "column": 3}]}"#,
        #""source": "[A", "ok": false, "error": {"message": "", "locations": [{"line": 1, "column": 2}]}"#,
      ])
    #expect(failed == ["#2", "#3", "#4", "#5", "#7"])
  }

  @Test("What differs from a recording fails: the number of errors, their places, their rule")
  func validation() async throws {
    let error = { (column: Int) in #"{"message": "", "locations": [{"line": 1, "column": \#(column)}]}"# }
    let failed = try await failures(
      "validate",
      [
        #""schema": "s", "document": "{ a b }", "errors": [\#(error(5))]"#,
        #""schema": "s", "document": "{ a b }", "errors": []"#,
        #""schema": "s", "document": "{ a b }", "errors": [\#(error(3))]"#,
        #""schema": "s", "document": "{ a b }", "errors": [\#(error(5)), \#(error(5))]"#,
        #""schema": "s", "document": "{ a b }", "rules": ["ScalarLeafsRule"], "errors": [\#(error(5))]"#,
        #""schema": "s", "document": "{ a b }", "rules": ["ScalarLeafsRule"], "errors": []"#,
        #""schema": "none", "document": "{ a }", "errors": []"#,
      ])
    #expect(failed == ["#2", "#3", "#4", "#5", "#7"])
  }

  @Test("A folder without recordings is an error that names it")
  func noRecordings() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nothing-here")
    let error = #expect(throws: ConformanceRunner.NoRecordings.self) { try ConformanceRunner(folders: [folder]) }
    #expect(error?.description.contains("nothing-here holds no recordings") == true)
  }
}
