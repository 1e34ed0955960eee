import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

@Suite("The draft of the next edition: validation")
struct DraftTests {
  private func schemaErrors(_ text: String, allowsFieldExtensions: Bool = false) -> [String] {
    let source = Source(text)
    var options = SchemaValidator.Options()
    options.allowsFieldExtensions = allowsFieldExtensions
    return errors(SchemaValidator.validate([source], options: options).diagnostics, in: source)
  }

  /// `CODE at TEXT` of each diagnostic.
  private func errors(_ diagnostics: [Diagnostic], in source: Source) -> [String] {
    diagnostics.map {
      "\($0.code.rawValue) at \(source.text(from: Int($0.span.start), to: Int($0.span.end)).prefix(12))"
    }
  }

  private func documentErrors(
    _ text: String, _ schema: String = "type Query { a(x: Int, l: [Int]): Int, q: Query }",
    _ change: (inout Validator.Options) -> Void = { _ in }
  ) -> [String] {
    let source = Source(text)
    var parserOptions = Parser.Options()
    parserOptions.allowsEmptySelectionSets = true
    let parsed = Parser.parse(source, options: parserOptions)
    #expect(parsed.diagnostics.isEmpty)
    var options = Validator.Options()
    change(&options)
    let schema = Schema.build(from: [Source(schema)]).value
    return errors(Validator.validate(parsed.value, against: schema, options: options).diagnostics, in: source)
  }

  // MARK: - Schemas

  @Test("Directives on directive definitions are known, placed and not repeated, as everywhere")
  func directiveDefinitions() {
    let query = "type Query { a: Int } "
    #expect(schemaErrors(query + "directive @a @deprecated on FIELD") == [])
    #expect(schemaErrors(query + "directive @a @nope on FIELD") == ["unknown-directive at @nope"])
    #expect(schemaErrors(query + "directive @a @oneOf on FIELD") == ["misplaced-directive at @oneOf"])
    #expect(
      schemaErrors(query + "directive @a @deprecated on FIELD extend directive @a @deprecated")
        == ["duplicate-directive-use at @deprecated"])
    #expect(schemaErrors(query + "directive @a @deprecated(why: 1) on FIELD") == ["unknown-argument at why: 1"])
    #expect(schemaErrors(query + "extend directive @nope @deprecated") == ["undefined-extension at nope"])
    #expect(schemaErrors(query + "directive @a on FIELD directive @a on FIELD") == ["duplicate-directive at a"])
  }

  @Test("A directive is not used in its own definition, directly or through others, arguments and types")
  func directiveCycles() {
    let query = "type Query { a: Int } "
    #expect(schemaErrors(query + "directive @a @a on DIRECTIVE_DEFINITION") == ["directive-cycle at a"])
    #expect(schemaErrors(query + "directive @a(x: Int @a) on ARGUMENT_DEFINITION") == ["directive-cycle at a"])
    #expect(
      schemaErrors(query + "directive @a @b on DIRECTIVE_DEFINITION directive @b @a on DIRECTIVE_DEFINITION")
        == ["directive-cycle at a", "directive-cycle at b"])
    let input = "input I { i: I, j: J } input J { k: Int @a }"
    #expect(
      schemaErrors(query + "directive @a(x: [I!]) on INPUT_FIELD_DEFINITION \(input)") == ["directive-cycle at a"])
    // A cycle of types is none of directives.
    #expect(schemaErrors(query + "directive @a(x: I) on FIELD input I { i: I }") == [])
    let chain = (0..<5_000).map { "directive @d\($0) @d\(($0 + 1) % 5_000) on DIRECTIVE_DEFINITION " }
    // A cycle of any length takes time by its length, and each message names a few members of it.
    #expect(schemaErrors(query + chain.joined()).count == 5_000)
  }

  @Test("A variable is used where it is an argument of a spread, whether the fragment or the argument is known or not")
  func variablesOfSpreads() {
    #expect(
      documentErrors("query Q($v: Int) { ...Nope(x: $v) }") == ["unknown-fragment at Nope"])
    #expect(
      documentErrors("query Q($v: Int) { ...F(x: $v) } fragment F on Query { a }") == ["unknown-argument at x: $v"])
    #expect(
      documentErrors("query Q { ...Nope(x: $v) }") == ["unknown-fragment at Nope", "undefined-variable at $v"])
  }

  @Test("Field extensions repeat the field, and do not repeat directives")
  func fieldExtensions() {
    let base = #"directive @x on FIELD_DEFINITION type Query { "Text" a(n: Int = 1): [Int!] b: Int @x } "#
    let check = { (text: String) in schemaErrors(base + text, allowsFieldExtensions: true) }
    #expect(check("extend type Query { a(n: Int = 1): [Int!] @x }") == [])
    #expect(check(#"extend type Query { "Text" a(n: Int = 1): [Int!] @x }"#) == [])
    #expect(schemaErrors(base + "extend type Query { a(n: Int = 1): [Int!] @x }") == ["duplicate-field at a"])
    for other in ["a(n: Int = 1): [Int]", "a(n: Int = 2): [Int!]", "a: [Int!]", "a(n: Int = 1, m: Int): [Int!]"] {
      #expect(
        check("extend type Query { \(other) @x }") == ["mismatched-field-extension at \("\(other) @x".prefix(12))"])
    }
    #expect(check(#"extend type Query { "Other" a(n: Int = 1): [Int!] @x }"#).count == 1)
    #expect(check("extend type Query { b: Int @x }") == ["duplicate-directive-use at @x"])
    #expect(check("type A { b: Int b: Int }") == ["duplicate-field at b"])
    #expect(check("extend type Query { c: Int } extend type Query { c: Int }") == ["duplicate-field at c"])
    let schema = Schema.build(from: [Source(base)]).value
    var options = SchemaValidator.Options()
    options.allowsFieldExtensions = true
    let extended = SchemaValidator.extend(
      schema, with: [Parser.parse("extend type Query { a(n: Int = 1): [Int!] @x }").value], options: options)
    #expect(extended.diagnostics.isEmpty)
    #expect(extended.value?.value.queryType?.fields["a"]?.directives.count == 1)
  }

  /// `InputObjectHasUnbreakableCycle(inputObject, visited)` of the draft, as it is written there.
  private func hasUnbreakableCycle(_ name: String, _ schema: Schema, _ visited: Set<String> = []) -> Bool {
    if visited.contains(name) { return true }
    guard case .inputObject(let type)? = schema.type(named: name) else { return false }
    let visited = visited.union([name])
    let leads = { (field: InputValueDefinition) in
      if case .list = field.type.kind { return false }
      return hasUnbreakableCycle(field.type.namedType.value, schema, visited)
    }
    return type.isOneOf ? type.fields.allSatisfy(leads) : type.fields.contains { $0.type.isNonNull && leads($0) }
  }

  @Test("Input objects without a finite value are those of the algorithm in the draft, for random schemas")
  func finiteInputObjects() {
    var generator = Numbers(state: 7)
    var unsound = 0
    for _ in 0..<400 {
      let count = 2 + generator.next(below: 4)
      let types = (0..<count).map { index -> String in
        let isOneOf = generator.next(below: 2) == 0
        let fields = (0..<(1 + generator.next(below: 3))).map { number -> String in
          let target = generator.next(below: 3) == 0 ? "Int" : "T\(generator.next(below: count))"
          let shape = isOneOf ? generator.next(below: 5) / 4 : generator.next(below: 4)
          return "f\(number): " + [target, "[\(target)!]", "\(target)!", "\(target)!"][shape]
        }
        return "input T\(index)\(isOneOf ? " @oneOf" : "") { \(fields.joined(separator: " ")) }"
      }
      let schema = Schema.build(from: [Source("type Query { a: Int } " + types.joined(separator: " "))]).value
      let reported = SchemaValidator.check(schema).contains { $0.code == .inputObjectCycle }
      let expected = (0..<count).contains { hasUnbreakableCycle("T\($0)", schema) }
      #expect(reported == expected, "\(types)")
      unsound += expected ? 1 : 0
    }
    #expect(unsound > 50 && unsound < 350)
  }

  // MARK: - Documents

  @Test("Fields merge by where their variables are defined, and by value only if the option says so")
  func variablesOfFragments() {
    let fragment = " fragment F($x: Int) on Query { a(x: $x) }"
    #expect(documentErrors("query($y: Int) { ...F(x: $y) ...F(x: $y) }" + fragment) == [])
    #expect(documentErrors("{ ...F(x: 1) q { ...F(x: 2) } }" + fragment) == [])
    #expect(documentErrors("{ ...F(x: 1) ...F(x: 2) }" + fragment) == ["field-conflict at ...F(x: 1)"])
    let passed = "query($y: Int) { a(x: $y) ...F(x: $y) }" + fragment
    #expect(documentErrors(passed) == ["field-conflict at a(x: $y)"])
    #expect(documentErrors(passed) { $0.comparesFragmentVariablesByValue = true } == [])
    // The same variable on the way through different fragments is not the same.
    let ways = " fragment A($v: Int) on Query { ...F(x: $v) } fragment B($v: Int) on Query { ...F(x: $v) }"
    #expect(documentErrors("{ ...A(v: 1) ...B(v: 1) }" + ways + fragment).count == 1)
    // A conflict of spreads hides no other conflict.
    #expect(
      documentErrors("{ q { a(x: 1) ...F(x: 1) q { a } q: a } q { ...F(x: 2) a(x: 2) } }" + fragment).count == 5)
    // What conflicts inside of a fragment is said once, however often it is spread.
    let inside = " fragment F($x: Int) on Query { a(x: $x) a(x: 1) }"
    #expect(documentErrors("{ ...F(x: 1) q { ...F(x: 2) } }" + inside) == ["field-conflict at a(x: $x)"])
  }

  @Test("Fragment arguments are known, given, used and of their types")
  func fragmentArguments() {
    let fragment = " fragment F($x: Int!) on Query { a(x: $x) }"
    #expect(documentErrors("{ ...F(x: 1) }" + fragment) == [])
    #expect(documentErrors("{ ...F(y: 1, x: 1) }" + fragment) == ["unknown-argument at y: 1"])
    #expect(documentErrors("{ ...F }" + fragment) == ["missing-argument at ...F"])
    #expect(documentErrors("{ ...F(x: null) }" + fragment) == ["invalid-value at null"])
    #expect(documentErrors("{ ...F(x: true) }" + fragment) == ["invalid-value at true"])
    #expect(documentErrors("{ ...F(x: 1, x: 2) }" + fragment) == ["duplicate-argument at x"])
    #expect(documentErrors("query($y: Int) { ...F(x: $y) }" + fragment) == ["variable-type-mismatch at $y"])
    #expect(documentErrors("{ ...F(x: $y) }" + fragment) == ["undefined-variable at $y"])
    #expect(documentErrors("{ ...F } fragment F($x: Int) on Query { a }") == ["unused-variable at $x: Int"])
    #expect(documentErrors("{ ...F } fragment F($x: Int @skip(if: true)) on Query { a(x: $x) }").count == 1)
    #expect(
      documentErrors("{ ...F(x: 1) ...G } fragment G on Query { a(x: $x) }" + fragment).contains(
        "undefined-variable at $x"))
    #expect(
      documentErrors("{ ...F(x: 1) } fragment F($x: Int) on Query { ...F(x: $x) }").contains(
        "fragment-cycle at ...F(x: $x)"))
  }

  @Test("Empty selection sets are an object's, if the option says so, and no subscription's")
  func emptySelectionSets() {
    let schema = "type Query { a: Int, q: Query } type Subscription { s: Int }"
    #expect(documentErrors("{ q {} }", schema) == ["missing-selection at q {}"])
    #expect(documentErrors("{ q {} }", schema) { $0.allowsEmptySelectionSets = true } == [])
    #expect(documentErrors("{ a {} }", schema) { $0.allowsEmptySelectionSets = true } == ["selection-on-leaf at {}"])
    #expect(
      documentErrors("subscription {}", schema) { $0.allowsEmptySelectionSets = true }
        == ["subscription-root-fields at {}"])
  }

  @Test("@defer and @stream stand in a subscription where a condition can leave them out")
  func conditions() {
    let schema = """
      type Query { a: Int } type Subscription { s: S } type S { l: [Int] s: S }
      directive @stream(if: Boolean = true, initialCount: Int = 0) on FIELD
      directive @defer(if: Boolean = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
      """
    let check = { (text: String) in
      documentErrors("subscription($c: Boolean!) { s { \(text) } }", schema).filter {
        !$0.hasPrefix("unused-variable")
      }
    }
    #expect(check("l @stream") == ["misplaced-incremental-directive at @stream"])
    #expect(check("l @stream(if: false)") == [])
    #expect(check("l @stream @skip(if: $c)") == [])
    #expect(check("l @stream @skip(if: false)") == ["misplaced-incremental-directive at @stream"])
    #expect(check("s @include(if: $c) { l @stream }") == [])
    #expect(check("s @include(if: true) { l @stream }") == ["misplaced-incremental-directive at @stream"])
    #expect(check("... @defer { l }") == ["misplaced-incremental-directive at @defer"])
  }
}

/// Numbers that look random, and are the same each time.
private struct Numbers {
  var state: UInt64

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
