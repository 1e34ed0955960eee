import Foundation
import Testing

@Suite("apollo-codegen schema and generate-operation-manifest") struct SchemaCommandTests {
  static let files = [
    "old.graphqls": "type Query { a: Int, b: String } enum E { ONE TWO }",
    "new.graphqls": "type Query { a: Int!, c: [E] } enum E { ONE TWO THREE }",
  ]

  @Test("A comparison lists what breaks, and ends with status 1 if something does")
  func diff() async throws {
    let folder = try Folder(Self.files)
    let outcome = try await Tool.run(["schema", "diff", "old.graphqls", "new.graphqls"], in: folder)
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("1 breaking change:\n  "), "\(outcome.output)")
    #expect(outcome.output.contains("1 dangerous change:\n"))
    let harmless = try await Tool.run(["schema", "diff", "old.graphqls", "old.graphqls"], in: folder)
    #expect(harmless.status == 0 && harmless.output == "The schemas are the same.\n")
    let never = try await Tool.run(
      ["schema", "diff", "old.graphqls", "new.graphqls", "--fail-on", "never", "--format", "json"], in: folder)
    #expect(never.status == 0)
    let object = try JSONSerialization.jsonObject(with: Data(never.output.utf8)) as? [String: [[String: String]]]
    #expect(object?["changes"]?.contains { $0["severity"] == "breaking" && $0["coordinate"] == "Query.b" } == true)
  }

  @Test("A comparison is of what the schemas say, without what the client adds to them")
  func diffOfClientDirectives() async throws {
    let folder = try Folder([
      "old.graphqls": "type Query { a: Int }",
      "new.graphqls": "directive @cacheControl(maxAge: Int!) on OBJECT type Query { a: Int }",
    ])
    let outcome = try await Tool.run(["schema", "diff", "old.graphqls", "new.graphqls"], in: folder)
    #expect(outcome.status == 0 && outcome.output.hasPrefix("1 safe change:\n"), "\(outcome.output)")
  }

  @Test("A schema is printed without what the client adds to it")
  func print() async throws {
    let folder = try Folder([
      "s.graphqls": "type Query { a: Int } extend type Query @typePolicy(keyFields: \"a\") { b: Int }"
    ])
    let outcome = try await Tool.run(["schema", "print", "s.graphqls"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "type Query {\n  a: Int\n  b: Int\n}\n")
    let missing = try await Tool.run(["schema", "print", "none.graphqls"], in: folder)
    #expect(missing.status == 1 && missing.errors == "error: There is no file \"none.graphqls\".\n")
    try folder.write("type Query { old: Int }", to: "old.graphqls")
    let some = try await Tool.run(["schema", "print", "s.graphqls", "*.graphqls", "!old.graphqls"], in: folder)
    #expect(some.status == 0 && some.output == outcome.output, "\(some.errors)")
  }

  @Test("The manifest alone is written where it should be")
  func manifest() async throws {
    let folder = try Folder(Sample.files)
    let input = ["--schema", "schema.graphqls", "--operations", "*.graphql"]
    let outcome = try await Tool.run(["generate-operation-manifest", "--output", "m.json"] + input, in: folder)
    #expect(outcome.status == 0 && outcome.errors == "✓ 1 operation → m.json\n")
    #expect(folder.text("m.json")?.contains("apollo-persisted-query-manifest") == true)
    #expect(folder.files == ["Hero.graphql", "m.json", "schema.graphqls"])
    let legacy = ["generate-operation-manifest", "--output", "m.json", "--manifest-version", "legacy"]
    _ = try await Tool.run(legacy + input, in: folder)
    #expect(folder.text("m.json")?.contains("\"source\"") == true)
    let nowhere = try await Tool.run(["generate-operation-manifest"] + input, in: folder)
    #expect(nowhere.status == 1 && nowhere.errors.contains("does not say where the manifest goes"))
  }
}
