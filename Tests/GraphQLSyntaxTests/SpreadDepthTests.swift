import Testing

@testable import GraphQLSyntax

/// Compares how deep selections nest with a walk that goes through every path.
@Suite("Depth through fragments") struct SpreadDepthTests {
  private func isTooDeep(_ text: String, _ maximum: Int) -> Bool {
    let error = Parser.parse(text).value.nestingError(deeperThan: maximum)
    if let error {
      #expect(error.code == .nestingTooDeep && error.severity == .error)
      #expect(error.message.contains("more than \(maximum) levels"))
    }
    return error != nil
  }

  @Test(
    "A level is a selection set, and a spread has those of its fragment",
    arguments: [
      ("{ a }", 1), ("{ a { b } }", 2), ("{ ... { b } }", 2), ("{ ...F } fragment F on Q { a }", 2),
      ("{ a { ...F } } fragment F on Q { a { b } }", 4), ("{ ...F a { ...F } } fragment F on Q { a }", 3),
      ("{ a } fragment F on Q { a { b { c } } }", 3), ("{ ...Unknown }", 1), ("type Q { a: Int }", 0),
      ("{ ...A } fragment A on Q { ...B } fragment B on Q { x { y } ...C } fragment C on Q { x { y { z } } }", 6),
    ])
  func depths(text: String, depth: Int) {
    #expect(!isTooDeep(text, depth))
    if depth > 0 { #expect(isTooDeep(text, depth - 1)) }
  }

  @Test("Fragments that spread each other are at least as deep as any walk through them that visits each once")
  func cycles() {
    for length in 1...6 {
      let cycle = (0..<length).map { "fragment F\($0) on Q { a { ...F\(($0 + 1) % length) } }" }.joined(separator: "\n")
      #expect(isTooDeep("{ ...F0 } \(cycle)", length * 2 - 1))
      #expect(!isTooDeep("{ ...F0 } \(cycle)", length * 2 + 2))
    }
    #expect(!isTooDeep("{ ...F } fragment F on Q { ...F }", 4))
  }

  @Test("Random documents without cycles have the depth of their deepest path")
  func random() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let count = Int.random(in: 1...8, using: &random)
      // Those that a fragment spreads have higher numbers.
      let bodies = (0..<count).map { number in
        let below = number + 1..<count
        return (0..<Int.random(in: 1...3, using: &random)).map { _ -> String in
          let inner = below.isEmpty || Bool.random() ? "x" : "...F\(Int.random(in: below, using: &random))"
          return (0..<Int.random(in: 0...2, using: &random)).reduce(inner) { text, _ in "a { \(text) }" }
        }
      }
      let text =
        "{ ...F0 }"
        + bodies.indices.map { " fragment F\($0) on Q { \(bodies[$0].joined(separator: " ")) }" }
        .joined()
      var depths = [Int](repeating: 0, count: count)
      for number in bodies.indices.reversed() {
        depths[number] =
          bodies[number].map { body in
            let levels = body.count { $0 == "{" } + 1
            guard let spread = body.firstRange(of: "...F") else { return levels }
            let target = body[spread.upperBound...].prefix { $0.isNumber }
            return levels + depths[Int(target) ?? 0]
          }.max() ?? 0
      }
      let depth = max(depths[0] + 1, depths.max() ?? 0)
      #expect(!isTooDeep(text, depth), "\(text)")
      #expect(isTooDeep(text, depth - 1), "\(text)")
    }
  }

  @Test("Components of a graph stand behind what they lead to, and long chains need no stack")
  func components() {
    let graph: [Int: [Int]] = [1: [2], 2: [3, 4], 3: [1], 4: [5, 5], 5: [], 6: [6, 5]]
    let found = ComponentFinder.components(from: [1, 6]) { graph[$0] ?? [] }.map { $0.sorted() }
    #expect(found == [[5], [4], [1, 2, 3], [6]])
    let chain = ComponentFinder.components(from: [0]) { $0 < 100_000 ? [$0 + 1] : [] }
    #expect(chain.count == 100_001 && chain.first == [100_000])
  }
}
