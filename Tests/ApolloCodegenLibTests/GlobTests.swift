import Foundation
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

  @Test(
    "A set stands for one character",
    arguments: [
      ("[A-M]*.graphql", "/Hero.graphql", true), ("[A-M]*.graphql", "/Search.graphql", false),
      ("[!A-M]*", "/Search", true), ("[^A-M]*", "/Hero", false), ("a[xy]b", "/axb", true), ("a[xy]b", "/axyb", false),
      ("a[]x]", "/a]", true), ("a[x-]", "/a-", true), (#"a[\]x]"#, "/a]", true), ("a[z-a]", "/am", false),
      ("a[b", "/a[b", true), (#"a\[b]"#, "/a[b]", true), ("[.]a", "/.a", false), ("![.]a", "/.a", true),
    ])
  func sets(pattern: String, path: String, matches: Bool) {
    #expect(Glob(pattern, base: "/").matches(path) == matches)
  }

  @Test(
    "Braces stand for each of their alternatives",
    arguments: [
      ("**/*.{graphql,gql}", ["**/*.graphql", "**/*.gql"]), ("!{a,b/{c,d}}/*", ["!a/*", "!b/c/*", "!b/d/*"]),
      ("{a,b}{1,2}", ["a1", "a2", "b1", "b2"]), ("a{b}{,c}", ["ab", "abc"]), (#"\{a,b}"#, [#"\{a,b}"#]),
      (#"{a\,b,c}"#, [#"a\,b"#, "c"]), ("{a,b", ["{a,b"]), ("a,b}", ["a,b}"]),
    ])
  func braces(pattern: String, expected: [String]) { #expect(Glob.expanded(pattern) == expected) }

  @Test("The folder of the user is what the environment says")
  func home() {
    let home = ProcessInfo.processInfo.environment["HOME"].map(Glob.escaped) ?? "~"
    #expect(Glob.expanded("~/a.{b,c}") == [home + "/a.b", home + "/a.c"])
    #expect(Glob.expanded("!~/a") == ["!" + home + "/a"])
    #expect(Glob.expanded("a/~/b") == ["a/~/b"] && Glob.expanded("~a") == ["~a"])
  }

  @Test("A search finds all alternatives of a pattern; the name of a folder has none")
  func search() throws {
    let name = "a{b,c}[d]", files = ["A.graphql", "B.gql", "Old.gql", "{x,y}.graphql"]
    let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files.map { ("\(name)/\($0)", "") }))
    let base = folder.url.path + "/" + name
    var finder = FileSearch(base: base)
    func found(_ patterns: String...) -> [String] {
      finder.files(matching: patterns).map { String($0.dropFirst(base.count + 1)) }
    }
    #expect(found("[A-Z]*.{graphql,gql}", "!{Old,New}.*") == ["A.graphql", "B.gql"])
    #expect(found("{A.graphql,B.gql}") == ["A.graphql", "B.gql"])
    #expect(found("{x,y}.graphql") == ["{x,y}.graphql"], "There is a file of this very name.")
    #expect(
      finder.missing(of: ["{A,X}.graphql", "{X,Y}.graphql", "[X]", "[A]*", "!{X,Y}"]) == ["{X,Y}.graphql", "[X]"])
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
