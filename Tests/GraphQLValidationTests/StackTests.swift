import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing
import Waiting

@Suite("Small stacks")
struct StackTests {
  /// Runs something on a thread with the smallest stack that threads have on Apple's platforms.
  private func onSmallStack(_ body: @escaping @Sendable () -> Void) async throws {
    try await onOwnThread(stackSize: 512 * 1024, body)
  }

  @Test(
    "What is nested as deep as the limit allows passes through everything with a stack of 512 KB",
    arguments: [
      ("{ f ", " {__typename} ", "}"), ("{ ... ", " {__typename} ", "}"),
      ("{ ...on Query @include(if: true)", " {__typename} ", "}"),
      ("[", "", "]"), ("{o:", "1", "}"), ("[{o:", "1", "}]"),
    ])
  func deep(open: String, middle: String, close: String) async throws {
    let isSelection = middle.contains("{")
    let levels = (Parser.Options().maximumDepth - 1) / (open.hasPrefix("[{") ? 2 : 1)
    let nested = String(repeating: open, count: levels) + middle + String(repeating: close, count: levels)
    let text = isSelection ? nested : "{ a(o: \(nested)) }"
    try await onSmallStack {
      let parsed = Parser.parse(text)
      #expect(parsed.diagnostics.map(\.message) == [])
      let document = parsed.value
      #expect(Parser.parse(Printer.print(document)).value == document)
      #expect(Parser.parse(Printer.printMinified(document)).value.hashValue == document.hashValue)
      let schema = Schema.build(from: [
        Source("type Query { f: Query a(l: [Int], o: O): Int } input O { o: [O] }")
      ]).value
      _ = Validator.validate(document, against: schema)
      _ = document.separatedByOperation()
      let fragment = FragmentDefinition(
        name: "F", typeCondition: "Query",
        selectionSet: document.operations.first { _ in true }?.selectionSet ?? .init([]))
      _ = FragmentArguments(of: FragmentSpread(name: "F"), for: fragment).substituted(in: fragment.selectionSet)
    }
  }

  @Test("So do types and default values of schemas")
  func deepSchema() async throws {
    let levels = Parser.Options().maximumDepth
    let type = String(repeating: "[", count: levels) + "Int" + String(repeating: "]", count: levels)
    let value = String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)
    try await onSmallStack {
      let source = Source("type Query { f(a: \(type) = \(value)): \(type) }")
      let result = SchemaValidator.validate([source])
      #expect(result.diagnostics.map(\.message) == [])
      guard let schema = result.value?.value else { return }
      #expect(!SchemaPrinter.print(schema).isEmpty)
      #expect(Schema.build(fromIntrospection: schema.introspection()).value != nil)
      #expect(Schema.compare(schema, schema).isEmpty)
      #expect(SchemaPrinter.print(schema.sortedByName()).isEmpty == false)
    }
  }
}
