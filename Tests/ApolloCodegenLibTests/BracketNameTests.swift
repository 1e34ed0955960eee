import Foundation
import GraphQLSyntax
import Testing

@testable import ApolloCodegenLib

@Suite("Folders and files that are called like a pattern") struct BracketNameTests {
  private static let schema = "type Query { hero: String }"

  private func remove(_ name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
  }

  @Test(
    "Documents in such a folder are found, in a run that removes nothing, and what was generated from them goes with them",
    arguments: [
      ("[Shared]", "[Shared]/**/*.graphql"), ("{{name}}", "{{name}}/**/*.graphql"), ("a/[b]", "*/[b]/*.graphql"),
      ("[a]/{b,c}", "[a]/{b,c}/*.{graphql,gql}"), ("x[1]", "{x[1],y}/*.graphql"), ("[Shared]", "[Shared]/[A]*.graphql"),
    ])
  func folders(name: String, pattern: String) throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": Self.schema, "B.graphql": "query B { hero }", "\(name)/A.graphql": "query A { hero }",
      "\(name)/Added.graphql": "query Added { hero }",
    ])
    let generate = { folder.generate { $0.input.operationSearchPaths = ["B.graphql", pattern] } }
    for _ in 1...2 {
      let report = generate()
      #expect(report.operationCount == 3 && report.removedFiles == [], "\(report.errors(in: folder))")
    }
    try remove("\(name)/Added.graphql", in: folder)
    #expect(generate().removedFiles == [folder.url.appendingPathComponent("out/Added.graphql.swift").path])
  }

  @Test("Code beside a document in such a folder goes with the document")
  func relativeOperations() throws {
    let folder = try TemporaryFolder([
      "schema.graphqls": Self.schema, "B.graphql": "query B { hero }", "[Shared]/A.graphql": "query A { hero }",
    ])
    let generate = {
      folder.generate {
        $0.input.operationSearchPaths = ["B.graphql", "[Shared]/**/*.graphql"]
        $0.output.operations = .relative(subpath: nil, accessLevel: .internal)
      }
    }
    #expect(generate().operationCount == 2)
    try remove("[Shared]/A.graphql", in: folder)
    #expect(generate().removedFiles == [folder.url.appendingPathComponent("[Shared]/A.graphql.swift").path])
  }

  @Test("Where there is such a folder, no other one is meant, and none is searched")
  func meaning() throws {
    let folder = try TemporaryFolder(["[ab]/A.graphql": "", "a/A.graphql": "", "b/A.graphql": "", "{c,a}/d": ""])
    func found(_ patterns: String..., base: String = "") -> [String] {
      var finder = FileSearch(base: folder.url.path + base)
      return finder.files(matching: patterns).map { String($0.dropFirst(folder.url.path.count + 1)) }
    }
    #expect(found("[ab]/*.graphql") == ["[ab]/A.graphql"])
    #expect(found("*/*.graphql", "![ab]/**") == ["a/A.graphql", "b/A.graphql"])
    #expect(found(folder.url.path + "/[ab]/**/*.graphql", base: "/a") == ["[ab]/A.graphql"])
    #expect(found("{c,a}/*.graphql") == [])
    try remove("[ab]", in: folder)
    #expect(found("[ab]/*.graphql") == ["a/A.graphql", "b/A.graphql"])
    #expect(found("*/*.graphql", "![ab]/**") == [])
  }

  @Test("A file that is named, in such a folder or by such a name, has to be there")
  func missing() throws {
    let folder = try TemporaryFolder(["[Shared]/A.graphql": "", "schema[v2].graphqls": ""])
    let finder = FileSearch(base: folder.url.path)
    let named = ["[Shared]/A.graphql", "[Shared]/B.graphql", "[Shared]/*.gql", "schema[v2].graphqls", "S[v2].graphqls"]
    #expect(finder.missing(of: named) == ["[Shared]/B.graphql", "S[v2].graphqls"])
  }

  @Test(
    "A search path of the command line starts from the current folder, but for alternatives that are absolute",
    arguments: [
      ("{/a/x,/a/y}/*.graphql", "{/a/x,/a/y}/*.graphql"), ("/a/{x,y}", "/a/{x,y}"), ("!{a,b}/*", #"!/u/a\[1]/{a,b}/*"#),
      ("{/a,b}/*.graphql", #"{/a/*.graphql,/u/a\[1]/b/*.graphql}"#), ("a.graphql", #"/u/a\[1]/a.graphql"#),
    ])
  func commandLine(pattern: String, expected: String) {
    #expect(ApolloCodegenConfiguration.Input.searchPath(pattern, from: "/u/a[1]") == expected)
  }
}
