import ApolloCodegenLib
import Foundation
import Testing

@Suite("What the schema deprecates") struct DeprecationTests {
  static let files = [
    "s.graphqls": """
    type Query { hero(filter: Filter): Hero }
    type Hero { mass: Float @deprecated(reason: "Use weight."), side: Side }
    enum Side { LIGHT, GRAY @deprecated(reason: "No side.") }
    input Filter { old: Int @deprecated(reason: "Use new."), new: Int }
    """,
    "Q.graphql": "query Q($filter: Filter = { old: 1, new: 2 }) { hero(filter: $filter) { mass side } }",
  ]

  @Test("Where it is not marked in Swift, an input object has one initializer, which default values may use")
  func unmarked() throws {
    func code(marksDeprecations: Bool) throws -> (schema: String, operation: String) {
      let folder = try TemporaryFolder(Self.files)
      let report = folder.generate {
        $0.output.moduleType = .other
        $0.rendering.marksDeprecations = marksDeprecations
      }
      #expect(!report.hasErrors, "\(report.diagnostics)")
      return try (
        folder.text("out/Schema/Schema.graphql.swift"), folder.text("out/Operations/Q.graphql.swift")
      )
    }
    func count(_ part: String, _ text: String) -> Int { text.components(separatedBy: part).count - 1 }
    let marked = try code(marksDeprecations: true), unmarked = try code(marksDeprecations: false)
    let attribute = "@available(*, deprecated", initializer = "public init("
    #expect(count(attribute, marked.schema) > 1 && count(attribute, marked.operation) > 0)
    #expect(count(attribute, unmarked.schema) == 0 && count(attribute, unmarked.operation) == 0)
    #expect(count(initializer, marked.schema) == count(initializer, unmarked.schema) + 1)
    #expect(unmarked.schema.contains("**Deprecated**: Use new."))
    let value = "Filter(old: .some(1), new: .some(2))"
    #expect(unmarked.operation.contains(value) && !marked.operation.contains(value))
  }
}
