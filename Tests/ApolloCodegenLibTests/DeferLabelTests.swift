import ApolloCodegenLib
import GraphQLSyntax
import GraphQLValidation
import Testing

/// What has to be unique is what is sent: an operation with its fragments.
@Suite("Labels of deferred fragments") struct DeferLabelTests {
  private static func errors(_ documents: String...) -> [Diagnostic] {
    let schema = "type Query { me: User } type User { id: ID!, name: String, bio: String }"
    let files = documents.enumerated().map { Source($1, name: "\($0).graphql") }
    return Pipeline.generate(
      schema: [Source(schema, name: "schema.graphqls")], operations: files, configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity == .error }
  }

  private static let deferred = #"... @defer(label: "details") { name }"#

  @Test("Two operations may have one label") func operations() {
    #expect(Self.errors("query A { me { id \(Self.deferred) } }", "query B { me { id \(Self.deferred) } }").isEmpty)
  }

  @Test("Any number of operations may have one label") func manyOperations() {
    let queries = (0..<1_002).map { "query Q\($0) { me { id \(Self.deferred) } }" }
    #expect(Self.errors(queries.joined(separator: "\n")).isEmpty)
  }

  @Test("So may an operation and a fragment that it does not have") func otherFragment() {
    #expect(
      Self.errors(
        "query A { me { id \(Self.deferred) } }",
        "fragment F on User { bio \(Self.deferred) } query B { me { id ...F } }"
      ).isEmpty)
  }

  @Test("One operation with its fragments may not, however many operations have the fragment") func fragment() {
    let found = Self.errors(
      "query A { me { id \(Self.deferred) ...F } }", "query B { me { \(Self.deferred) ...F } }",
      "fragment F on User { bio \(Self.deferred) }")
    #expect(Set(found.map(\.code)) == [.invalidIncrementalLabel])
    #expect(Set(found.map(\.span)).count == found.count && !found.isEmpty)
  }

  @Test("A label that is a variable is an error, also in a fragment without an operation") func variable() {
    let found = Self.errors(
      "query A($l: String) { me { ...F @defer(label: $l) } } fragment F on User { name }",
      "query B { me { id \(Self.deferred) } }",
      "query C { me { id \(Self.deferred) } }")
    #expect(found.map(\.code) == [.invalidIncrementalLabel])
  }
}
