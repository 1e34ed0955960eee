import Foundation
import Testing
import Waiting

@Suite("Search paths on the command line") struct SearchPathArgumentTests {
  @Test("Those with absolute alternatives, and names with brackets in a folder that has some, are found")
  func brackets() async throws {
    let parent = try Folder([
      "App[1]/s[v2].graphqls": "type Query { hero: String }", "App[1]/A.graphql": "query A { hero }",
      "More/B.graphql": "query B { hero }",
    ])
    let folder = parent.url.path
    let arguments = ["--operations", "{\(folder)/More,.}/*.graphql", "--schema", "s[v2].graphqls", "--output", "API"]
    let child = try Child(
      Child.product("apollo-codegen"), ["generate"] + arguments, in: parent.url.appendingPathComponent("App[1]"))
    let outcome = try await child.ended()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let written = parent.files.filter { $0.hasPrefix("App[1]/API/") }.map { String($0.dropFirst("App[1]/API/".count)) }
    #expect(written == ["A.graphql.swift", "B.graphql.swift", "Schema.graphql.swift"])
  }
}
