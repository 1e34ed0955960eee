import GraphQLSyntax
import Testing

@Suite("Fragment arguments")
struct FragmentArgumentTests {
  private let options = Parser.Options()

  private func inlined(_ text: String, given: Set<String> = []) throws -> String {
    let document = Parser.parse(Source(text), options: options).value
    return Printer.printMinified(try #require(document.inliningFragmentArguments { given.contains($0) }))
  }

  @Test("They are read unless the option says otherwise")
  func option() {
    var options = Parser.Options()
    options.allowsFragmentArguments = false
    let text = "query { ...F(size: 50) } fragment F($size: Int = 10 @d) on User { pic(size: $size) }"
    let refused = Parser.parse(Source(text), options: options)
    #expect(refused.diagnostics.map(\.code) == [.unexpectedToken, .unexpectedToken])
    let parsed = Parser.parse(text)
    #expect(!parsed.hasErrors)
    #expect(Parser.parse(Printer.print(parsed.value)).value == parsed.value)
  }

  @Test("For servers that do not know them, values take the place of variables")
  func inlining() throws {
    let fragment =
      "fragment F($size: Int = 10, $in: String) on User { pic(size: $size, in: $in, a: [$in, $o], b: {c: $in}) }"
    #expect(try inlined("{ ...F } \(fragment)") == "{...on User{pic(size:10 a:[null$o]b:{})}}")
    #expect(
      try inlined("{ ...F(size: 5, in: \"x\") @d } \(fragment)")
        == "{...on User@d{pic(size:5 in:\"x\" a:[\"x\"$o]b:{c:\"x\"})}}")
    #expect(
      try inlined("query($s: Int) { ...F(size: $s) } \(fragment)", given: ["s"])
        == "query($s:Int){...on User{pic(size:$s a:[null$o]b:{})}}")
    // A variable without a value leaves the default as it is.
    #expect(
      try inlined("query($s: Int) { ...F(size: $s) } \(fragment)")
        == "query($s:Int){...on User{pic(size:10 a:[null$o]b:{})}}")
  }

  @Test("A fragment's variable hides that of the operation, and passes through other fragments")
  func scopes() throws {
    let text = """
      query($x: Int) { ...A(x: 1) y(x: $x) }
      fragment A($x: Int) on Query { ...B(y: $x) ...C }
      fragment B($y: Int, $x: Int = 3) on Query { b(x: $x, y: $y) }
      fragment C on Query { c(x: $x) }
      """
    #expect(
      try inlined(text, given: ["x"])
        == "query($x:Int){...on Query{...on Query{b(x:3 y:1)}...C}y(x:$x)}fragment C on Query{c(x:$x)}")
  }

  @Test("Fragments that spread themselves end, and those that double are refused")
  func hostile() throws {
    #expect(try inlined("{ ...F } fragment F($x: Int) on Q { a ...F(x: $x) }") == "{...on Q{a}}")
    let doubling = (0..<40).map { "fragment F\($0)($x: Int) on Q { ...F\($0 + 1)(x: 1) a { ...F\($0 + 1)(x: 2) } }" }
    let text = "{ ...F0 } \(doubling.joined()) fragment F40($x: Int) on Q { b }"
    #expect(Parser.parse(Source(text), options: options).value.inliningFragmentArguments() == nil)
  }
}
