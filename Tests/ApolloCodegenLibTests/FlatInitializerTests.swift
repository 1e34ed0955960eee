import ApolloCodegenLib
import Foundation
import Testing

@Suite("Initializers with the fields of fragments") struct FlatInitializerTests {
  /// An initializer that calls another one: its parameters, and what it does.
  private static var pattern: Regex<(Substring, parameters: Substring, body: Substring)> {
    #/init\((?<parameters>(?:[^()]|\([^()]*\))*)\) \{\s+(?<body>self\.init\([^}]*)\}/#
  }

  @Test("Every parameter is handed on, in all generated code of the fixtures")
  func parameters() throws {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
    let files = FileManager.default.enumerator(at: fixtures, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    var count = 0
    for file in files ?? [] {
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: Self.pattern) {
        for parameter in match.parameters.matches(of: #/(?:^|,)\s*(?:`?\w+`? )?`?(?<name>\w+)`?: /#) {
          count += 1
          let value = try Regex(#"\b\#(parameter.name)\b"#)
          #expect(
            match.body.contains(value), "\(file.lastPathComponent): \(parameter.name) in init(\(match.parameters))")
        }
      }
    }
    #expect(count > 100)
  }

  @Test(
    "A fragment for the cache has the initializer where local cache mutations have it",
    arguments: [true, false], ["", " @apollo_client_ios_localCacheMutation"])
  func localFragments(ofLocalCacheMutations: Bool, directive: String) throws {
    let folder = try TemporaryFolder([
      "s.graphqls": "type Query { hero: Hero } type Hero { id: ID!, name: String }",
      "Card.graphql": "fragment Card on Hero\(directive) { name ...Inner } fragment Inner on Hero { id }",
    ])
    let report = folder.generate {
      $0.rendering.flatInitializers.operations = false
      $0.rendering.flatInitializers.namedFragments = false
      $0.rendering.flatInitializers.localCacheMutations = ofLocalCacheMutations
    }
    #expect(!report.hasErrors)
    let code = try folder.text("out/Card.graphql.swift")
    #expect(code.contains(Self.pattern) == (ofLocalCacheMutations && !directive.isEmpty), "\(code)")
  }

  @Test(
    "Two fragments with different fields of one name, or with a field under two names, give no such initializer",
    arguments: [
      ("name", false), ("Name: title", true), ("Name: title name", true), ("title", false),
    ])
  func differentFields(selections: String, isMissing: Bool) throws {
    let folder = try TemporaryFolder([
      "s.graphqls": "type Query { hero: Hero } type Hero { name: String, title: String }",
      "Q.graphql": """
      query Q { hero { ...A ...B } } fragment A on Hero { name } fragment B on Hero { \(selections) }
      """,
    ])
    #expect(!folder.generate().hasErrors)
    let code = try folder.text("out/Q.graphql.swift")
    #expect(code.contains(Self.pattern) == !isMissing, "\(code)")
  }

  @Test("The fields of fragments come behind those of the object itself; with the naming of 0.x, where the fragment is")
  func order() throws {
    for (naming, expected) in [
      (RenderingOptions.Naming.standard, "name: String? = nil, age: Int? = nil, id: String, size: Int? = nil"),
      (.legacy, "size: Int? = nil, id: String, name: String? = nil, age: Int? = nil"),
    ] {
      let folder = try TemporaryFolder([
        "s.graphqls": "type Query { hero: Hero } type Hero { id: ID!, name: String, age: Int, size: Int }",
        "Q.graphql": """
        query Q { hero { ...Card name ...Size age } } fragment Card on Hero { ...Size id } fragment Size on Hero { size }
        """,
      ])
      let report = folder.generate { $0.rendering.naming = naming }
      #expect(!report.hasErrors)
      let code = try folder.text("out/Q.graphql.swift")
      #expect(code.contains("init(\(expected)"), "\(code)")
    }
  }
}
