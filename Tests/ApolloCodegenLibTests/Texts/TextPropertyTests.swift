import ApolloCodegenLib
import ForeignText
import Foundation
import GraphQLJSON
import GraphQLSyntax
import Testing

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
    let text = HostileTexts.text(around: scalar), word = "wordword"
    let plain = try Self.code(word), hostile = try Self.code(text)
    try #require(plain.count == hostile.count)
    for (plain, hostile) in zip(plain, hostile) {
      #expect(!hostile.unicodeScalars.contains { $0 != "\n" && HiddenScalar.isHidden($0) })
      let expected = try SwiftTokens.read(plain), found = try SwiftTokens.read(hostile)
      try #require(expected.count == found.count)
      for (expected, found) in zip(expected, found) where expected != found {
        guard case .string(let before) = expected, case .string(let after) = found else {
          Issue.record("\(expected) became \(found)")
          continue
        }
        // A whole text, or a part of a text in GraphQL or of a table of fields.
        let quoted = Printer.print(Value(.string(StringValue(text)))), json = JSONPrinter.quote(text)
        let possible = [quoted, json].map { before.replacingOccurrences(of: "\"\(word)\"", with: $0) }
        #expect(
          ([text] + possible).contains { $0.unicodeScalars.elementsEqual(after.unicodeScalars) },
          "\(before) became \(after)")
      }
    }
  }

  @Test("Swift's parser makes the same tree of it, and reads the same texts")
  func compiler() throws {
    let scalars: [Unicode.Scalar] = ["\u{600}", "\u{D4E}", "\0", "\u{2028}", "\u{301}", "\"", "\u{FFFE}"]
    let folder = try TemporaryFolder()
    func tree(_ texts: [String]) throws -> String {
      var trees = ""
      for (index, text) in texts.enumerated() {
        try folder.write(text, to: "\(index).swift")
        trees += try Self.run(["swiftc", "-frontend", "-dump-parse", "\(index).swift"], in: folder)
      }
      return
        trees
        .replacing(try Regex(#"0x[0-9a-f]+|(range|location)=(\[[^\]]*\]|\S+)"#), with: "")
        .replacing(try Regex(#"(value|message)="(\\.|[^"\\])*""#), with: "TEXT")
    }
    let plain = try tree(Self.code("wordword"))
    #expect(plain.contains("TEXT"))
    for scalar in scalars {
      #expect(try tree(Self.code(HostileTexts.text(around: scalar))) == plain, "U+\(String(scalar.value, radix: 16))")
    }
  }

  /// Runs a command, whose output is given back.
  static func run(_ command: [String], in folder: TemporaryFolder) throws -> String {
    let process = Process(), output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder.url
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text.prefix(2000))")
    return text
  }
}
