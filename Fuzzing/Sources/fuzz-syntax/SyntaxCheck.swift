import GraphQLJSON
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// What must hold for any text that the front end may be given.
enum SyntaxCheck {
  private static let schema = Schema.build(from: [
    Source(
      """
      type Query { a(b: Int, c: [I!], d: E = A): U, f: Query, i: N!, s: [[String]] }
      type Mutation { a: Int } type Subscription { a: Int, f: Query }
      interface N { id: ID!, f: Query } type O implements N { id: ID!, f: Query, a: Int }
      union U = O | Query
      input I { a: Int = 1, b: [I], c: J } input J @oneOf { a: Int, b: String }
      enum E { A B @deprecated }
      directive @d(a: Int) repeatable on QUERY | FIELD | VARIABLE_DEFINITION | FRAGMENT_DEFINITION
      """)
  ]).value

  static func check(_ bytes: [UInt8]) {
    let source = Source(utf8: bytes, name: "fuzz")
    var options = Parser.Options()
    options.allowsFragmentArguments = bytes.count % 2 == 1
    options.allowsEmptySelectionSets = bytes.count % 3 == 1
    let parsed = Parser.parse(source, options: options)
    check(parsed.diagnostics, in: source)
    if parsed.hasErrors {
      // What is left of a broken text must be usable, too.
      _ = Printer.print(parsed.value)
    } else {
      check(parsed.value, options)
      let stripped = Printer.stripIgnoredCharacters(source)
      precondition(!stripped.hasErrors, "a text that parses has a lexical error")
      let again = Printer.stripIgnoredCharacters(Source(stripped.value)).value
      precondition(stripped.value == again, "stripping what is stripped changes it")
      precondition(
        Parser.parse(Source(stripped.value), options: options).value == parsed.value, "stripping changes the meaning")
    }
    meaning(parsed.value, source)
    parts(source)
    json(bytes)
  }

  /// JSON that is read is written as the same value.
  private static func json(_ bytes: [UInt8]) {
    do throws(JSONSyntaxError) {
      let node = try JSONNode(parsing: bytes)
      let again = try? JSONNode(parsing: node.indentedText.utf8)
      precondition(node == again, "JSON that is written is another value")
    } catch {
      precondition(error.offset <= bytes.count, "an error behind the end of the text")
    }
  }

  /// However a document is printed, it reads as it was.
  private static func check(_ document: Document, _ options: Parser.Options) {
    for text in [
      Printer.print(document), Printer.print(document, style: .dense), Printer.print(document, isAiry: true),
      Printer.printMinified(document),
    ] {
      let again = Parser.parse(Source(text), options: options)
      precondition(!again.hasErrors, "what was printed is not GraphQL")
      precondition(again.value == document, "what was printed reads differently")
    }
    let text = Printer.print(document)
    precondition(
      Printer.print(Parser.parse(Source(text), options: options).value) == text, "printing twice makes a difference")
  }

  /// Validation, schemas and what is made of them come to an end.
  private static func meaning(_ document: Document, _ source: Source) {
    var options = Validator.Options()
    options.rules += Rule.optional
    options.allowsEmptySelectionSets = source.count % 3 == 1
    check(Validator.validate(document, against: schema, options: options).diagnostics, in: source)
    _ = document.inliningFragmentArguments()
    _ = document.separatedByOperation()
    guard document.definitions.contains(where: { !$0.isExecutable }) else { return }
    let built = SchemaValidator.validate([document])
    check(built.diagnostics, in: source)
    var lenient = SchemaValidator.Options()
    lenient.isLenient = true
    lenient.allowsFieldExtensions = true
    check(SchemaValidator.validate([document], options: lenient).diagnostics, in: source)
    let schema = Schema.build(from: [document]).value
    _ = Schema.compare(self.schema, schema)
    precondition(Schema.compare(schema, schema).isEmpty, "a schema differs from itself")
    guard let valid = built.value?.value else { return }
    let text = SchemaPrinter.print(valid)
    let again = Schema.build(from: [Source(text)])
    precondition(!again.hasErrors, "a printed schema is not one")
    precondition(SchemaPrinter.print(again.value) == text, "a printed schema reads differently")
    let copied = Schema.build(fromIntrospection: valid.introspection())
    precondition(copied.value.map { SchemaPrinter.print($0) } == text, "introspection changes a schema")
  }

  private static func parts(_ source: Source) {
    for value in [Parser.parseValue(source), Parser.parseConstValue(source)] {
      check(value.diagnostics, in: source)
      guard let value = value.value else { continue }
      precondition(Parser.parseValue(Source(Printer.print(value))).value == value, "a printed value reads differently")
    }
    let type = Parser.parseType(source)
    check(type.diagnostics, in: source)
    if let type = type.value { precondition(Parser.parseType(Source(type.description)).value == type) }
    let coordinate = SchemaCoordinate.parse(source)
    check(coordinate.diagnostics, in: source)
    precondition((coordinate.value != nil) == coordinate.diagnostics.isEmpty)
    if let coordinate = coordinate.value { precondition(SchemaCoordinate(coordinate.description) == coordinate) }
    var end: UInt32 = 0
    for token in source.tokens().value {
      precondition(token.start >= end && token.end >= token.start, "tokens overlap")
      end = token.end
    }
    precondition(Int(end) <= source.count)
  }

  /// Findings stand in the text, and can be shown.
  private static func check(_ diagnostics: [Diagnostic], in source: Source) {
    for diagnostic in diagnostics {
      for span in [diagnostic.span] + diagnostic.labels.map(\.span) where span.source == source.id {
        precondition(span.start <= span.end && Int(span.end) <= source.count, "a finding stands outside of the text")
      }
    }
    for style in [DiagnosticRenderer.Style.terminal(isColored: true), .xcode, .jsonLines] {
      var renderer = DiagnosticRenderer(style, sources: SourceMap([source]))
      _ = renderer.render(diagnostics.prefix(20))
    }
  }
}
