import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite("Validator")
struct ValidatorTests {
  static let schema = Schema.build(
    from: [
      Source(
        """
        type Query { hello(to: String, in: Language): String, hero: Character, heroes: [Character] }
        interface Character { id: ID!, name: String, friends: [Character] }
        type Human implements Character { id: ID!, name: String, friends: [Character], height(unit: Unit = METER): Float }
        type Droid implements Character { id: ID!, name: String, friends: [Character], height: String }
        enum Unit { METER FOOT }
        enum Language { EN DE }
        """)
    ]
  ).value

  static func validate(_ texts: String..., options: Validator.Options = .init()) -> Parsed<Validated<Document>?> {
    Validator.validate(texts.map { Parser.parse($0).value }, against: schema, options: options)
  }

  @Test("A valid document comes back as proof")
  func valid() {
    let document = Parser.parse("{ hello }").value
    let result = Validator.validate(document, against: Self.schema)
    #expect(result.value?.value == document)
    #expect(result.diagnostics.isEmpty)
  }

  @Test("Files are validated together: fragments are shared, and names are unique across all")
  func severalFiles() {
    let first = Source("query A { hero { ...F } }", name: "A.graphql")
    let second = Source("fragment F on Character { name } query A { hello }", name: "B.graphql")
    let result = Validator.validate([first, second].map { Parser.parse($0).value }, against: Self.schema)
    #expect(result.diagnostics.map(\.code) == [.duplicateOperation])
    #expect(result.diagnostics[0].span.source == second.id)
    #expect(result.diagnostics[0].labels.map(\.span.source) == [first.id])
    var renderer = DiagnosticRenderer(.xcode, sources: SourceMap([first, second]))
    #expect(
      renderer.render(result.diagnostics) == """
        B.graphql:1:40: error: There can be only one operation named "A".
        A.graphql:1:7: note: first defined here

        """)
  }

  @Test("Rules can be left out")
  func leftOut() {
    let text = "fragment F on Character { name }"
    #expect(Self.validate(text).diagnostics.map(\.code) == [.unusedFragment])
    var options = Validator.Options()
    options.remove(.noUnusedFragments)
    #expect(Self.validate(text, options: options).value != nil)
  }

  @Test("A finding that is only a warning does not make a document invalid")
  func severities() {
    var options = Validator.Options()
    options.severities[.unusedFragment] = .warning
    let result = Self.validate("{ hello } fragment F on Character { name }", options: options)
    #expect(result.value != nil)
    #expect(result.diagnostics.map(\.severity) == [.warning])
  }

  @Test("Warnings are counted apart: however many there are, errors are found, and without errors a document is valid")
  func manyWarnings() {
    let schema = Schema.build(from: [Source("type Query { old: Int @deprecated, new: Int }")]).value
    var options = Validator.Options()
    options.rules.append(.noDeprecated)
    options.maximumDiagnostics = 10
    func check(_ count: Int, _ more: String = "") -> Parsed<Validated<Document>?> {
      let fields = (0..<count).map { "f\($0): old" }.joined(separator: " ")
      return Validator.validate(Parser.parse("{ \(fields) \(more) }").value, against: schema, options: options)
    }
    #expect(check(10).diagnostics.map(\.code) == Array(repeating: .deprecated, count: 10))
    let more = check(30)
    #expect(more.value != nil && more.diagnostics.allSatisfy { $0.severity == .warning })
    #expect(more.diagnostics.filter { $0.code == .tooManyErrors }.count == 1 && more.diagnostics.count == 11)
    // The help is there, although there were more findings before.
    let wrong = check(300, "nev").diagnostics.filter { $0.severity == .error }
    #expect(wrong.map(\.code) == [.unknownField] && wrong[0].help?.contains("new") == true)
    let both = check(30, (0..<30).map { "x\($0)" }.joined(separator: " "))
    #expect(both.value == nil)
    #expect(both.diagnostics.filter { $0.code == .unknownField }.count == 10)
    #expect(both.diagnostics.filter { $0.code == .tooManyErrors }.map(\.severity).sorted() == [.warning, .error])
  }

  @Test("All that a rule reports can be given a severity")
  func severityOfRule() {
    var options = Validator.Options()
    options.setSeverity(.note, of: .valuesOfCorrectType)
    let text = "{ hello(to: 1, in: [NOPE]) hero { nope } }"
    let severities = Self.validate(text, options: options).diagnostics.map(\.severity)
    #expect(severities == [.note, .note, .error])
  }

  @Test(
    "A subscription selects exactly one field, unconditionally",
    arguments: [
      ("{ a }", 0), ("{ a b }", 1), ("{ a @skip(if: true) }", 1),
      ("{ ...F @include(if: true) } fragment F on S { a }", 1),
      ("{ ...F } fragment F on S { ...F }", 0), ("{ __typename }", 1), ("{ a: b ...F } fragment F on S { a: b }", 0),
    ])
  func subscriptions(selection: String, count: Int) {
    let schema = Schema.build(from: [Source("schema { query: S subscription: S } type S { a: Int b: Int }")]).value
    let result = Validator.validate(Parser.parse("subscription \(selection)").value, against: schema)
    #expect(result.diagnostics.count { $0.code == .subscriptionRootFields } == count)
  }

  @Test("Directives of the client are known when it says so, with their arguments")
  func clientDirectives() {
    let text = "{ hello @local(as: BIG) hero { name @local } }"
    #expect(Self.validate(text).diagnostics.map(\.code) == [.unknownDirective, .unknownDirective])
    var options = Validator.Options()
    options.clientDefinitions = Parser.parse("directive @local(as: Size!) on FIELD enum Size { BIG }").value
    #expect(Self.validate(text, options: options).diagnostics.map(\.code) == [.missingArgument])
  }

  @Test("Findings are in the order of the text")
  func order() {
    let result = Self.validate("query ($unused: String) { nope hero { nah } }")
    #expect(result.diagnostics.map(\.code) == [.unusedVariable, .unknownField, .unknownField])
  }

  @Test(
    "Names that are nearly right are suggested",
    arguments: [
      ("{ helo }", "Did you mean \"hello\" or \"hero\"?"),
      ("{ hello(too: 1) }", "Did you mean \"to\"?"),
      ("{ hello(in: DEE) }", "Did you mean the enum value \"DE\" or \"EN\"?"),
      ("{ hello @skp(if: true) }", "Did you mean \"@skip\"?"),
      ("{ hero { ...Nam } } fragment Name on Character { name }", "Did you mean \"Name\"?"),
      ("{ hero { ... on Humn { id } } }", "Did you mean \"Human\"?"),
      ("{ hero { height } }", "Did you mean to use an inline fragment on \"Droid\" or \"Human\"?"),
      ("query ($name: String) { hello(to: $nam) }", "Did you mean \"$name\"?"),
    ])
  func suggestions(text: String, expected: String) {
    #expect(Self.validate(text).diagnostics.contains { $0.help == expected })
  }

  @Test("A document of nonsense is reported, however it is nested")
  func nonsense() {
    let result = Self.validate("{ a { b { c(d: {e: [$f]}) @g { ...H ... on I { j } } } } }")
    #expect(
      Set(result.diagnostics.map(\.code)).isSuperset(of: [
        .unknownField, .unknownFragment, .unknownType, .undefinedVariable,
      ]))
  }
}

@Suite("Validation of large documents")
struct LargeDocumentTests {
  private func codes(_ text: String) -> Set<Diagnostic.Code> {
    // The rules themselves need no limit.
    var options = Validator.Options()
    options.maximumDepth = .max
    return Set(ValidatorTests.validate(text, options: options).diagnostics.map(\.code))
  }

  @Test("The same field thousands of times is valid")
  func repeatedField() {
    #expect(codes("{ \(String(repeating: "hello ", count: 20_000)) }").isEmpty)
    #expect(codes("{ \(String(repeating: "hero { name friends { id } } ", count: 5_000)) }").isEmpty)
  }

  @Test("Thousands of mistakes are reported up to a limit, and suggestions do not multiply the work")
  func manyMistakes() {
    let variables = (0..<2_000).map { "$variable\($0): String" }.joined(separator: " ")
    let fields = (0..<2_000).map { "f\($0): hello(to: $variabel\($0))" }.joined(separator: " ")
    var options = Validator.Options()
    options.maximumDiagnostics = 500
    let diagnostics = ValidatorTests.validate("query (\(variables)) { \(fields) }", options: options).diagnostics
    #expect(diagnostics.count == 501)
    #expect(diagnostics.last?.code == .tooManyErrors)
    #expect(diagnostics.filter { $0.help != nil }.count == 100)
  }

  @Test("Thousands of fields that all conflict are reported up to a limit")
  func manyConflicts() {
    let fields = (0..<2_000).map { "x: hello(to: \"\($0)\")" }.joined(separator: " ")
    #expect(ValidatorTests.validate("{ \(fields) }").diagnostics.count == 100)
  }

  @Test("A conflict among thousands of fields is found")
  func conflictAmongMany() {
    let fields = String(repeating: "hello ", count: 3_000)
    #expect(codes("{ \(fields) hello(to: \"x\") }") == [.fieldConflict])
  }

  @Test("Without a limit, a chain of thousands of fragments is valid, and its cycle is found")
  func fragmentChain() {
    let count = 5_000
    let chain = (0..<count).map { "fragment F\($0) on Character { friends { id ...F\($0 + 1) } }" }.joined(
      separator: "\n")
    #expect(codes("{ hero { ...F0 } }\n\(chain)\nfragment F\(count) on Character { name }").isEmpty)
    #expect(codes("{ hero { ...F0 } }\n\(chain)\nfragment F\(count) on Character { ...F0 }") == [.fragmentCycle])
  }

  @Test("A conflict at the end of a long chain of fragments is found")
  func conflictInChain() {
    let count = 1_000
    let chain = { (name: String) in
      (0..<count).map { "fragment \(name)\($0) on Character { friends { ...\(name)\($0 + 1) } }" }.joined(
        separator: "\n")
    }
    let text = """
      { hero { ...A0 ...B0 } }
      \(chain("A"))
      \(chain("B"))
      fragment A\(count) on Character { x: name }
      fragment B\(count) on Character { x: id }
      """
    #expect(codes(text) == [.fieldConflict])
  }

  @Test("Fragments that include each other twice do not multiply the work")
  func doubling() {
    let count = 60
    let fragments = (0..<count).map {
      "fragment F\($0) on Character { ... on Human { friends { ...F\($0 + 1) } } ... on Droid { friends { ...F\($0 + 1) } } friends { ...F\($0 + 1) ...F\($0 + 1) } }"
    }.joined(separator: "\n")
    #expect(codes("{ hero { ...F0 } }\n\(fragments)\nfragment F\(count) on Character { name }").isEmpty)
  }
}
