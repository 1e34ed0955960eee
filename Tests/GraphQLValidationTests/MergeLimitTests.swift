import GraphQLSchema
import GraphQLSyntax
import Testing

@testable import GraphQLValidation

@Suite("Fields that merge in ever new ways")
struct MergeLimitTests {
  private static let schema = Schema.build(from: [
    Source(
      """
      type Query { a(x: Int): Node, q: Query, s(x: String): Int }
      interface Node { id: ID, a: Node, b: Node, i: Int, s: String }
      type T1 implements Node { id: ID, a: Node, b: Node, i: Int, s: String, k: Int }
      type T2 implements Node { id: ID, a: Node, b: Node, i: Int, s: String, k: String }
      """)
  ]).value

  private func codes(_ text: String) -> [Diagnostic.Code] {
    var options = Validator.Options()
    options.maximumDepth = .max
    return Validator.validate(Parser.parse(text).value, against: Self.schema, options: options).diagnostics.map(\.code)
  }

  // MARK: - Documents that are made to merge

  /// Each level has two ways on, and a chain of fragments that remembers which one was taken. So there are as many
  /// merged selection sets on the last level as there are ways to it.
  ///
  /// - Parameters:
  ///   - depth: The number of levels.
  ///   - byType: Whether the ways are types, or else fields.
  ///   - end: What the chain of a way that begins on a level selects in the end.
  /// - Returns: The document.
  private func hostile(depth: Int, byType: Bool, end: (_ way: Int, _ level: Int) -> String) -> String {
    var parts = ["query Q { a { ...G1 } }"]
    for level in 1...depth {
      let next = level < depth ? "...G\(level + 1)" : "id"
      let chain = { (way: Int) in level < depth ? "...C\(way)_\(level)_1" : "id" }
      let ways = [1, 2].map { "a { \(chain($0)) \(next) }" }
      parts.append(
        byType
          ? "fragment G\(level) on Node { ... on T1 { \(ways[0]) } ... on T2 { \(ways[1]) } }"
          : "fragment G\(level) on Node { \(ways[0]) b: \(ways[1]) }")
      for way in 1...2 where level < depth {
        for step in 1...(depth - level) {
          let on = step < depth - level ? "...C\(way)_\(level)_\(step + 1)" : end(way, level)
          parts.append(
            "fragment C\(way)_\(level)_\(step) on Node { a { \(on) } \(byType ? "" : "b: a { \(on) }") }")
        }
      }
    }
    return parts.joined(separator: "\n")
  }

  @Test("A valid document is found to be valid, although its ways cannot be counted", arguments: [true, false])
  func valid(byType: Bool) {
    #expect(codes(hostile(depth: 24, byType: byType) { _, _ in "id" }) == [])
  }

  @Test("A conflict of two of the ways is found", arguments: [true, false])
  func conflict(byType: Bool) {
    let text = hostile(depth: 20, byType: byType) { way, level in
      switch (way, level) {
      case (1, 1): "x: i"
      case (2, 2): "x: s"
      default: "id"
      }
    }
    #expect(Set(codes(text)) == [.fieldConflict])
  }

  // MARK: - Two ways to one verdict

  private struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % sides
    }
  }

  private func selections(_ dice: inout Dice, depth: Int) -> String {
    let parts = (0...dice.roll(3)).map { _ -> String in
      switch dice.roll(depth < 3 ? 11 : 4) {
      case 0: "id"
      case 1: ["i", "s", "x: i", "x: s"][dice.roll(12) % 4]
      case 2: "...F\(dice.roll(4))"
      case 3: dice.roll(4) == 0 ? "... on T\(1 + dice.roll(2)) { k }" : "i"
      case 4, 5: "a { \(selections(&dice, depth: depth + 1)) }"
      case 6: "b { \(selections(&dice, depth: depth + 1)) }"
      case 7: dice.roll(3) == 0 ? "a: b { \(selections(&dice, depth: depth + 1)) }" : "id"
      default: "... on T\(1 + dice.roll(2)) { \(selections(&dice, depth: depth + 1)) }"
      }
    }
    return parts.joined(separator: " ")
  }

  @Test("Pairs of selection sets have a conflict exactly where merged selection sets have one, in random documents")
  func sameVerdict() {
    var dice = Dice(state: 7)
    var conflicts = 0
    let count = 600
    for _ in 0..<count {
      let fragments = (0..<4).map { "fragment F\($0) on Node { \(selections(&dice, depth: 1)) }" }
      let text = (["{ a { \(selections(&dice, depth: 0)) } }"] + fragments).joined(separator: "\n")
      let parsed = Parser.parse(text)
      #expect(!parsed.hasErrors)
      let graph = SelectionGraph(parsed.value, schema: Self.schema, comparesByValue: false)
      let comparison = FieldComparison(schema: Self.schema)
      var merged = ConflictDetector(graph, comparison, maximumWork: .max)
      var pairs = ConflictDetector(graph, comparison, maximumWork: 0)
      let isConflict = merged.firstConflict() != nil
      #expect((pairs.firstConflict() != nil) == isConflict, "\(text)")
      conflicts += isConflict ? 1 : 0
    }
    #expect(conflicts > count / 10 && conflicts < count * 9 / 10)
  }

  // MARK: - Arguments

  @Test("Arguments that only look alike differ")
  func codePoints() {
    #expect(codes("{ s(x: \"caf\u{e9}\") s(x: \"cafe\u{301}\") }") == [.fieldConflict])
    #expect(codes("{ s(x: \"caf\u{e9}\") s(x: \"caf\u{e9}\") }") == [])
    let labels = "{ ... @defer(label: \"caf\u{e9}\") { s } ... @defer(label: \"cafe\u{301}\") { s } }"
    #expect(!codes(labels).contains(.invalidIncrementalLabel))
  }

  @Test("Fragments whose arguments make too many copies to compare are an error, not passed over")
  func copies() {
    let document = { (spreads: Int) in
      let selections = (0..<spreads).map { "s\($0): q { ...F(x: \($0)) }" }.joined(separator: " ")
      let fields = String(repeating: "__typename ", count: 5_000)
      return "{ \(selections) } fragment F($x: Int) on Query { a(x: $x) { id } \(fields) }"
    }
    #expect(codes(document(10)) == [])
    #expect(codes(document(60)) == [.fieldConflict])
  }

  @Test("Enum values are suggested for the first hundred mistakes only")
  func suggestions() {
    let fields = (0..<300).map { "f\($0): hello(in: DEE)" }.joined(separator: " ")
    let diagnostics = ValidatorTests.validate("{ \(fields) }").diagnostics
    #expect(diagnostics.count == 300)
    #expect(diagnostics.filter { $0.help != nil }.count == 100)
  }
}
