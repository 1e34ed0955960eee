import ApolloCodegenLib
import Testing

/// The structs for the members that an object has under a condition. Other members are found in the object, by name.
@Suite("Parts under a condition") struct ConditionalPartTests {
  /// The code for a schema and a document.
  private static func code(schema: String, _ document: String) throws -> String {
    let folder = try TemporaryFolder(["s.graphqls": schema, "Q.graphql": document])
    let report = folder.generate()
    #expect(report.errors(in: folder) == "")
    return try folder.text("out/Q.graphql.swift")
  }

  private static let user = "type Query { user: User } type User { id: ID!, name: String, fragments: [String!] }"

  /// The declaration of a part, up to its last member.
  private static func part(_ name: String, in code: String) throws -> Substring {
    let start = try #require(code.firstRange(of: "struct \(name):")).lowerBound
    let end = try #require(code[start...].firstRange(of: "subscript<")).lowerBound
    return code[start..<end]
  }

  @Test(
    "A part has the members of the object whose names it has itself",
    arguments: [
      ("hash: String!", "hash", "var hash: String { __whole.hash }"),
      ("hash: String! @deprecated", "hash", "var hash: String { __whole.__hash }"),
      ("fragments: String!", "fragments", "var fragments: String { __whole.fragments }"),
      ("hash: String!", "...Hashed", "var hash: String { __whole.hash }"),
    ])
  func ownNames(field: String, selection: String, expected: String) throws {
    let code = try Self.code(
      schema: "type Query { tx: Tx } type Tx { \(field), gas: Int! }",
      "query Q($full: Boolean!) { tx { \(selection) ... @include(if: $full) { gas } } }"
        + (selection == "...Hashed" ? " fragment Hashed on Tx { hash }" : ""))
    #expect(try Self.part("IfFull", in: code).contains(expected), "\(code)")
  }

  @Test("A part declares nothing that is found in the object")
  func otherNames() throws {
    let code = try Self.code(
      schema: "type Query { tx: Tx } type Tx { hash: String!, size: Int, gas: Int! }",
      "query Q($full: Boolean!) { tx { size ... @include(if: $full) { hash gas } } }")
    let part = try Self.part("IfFull", in: code)
    #expect(part.contains("let hash: String\n") && !part.contains("var "), "\(part)")
  }

  @Test("A part whose fragment has a field `fragments` has the field")
  func fieldOfFragment() throws {
    let code = try Self.code(
      schema: Self.user,
      """
      query Q($a: Boolean!) { user { name ...Name ...Extra @include(if: $a) } }
      fragment Name on User { id }
      fragment Extra on User { fragments }
      """)
    let part = try Self.part("IfA", in: code)
    #expect(part.contains("var fragments: [String]? { extra.fragments }"), "\(part)")
    #expect(part.ranges(of: "var fragments:").count == 1 && !part.contains("Fragments("), "\(part)")
    #expect(code.contains("get { Fragments(__whole: self) }"))
  }

  @Test("A name of the object means the same in a part, also where a fragment of the part has the name")
  func nameOfObject() throws {
    let code = try Self.code(
      schema: Self.user,
      """
      query Q($a: Boolean!) { user { id ...A ...Outer @include(if: $a) } }
      fragment A on User { inner: name }
      fragment Outer on User { id ...Inner }
      fragment Inner on User { id }
      """)
    let part = try Self.part("IfA", in: code)
    #expect(!part.contains("var inner: Inner { outer.inner }"), "\(part)")
    #expect(part.contains("var inner: Inner { __part.outer.inner }"), "\(part)")
  }

  @Test(
    "A fragment of two fragments is behind `fragments` whenever one of them has it",
    arguments: [
      ("@include(if: $x)", "", "get { __whole.b.name }", "set { __whole.b.name = newValue }"),
      ("", "@include(if: $x)", "get { __whole.a.name }", "set { __whole.a.name = newValue }"),
      (
        "@include(if: $x)", "@include(if: $y)", "get { __whole.a.name ?? __whole.b.name }",
        "if newValue == nil { __whole.b.name = nil }"
      ),
    ])
  func severalConditions(first: String, second: String, getter: String, setter: String) throws {
    let code = try Self.code(
      schema: Self.user,
      """
      query Q($x: Boolean!, $y: Boolean!) { user { name @include(if: $x) id @skip(if: $y) ...A ...B } }
      fragment A on User { id ...Name \(first) }
      fragment B on User { id ...Name \(second) }
      fragment Name on User { id }
      """)
    #expect(code.contains(getter) && code.contains(setter), "\(code)")
  }

  @Test("The stored property of a deprecated field is not called like a member that the generated code has itself")
  func deprecatedFields() throws {
    let code = try Self.code(
      schema: "type Query { part: Part } type Part { whole: Float! @deprecated, data: String @deprecated }",
      "query Q($a: Boolean!) { part { data whole @include(if: $a) ... @include(if: $a) { whole } } }")
    #expect(code.ranges(of: "let __whole:").count == 1 && code.contains("let ___whole: Double"), "\(code)")
    #expect(code.contains("var ___data: String?") && !code.contains("var __data:"), "\(code)")
  }
}
