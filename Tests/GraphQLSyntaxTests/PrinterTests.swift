import GraphQLSyntax
import Testing

@Suite("Printer")
struct PrinterTests {
  @Test("Values go on several lines only when they would not fit on one")
  func longValues() {
    let text = "{ f(a: {b: [\"\(String(repeating: "x", count: 75))\", \"y\"]}, c: 1) }"
    #expect(
      Printer.print(Parser.parse(text).value) == """
        {
          f(
            a: {
              b: [
                "\(String(repeating: "x", count: 75))"
                "y"
              ]
            }
            c: 1
          )
        }
        """)
  }

  @Test("The dense style is that of release 16 of the reference implementation")
  func dense() {
    let document = Parser.parse("query ($a: T = {b: [1, {c: 2}]}) { f }").value
    #expect(Printer.print(document, style: .dense).hasPrefix("query ($a: T = {b: [1, {c: 2}]}) {"))
    #expect(Printer.print(document).hasPrefix("query ($a: T = { b: [1, { c: 2 }] }) {"))
  }

  @Test("A minified document is the same document")
  func minified() {
    let document = Parser.parse(
      "query Q($a: Int = 1) @d { a: b(c: [1, -2.5e3], d: \"\"\"\n  x\n    y\n\"\"\") ... on T { e } ...F }"
    ).value
    let minified = Printer.printMinified(document)
    #expect(minified == "query Q($a:Int=1)@d{a:b(c:[1 -2.5e3]d:\"\"\"\nx\n  y\"\"\")...on T{e}...F}")
    #expect(Parser.parse(minified).value == document)
  }

  @Test("Stripping a malformed text says where it is malformed")
  func stripMalformed() {
    let stripped = Printer.stripIgnoredCharacters(Source("{ a \"b }"))
    #expect(stripped.diagnostics.map(\.code) == [.unterminatedString])
  }

  @Test("Each operation is separated with the fragments it uses, and only those")
  func separated() {
    let document = Parser.parse(
      "query A { ...F } query B { b { ...G } } fragment F on T { f ...H } fragment G on T { g } fragment H on T { h }"
    ).value
    let separated = document.separatedByOperation()
    #expect(separated.map { $0.document.fragments.map(\.name.value) } == [["F", "H"], ["G"]])
  }

  @Test("Definitions, extensions and descriptions survive printing")
  func roundTrip() {
    let text = """
      "schema" schema @a { query: Q mutation: M }
      extend schema @b
      "a \\"type\\"" type T implements A & B @c(d: [1]) { "f" f("arg" a: Int = 1 @d, b: [Int!]! = []): T! @deprecated }
      extend type T @e
      interface A implements B & C { a: Int }
      extend interface A { b: Int }
      union U @a = | A | B
      extend union U = C
      enum E { \"\"\" block \"\"\" A @deprecated(reason: "r") B }
      extend enum E { C }
      input I @oneOf { a: Int = 1 }
      extend input I { b: Int }
      scalar S @specifiedBy(url: "u")
      extend scalar S @x
      directive @d(a: Int = {b: $c}) repeatable on FIELD | ENUM_VALUE
      """.replacing("{b: $c}", with: "{b: c}")
    let parsed = Parser.parse(text)
    #expect(parsed.diagnostics.isEmpty)
    #expect(parsed.value.definitions.count == 15)
    #expect(Parser.parse(Printer.print(parsed.value)).value == parsed.value)
    #expect(Parser.parse(Printer.printMinified(parsed.value)).value == parsed.value)
  }
}
