import GraphQLSyntax
import Testing

@Suite("How much fragment arguments may copy")
struct FragmentCopyLimitTests {
  private func isRefused(_ text: String) -> Bool {
    let parsed = Parser.parse(text)
    #expect(!parsed.hasErrors)
    return parsed.value.inliningFragmentArguments() == nil
  }

  /// A large fragment that is spread several times.
  private func document(spreads: Int) -> String {
    let fields = String(repeating: "id ", count: 5_000)
    let selections = (0..<spreads).map { "s\($0): q { ...F(x: \($0)) }" }.joined(separator: " ")
    return "{ \(selections) } fragment F($x: Int) on Q { a(x: $x) \(fields) }"
  }

  @Test("The selections that are copied count, not the spreads")
  func selections() {
    #expect(!isRefused(document(spreads: 30)))
    #expect(isRefused(document(spreads: 60)))
  }

  @Test("Values that double with each fragment count as often as they are there")
  func values() {
    let chain = { (count: Int) in
      let fragments = (0..<count).map { "fragment F\($0)($x: Int) on Q { ...F\($0 + 1)(x: [$x, $x]) }" }.joined()
      return "{ ...F0(x: 1) } \(fragments) fragment F\(count)($x: Int) on Q { a(x: $x) }"
    }
    #expect(!isRefused(chain(10)))
    #expect(isRefused(chain(40)))
  }

  @Test("Variables count, even if a fragment has no use for them")
  func variables() {
    let variables = (0..<3_000).map { "$v\($0): Int" }.joined(separator: " ")
    let spreads = (0..<100).map { "s\($0): q { ...F(v0: \($0)) }" }.joined(separator: " ")
    #expect(isRefused("{ \(spreads) } fragment F(\(variables)) on Q { id }"))
  }
}
