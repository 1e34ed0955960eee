import ApolloCodegenLib
import ForeignText
import Foundation
import GraphQLJSON
import GraphQLSyntax
import Testing
import Waiting

@testable import ApolloSwiftRenderer

/// Text that others wrote changes nothing of generated code but the text in it.
@Suite("Texts in generated code") struct TextPropertyTests {
  /// A schema with a text in every place that can have one.
  private static func schema(_ text: String) -> String {
    let literal = HostileTexts.graphQL(text)
    let described = literal + " ", deprecated = " @deprecated(reason: \(literal))"
    return """
      \(described)schema { query: Query mutation: Mutation }
      \(described)type Query {
        \(described)a(\(described)b: String = \(literal), c: In\(deprecated), d: Date, e: Choice): String\(deprecated)
        things: [Thing!]\(deprecated)
      }
      type Mutation { change: Thing }
      \(described)interface Node { \(described)id: ID!\(deprecated) }
      \(described)type Thing implements Node @typePolicy(keyFields: "id") {
        \(described)id: ID!\(deprecated) kind: Kind!\(deprecated) one: Thing\(deprecated) date: Date
      }
      \(described)union Any = Thing
      \(described)enum Kind { \(described)ONE\(deprecated) \(described)TWO THREE\(deprecated) }
      \(described)scalar Date @specifiedBy(url: \(literal))
      \(described)input In { \(described)n: String = \(literal)\(deprecated) m: [String!]! = [\(literal)] o: Date }
      \(described)input Choice @oneOf { \(described)n: String }
      \(described)directive @x(\(described)y: String = \(literal)) on FIELD | QUERY | VARIABLE_DEFINITION
      """
  }

  /// Documents with a text in every place that can have one. A comment ends with its line, so it has one line only.
  private static func document(_ text: String) -> String {
    let literal = HostileTexts.graphQL(text)
    let comment = text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" }.map { String($0) }.joined()
    return """
      # \(comment)
      \(literal) query Q(
        $s: String = \(literal), $t: String! = \(literal), $u: [String!] = [\(literal), \(literal)],
        $in: In = {m: [\(literal)]}, $date: Date = \(literal), $c: Choice = {n: \(literal)}
      ) @x(y: \(literal)) {
        a(b: $s, c: {m: [\(literal)], o: \(literal)})
        other: a(b: \(literal), c: {m: $u}, d: $date, e: $c) @x(y: \(literal))
        more: a(b: $t, c: $in)
        things { ...F ... on Thing { kind } }
      }
      \(literal) fragment F on Thing { id one { ...G @defer(label: \(literal)) } }
      fragment G on Thing { date kind }
      mutation M { change { ...F } }
      """
  }

  private static func code(_ text: String, name: String = "A.graphql") throws -> [String] {
    var configuration = ApolloCodegenConfiguration()
    configuration.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .public)
    configuration.output.testMocks = .absolute(path: "mocks", accessLevel: .public)
    let generated = Pipeline.generate(
      schema: [Source(schema(text), name: "schema.graphqls")], operations: [Source(document(text), name: name)],
      configuration: configuration)
    let code = try #require(generated.value, "\(generated.diagnostics.filter { $0.severity == .error })")
    return [code.schema.text] + code.documents.map(\.file.text) + code.mocks.map(\.text) + code.editable.map(\.text)
  }

  @Test("Code has the tokens that it has for a plain word, and reads back as the text", arguments: HostileTexts.scalars)
  func tokens(scalar: Unicode.Scalar) throws {
    let text = HostileTexts.text(around: scalar), quoted = Printer.print(Value(.string(StringValue(text))))
    // How a document is laid out depends on how long it is.
    let word = String(repeating: "w", count: quoted.utf16.count - 2)
    let plain = try Self.code(word), hostile = try Self.code(text)
    try #require(plain.count == hostile.count)
    for (plain, hostile) in zip(plain, hostile) {
      #expect(!hostile.unicodeScalars.contains { $0 != "\n" && $0 != scalar && HiddenScalar.isHidden($0) })
      #expect(
        !HiddenScalar.isHidden(scalar) || scalar == "\n" || scalar.value == 0xFDD0
          || !hostile.unicodeScalars.contains(scalar))
      let expected = try SwiftTokens.read(plain), found = try SwiftTokens.read(hostile)
      try #require(expected.count == found.count)
      for (expected, found) in zip(expected, found) where expected != found {
        guard case .string(let before) = expected, case .string(let after) = found else {
          Issue.record("\(expected) became \(found)")
          continue
        }
        // A whole text, or a part of a text in GraphQL or of a table of fields.
        let possible = [quoted, JSONPrinter.quote(text)].map {
          before.replacingOccurrences(of: "\"\(word)\"", with: $0)
        }
        #expect(
          ([text] + possible).contains { $0.unicodeScalars.elementsEqual(after.unicodeScalars) },
          "\(before) became \(after)")
      }
    }
  }

  @Test("Swift's parser makes the same tree of it")
  func compiler() async throws {
    let folder = try TemporaryFolder()
    func tree(_ texts: [String]) async throws -> String {
      var trees = ""
      for (index, text) in texts.enumerated() {
        try folder.write(text, to: "\(index).swift")
        trees += try await Self.run(["swiftc", "-frontend", "-dump-parse", "\(index).swift"], in: folder)
      }
      // (A quotation mark before a mark that joins with it is one Character.)
      let places = try Regex(#"0x[0-9a-f]+|(range|location)=(\[[^\]]*\]|\S+)| encoding=\S+|:\d+:\d+"#)
      let texts = try Regex(#"(value|message)="(\\.|[^"\\])*""#).matchingSemantics(.unicodeScalar)
      return trees.replacing(places.matchingSemantics(.unicodeScalar), with: "").replacing(texts, with: "TEXT")
    }
    let plain = try await tree(Self.code("wordword"))
    #expect(plain.contains("TEXT"))
    let hostile = try await tree(Self.code(HostileTexts.scalars.map(HostileTexts.text).joined()))
    #expect(hostile == plain)
  }

  @Test("A compiled program has the texts that its literals were made of")
  func program() async throws {
    let texts = HostileTexts.scalars.map(HostileTexts.text)
    let literals =
      texts.map(Literal.string) + texts.map { Literal.lines($0, format: .multiline).joined(separator: "\n") }
    let folder = try TemporaryFolder([
      "main.swift": "let texts: [String] = [\n\(literals.joined(separator: ",\n"))\n]\n"
        + "for text in texts { print(text.unicodeScalars.map(\\.value)) }\n"
    ])
    _ = try await Self.run(["swiftc", "-Onone", "main.swift", "-o", "main"], in: folder)
    let printed = try await Self.run([folder.url.appendingPathComponent("main").path], in: folder)
    let expected = (texts + texts).map { "\($0.unicodeScalars.map(\.value))\n" }.joined()
    #expect(printed == expected)
  }

  /// Runs a command, whose output is given back. (The compiler writes empty lines to standard error as well, whenever it
  /// gets to it.)
  static func run(_ command: [String], in folder: TemporaryFolder) async throws -> String {
    let outcome = try await Child(URL(fileURLWithPath: "/usr/bin/env"), command, in: folder.url).ended()
    #expect(outcome.status == 0, "\(outcome.errors.prefix(2000))")
    return outcome.text
  }
}
