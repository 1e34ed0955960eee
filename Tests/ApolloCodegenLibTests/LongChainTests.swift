import ApolloCodegenLib
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing
import Waiting

/// Documents and schemas whose parts lead to one another in long chains are errors, or they work. With the smallest
/// stack that threads have.
@Suite("Long chains", .serialized) struct LongChainTests {
  private static let schema = "type Query { me: User } type User { id: ID!, me: User }"

  private func chain(_ count: Int, _ body: (Int) -> String, end: String) -> String {
    let fragments = (0..<count).map { "fragment F\($0) on User { \(body($0)) }" }
    return "query Q { me { ...F0 } }\n" + fragments.joined(separator: "\n") + "\nfragment F\(count) on User { \(end) }"
  }

  private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await onOwnThread(stackSize: 512 * 1024, body)
  }

  static let bodies: [@Sendable (Int) -> String] = [
    { "...F\($0 + 1)" }, { "me { ...F\($0 + 1) }" }, { "id ... on User { ...F\($0 + 1) }" },
    { "...F\($0 + 1) @include(if: true)" }, { "...F\($0 + 1) ...F\($0 + 1)" },
  ]

  @Test("Fragments that spread one another deeper than the limit are one error", arguments: bodies.indices)
  func fragments(index: Int) async throws {
    // (The crash was found with these numbers. A cycle has no deepest path.)
    for (count, end) in index == 0 ? [(20_000, "id"), (2_000, "...F0")] : [(2_000, "id")] {
      let text = chain(count, Self.bodies[index], end: end)
      let codes = try await onSmallStack {
        let folder = try TemporaryFolder(["s.graphqls": Self.schema, "Q.graphql": text])
        let codegen = ApolloCodegen(ApolloCodegenConfiguration(), root: folder.url)
        let document = Parser.parse(text).value
        let direct = Validator.validate(document, against: Schema.build(from: [Source(Self.schema)]).value)
        let results = [codegen.validate().diagnostics, codegen.generate().diagnostics, direct.diagnostics]
        #expect(folder.files.count == 2)
        return results.map { $0.map(\.code) }
      }
      #expect(codes == [[.nestingTooDeep], [.nestingTooDeep], [.nestingTooDeep]])
    }
  }

  @Test("As deep as the limit allows, code is generated", arguments: bodies.indices)
  func withinLimit(index: Int) async throws {
    // The field `me` of the operation is a level, and so are inline fragments and fields in a fragment.
    let isDoubled = [1, 2].contains(index)
    let count = (ApolloCodegenConfiguration().input.maximumDepth - 3) / (isDoubled ? 2 : 1)
    let text = chain(count, Self.bodies[index], end: "id")
    let errors = try await onSmallStack {
      let folder = try TemporaryFolder(["s.graphqls": Self.schema, "Q.graphql": text])
      let report = folder.generate()
      return report.diagnostics.filter { $0.severity == .error }.map(\.message)
    }
    #expect(errors == [])
  }

  @Test("As deep as the limit allows, code is generated without any fragment")
  func nested() async throws {
    let depth = ApolloCodegenConfiguration().input.maximumDepth - 1
    let text = "query Q " + String(repeating: "{ me ", count: depth) + "{ id }" + String(repeating: " }", count: depth)
    let errors = try await onSmallStack {
      let folder = try TemporaryFolder(["s.graphqls": Self.schema, "Q.graphql": text])
      return folder.generate().diagnostics.filter { $0.severity == .error }.map(\.message)
    }
    #expect(errors == [])
  }

  @Test("Input objects in a chain, and in a cycle of any length, become code")
  func inputs() async throws {
    for end in ["Int", "I0"] {
      let inputs = (0..<3_000).map { "input I\($0) { a: I\($0 + 1) }" }.joined(separator: "\n")
      let schema = "type Query { f(i: I0): Int }\n\(inputs)\ninput I3000 { a: \(end) }"
      let report = try await onSmallStack {
        let folder = try TemporaryFolder(["s.graphqls": schema, "Q.graphql": "query Q($i: I0) { f(i: $i) }"])
        return folder.generate().diagnostics.filter { $0.severity == .error }.map(\.message)
      }
      #expect(report == [])
    }
  }

  @Test("A schema larger than the limit is an error that names it, with one file and with several")
  func schemaSize() throws {
    for files in [
      ["a.graphqls": Self.schema], ["a.graphqls": "type Query { me: User }", "b.graphqls": "type User { id: ID! }"],
    ] {
      let folder = try TemporaryFolder(files.merging(["Q.graphql": "query Q { me { id } }"]) { $1 })
      let size = files.values.reduce(0) { $0 + $1.utf8.count }
      #expect(!folder.generate { $0.input.maximumSchemaSize = size }.hasErrors)
      let report = folder.generate { $0.input.maximumSchemaSize = size - 1 }
      #expect(report.diagnostics.map(\.code) == [.unreadableFile])
      #expect(report.errors(in: folder).contains("more than \(size - 1) bytes"))
    }
    #expect(ApolloCodegenConfiguration().input.maximumSchemaSize == 16 * 1_048_576)
  }
}
