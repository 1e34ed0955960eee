import Foundation
import Testing

@testable import ApolloCodegenLib

@Suite("Files that are out of date") struct StaleFileTests {
  private static func reason(_ old: String, _ new: String) throws -> StaleFile.Reason? {
    let folder = try TemporaryFolder(["A.swift": old])
    return StaleFile(OutputFile(folder: folder.url.path, name: "A.swift", text: new, kind: .editable))?.reason
  }

  @Test(
    "Lines are counted that only one of the texts has, or that are in other places",
    arguments: [
      ("a\nb\n", "a\nx\nb\n", 1, 0), ("a\nb\nc\n", "c\na\n", 0, 1), ("}\n}\n", "}\n}\n}\n", 1, 0), ("a\n", "b\n", 1, 1),
      ("a\nb\nc\n", "b\na\nc\n", 2, 2), ("a\r\nb\r\n", "a\nb\n", 2, 2), ("", "a\nb\n", 2, 0),
    ])
  func counts(old: String, new: String, added: Int, removed: Int) throws {
    #expect(try Self.reason(old, new) == .different(added: added, removed: removed))
    #expect(try Self.reason(new, new) == nil)
  }

  @Test("A large file of which no line stays is compared in a moment", .timeLimit(.minutes(10)))
  func large() throws {
    let lines = (0..<50_000).map { "  case c\($0)\n" }
    #expect(
      try Self.reason(lines.joined(), lines.map { "  " + $0 }.joined()) == .different(added: 50_000, removed: 50_000))
  }
}
