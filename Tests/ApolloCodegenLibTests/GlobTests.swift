import Testing

@testable import ApolloCodegenLib

@Suite("Patterns for paths") struct GlobTests {
  /// Tries everything that a star may stand for.
  private func naive(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == "*" { return naive(pattern.dropFirst(), name) || (!name.isEmpty && naive(pattern, name.dropFirst())) }
    guard let next = name.first, first == "?" || first == next else { return false }
    return naive(pattern.dropFirst(), name.dropFirst())
  }

  private func naive(_ pattern: ArraySlice<Substring>, _ path: ArraySlice<Substring>) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == "**" { return naive(pattern.dropFirst(), path) || (!path.isEmpty && naive(pattern, path.dropFirst())) }
    guard let next = path.first, naive(Array(first)[...], Array(next)[...]) else { return false }
    return naive(pattern.dropFirst(), path.dropFirst())
  }

  @Test("They match as if everything was tried")
  func random() {
    func text(_ letters: [String], _ count: ClosedRange<Int>) -> String {
      (0..<Int.random(in: count)).map { _ in letters.randomElement() ?? "" }.joined()
    }
    var matches = 0
    for _ in 0..<20_000 {
      let pattern = "/x/" + text(["a", "b", "*", "*", "?", "/", "/**/"], 1...8),
        path = "/x/" + text(["a", "b", "a/"], 1...7)
      let expected = naive(pattern.split(separator: "/")[...], path.split(separator: "/")[...])
      #expect(Glob(pattern, base: "/").matches(path) == expected, "\(pattern) \(path)")
      matches += expected ? 1 : 0
    }
    #expect(matches > 500)
  }

  @Test(
    "The same letters match, in whichever way Unicode writes them",
    arguments: [
      ("*.K", "/a.\u{212A}", true), ("*é.graphql", "/e\u{301}.graphql", true), ("*e", "/e\u{301}", false),
      ("*.graphql", "/a.Graphql", false), ("*.graphql", "/graphql", false), ("*.g\\*", "/a.g*", true),
    ])
  func letters(pattern: String, path: String, matches: Bool) {
    #expect(Glob(pattern, base: "/").matches(path) == matches)
  }

  @Test("Many stars cost no more than few")
  func stars() {
    // (If everything was tried, this would not end.)
    let stars = String(repeating: "*a", count: 40) + "*b*"
    #expect(!Glob("/g/" + stars, base: "/").matches("/g/" + String(repeating: "a", count: 2_000)))
    let folders = String(repeating: "**/a/", count: 40) + "b*"
    #expect(!Glob("/" + folders, base: "/").matches("/" + String(repeating: "a/", count: 2_000) + "c"))
  }
}
