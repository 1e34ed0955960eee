import Foundation
import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

/// Files are written where the configuration says, and nowhere else.
@Suite("Where files may be written") struct OutputSafetyTests {
  private let files = ["s.graphqls": "type Query { a: Int }", "A.graphql": "query A { a }"]

  private func generate(
    in folder: TemporaryFolder, within allowed: String, _ change: (inout ApolloCodegenConfiguration) -> Void
  ) -> ApolloCodegen.Report {
    var configuration = ApolloCodegenConfiguration()
    change(&configuration)
    var codegen = ApolloCodegen(configuration, root: folder.url)
    codegen.allowedFolder = folder.url.appendingPathComponent(allowed)
    return codegen.generate()
  }

  @Test("Files have plain names", arguments: ["", ".", "..", "a/b", "../a", "a\\b", "a\0b", "/a"])
  func names(name: String) throws {
    #expect(!OutputFile(folder: "/tmp", name: name, text: "", kind: .operationManifest).hasPlainName)
    #expect(OutputFile(folder: "/tmp", name: "a..b.swift", text: "", kind: .operationManifest).hasPlainName)
  }

  @Test("A document whose name has a backslash is an error, and nothing is written")
  func backslash() throws {
    let folder = try TemporaryFolder(["s.graphqls": "type Query { a: Int }", "a\\b.graphql": "query A { a }"])
    let report = folder.generate()
    #expect(report.diagnostics.map(\.code) == [.invalidFileName])
    #expect(folder.files.count == 2)
  }

  @Test("A path with .. is looked at without it", arguments: ["ok/../../other", "ok/../../ok-not", ".."])
  func parents(path: String) throws {
    let folder = try TemporaryFolder(files)
    let report = generate(in: folder, within: "ok") { $0.output.path = path }
    #expect(report.diagnostics.map(\.code) == [.outsideAllowedFolder])
    #expect(folder.files.count == 2)
  }

  @Test("A link is followed: as the output, as a folder around it, and as the allowed folder itself")
  func links() throws {
    let folder = try TemporaryFolder(files), outside = try TemporaryFolder()
    let manager = FileManager.default
    for link in ["Generated", "ok"] {
      try manager.createSymbolicLink(at: folder.url.appendingPathComponent(link), withDestinationURL: outside.url)
    }
    for path in ["Generated", "Generated/deep/er"] {
      var report = generate(in: folder, within: "") { $0.output.path = path }
      #expect(report.diagnostics.map(\.code) == [.outsideAllowedFolder])
      report = generate(in: folder, within: "elsewhere") { $0.output.path = path }
      #expect(report.diagnostics.map(\.code) == [.outsideAllowedFolder])
    }
    #expect(outside.files == [])
    #expect(!generate(in: folder, within: "ok") { $0.output.path = "ok/inside" }.hasErrors)
    #expect(!outside.files.isEmpty)
  }

  @Test("A folder that cannot be created is an error, and nothing is left behind")
  func notAFolder() throws {
    let folder = try TemporaryFolder(files)
    try folder.write("a file", to: "out")
    for path in ["out", "out/deeper/still", "/../../proc/none/x"] {
      let report = folder.generate { $0.output.path = path }
      #expect(report.diagnostics.map(\.code) == [.unwritableFile])
    }
    #expect(folder.files.sorted() == ["A.graphql", "out", "s.graphqls"])
  }

  @Test("If one of the files is a folder, none is written, and no staged file stays")
  func staged() throws {
    let folder = try TemporaryFolder(files)
    try folder.write("", to: "out/Schema.graphql.swift/file")
    #expect(folder.generate().diagnostics.map(\.code) == [.unwritableFile])
    #expect(folder.files == ["A.graphql", "out/Schema.graphql.swift/file", "s.graphqls"])
  }

  @Test("Files that a stopped process staged are removed, and those of a process that runs are kept")
  func abandoned() throws {
    let folder = try TemporaryFolder(files)
    // No system has a process of this number.
    let dead = 999_999_999, running = ProcessInfo.processInfo.processIdentifier
    let abandoned = [".A.graphql.swift.\(dead)", ".apollo-codegen-\(dead)-1f"]
    let kept = [".apollo-codegen-\(running)-1f", ".apollo-codegen-\(dead)-x", ".a.\(dead)", "A.graphql.swift.\(dead)"]
    for name in abandoned + kept { try folder.write("", to: "out/" + name) }
    #expect(!folder.generate().hasErrors)
    #expect(Set(folder.files).intersection((abandoned + kept).map { "out/" + $0 }) == Set(kept.map { "out/" + $0 }))
  }
}
