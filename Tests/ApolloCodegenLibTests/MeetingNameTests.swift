import ApolloCodegenLib
import ApolloSwiftRenderer
import Testing

/// Names of different things that meet in one place of the generated code, which would not compile with both.
@Suite("Names that meet") struct MeetingNameTests {
  private static let schema = """
    type Query { hero: Character, user: User }
    interface Character { id: ID!, name: String!, friends: [Droid!] }
    type Droid implements Character { id: ID!, name: String!, friends: [Droid!], fn: String, number: Int, _f1: String }
    type Human implements Character { id: ID!, name: String!, friends: [Droid!] }
    type User { id: ID!, name: String, friend: User }
    """

  /// The code for the schema and for a document.
  private static func code(
    schema: String = schema, _ document: String, change: (inout ApolloCodegenConfiguration) -> Void = { _ in }
  ) throws -> String {
    let folder = try TemporaryFolder(["s.graphqls": schema, "Q.graphql": document])
    let report = folder.generate(change)
    #expect(report.errors(in: folder) == "")
    return try folder.text("out/Schema.graphql.swift") + folder.text("out/Q.graphql.swift")
  }

  @Test("A fragment with the name of a field in it names the field's type without its own name")
  func fragmentAndField() throws {
    let code = try Self.code(
      """
      query Q { user { id } }
      fragment Friend on User { ...Name friend { id } }
      fragment Name on User { id name }
      """)
    #expect(code.ranges(of: "friend: Friend? = nil").count == 2, "\(code)")
    #expect(!code.contains("friend: Friend.Friend"))
  }

  @Test(
    "A field in a type case of a fragment does not hide the struct of the fragment, where that stands in no namespace",
    arguments: [false, true])
  func fragmentAroundTypeCase(hasNamespace: Bool) throws {
    let folder = try TemporaryFolder([
      "s.graphqls": Self.schema + "extend type User { hero: Character } extend type Droid { friend: User, boss: User }",
      "Q.graphql": """
      query Q { user { id } }
      fragment Boss on User { name hero { friends { id } ... on Droid { boss { name } } } }
      """,
    ])
    let report = folder.generate {
      if hasNamespace { $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .internal) }
    }
    #expect(report.errors(in: folder) == "")
    let file = try #require(folder.files.first { $0.hasSuffix("Q.graphql.swift") }), code = try folder.text(file)
    #expect(code.contains("struct Boss_SelectionSet:") == !hasNamespace, "\(code)")
    let other = try Self.code(
      "query Q { user { id } } fragment User on Character { id ... on Droid { friends { id } } }")
    #expect(!other.contains("_SelectionSet"), "\(other)")
  }

  @Test("A struct is called like its field, whatever types other objects of the operation mention")
  func distantTypes() throws {
    let schema = """
      type Query { user: User, kind: Kind } type User { role: Info } type Info { name: String }
      type Kind { role: Role, info: Info } enum Role { A }
      """
    let code = try Self.code(schema: schema, "query Q { user { role { name } } kind { role info { name } } }")
    #expect(code.contains("struct Role:") && code.contains("role: GraphQLEnum<Role>?"), "\(code)")
  }

  @Test("A field of a fragment has its name before a fragment that is called like it, and `fragments` has the fragment")
  func fragmentLikeField() throws {
    let code = try Self.code(
      """
      query Q { user { id ...Friend ...Name } }
      fragment Friend on User { friend { id } }
      fragment Name on User { name }
      """)
    for line in [
      "var friend: Friend.Friend? {", "var friendFragment: Friend", "var name: String? {", "var nameFragment: Name",
      "var fragments: Fragments {", "get { __whole.friendFragment }", "set { __whole.nameFragment = newValue }",
    ] { #expect(code.contains(line), "\(line): \(code)") }
    for (document, lines) in [
      (
        "query Q { user { ...Name name } } fragment Name on User { id }",
        ["var name: String?", "var nameFragment: Name"]
      ),
      (
        """
        query Q($a: Boolean!) { user { ...Outer ...Name } }
        fragment Outer on User { id ...Name @include(if: $a) } fragment Name on User { name }
        """, ["var name: String? {", "get { __whole.nameFragment }"]
      ),
      (
        """
        query Q { hero { id ...Card ...Fn } } fragment Card on Character { name ... on Droid { fn } }
        fragment Fn on Droid { id number }
        """, ["var fnFragment: Fn?", "var fn: Fn? {"]
      ),
      (
        "query Q { user { ...Card ...Name @defer(label: \"n\") } } fragment Card on User { name } fragment Name on User { id }",
        [
          "var name: String? {", "var nameFragment: DeferredFragment<Name>", "get { __whole.nameFragment }",
          "get { __whole.card }",
        ]
      ),
      ("query Q { user { ...Name @alias(as: \"info\") name } } fragment Name on User { id }", ["var info: Name"]),
      (
        "query Q { user { id ...Outer } } fragment Outer on User { id ...Name } fragment Name on User { name }",
        ["var nameFragment: Name", "get { __whole.outer.fragments.name }"]
      ),
      (
        """
        query Q($a: Boolean!) { user { id ...Outer @include(if: $a) } }
        fragment Outer on User { id ...Name } fragment Name on User { name }
        """, ["var nameFragment: Name", "var name: Name { __part.outer.fragments.name }"]
      ),
      (
        """
        query Q($x: Boolean!) { user { name ...Name ...A ...B } } fragment Name on User { id }
        fragment A on User { id ...Inner @include(if: $x) } fragment B on User { id ...Inner }
        fragment Inner on User { id }
        """,
        [
          "var inner: Inner { get { __whole.inner } set { __whole.inner = newValue } }",
          "get { __whole.nameFragment }",
        ]
      ),
      (
        "query Q($a: Boolean!) { user { id ...Name @include(if: $a) } } fragment Name on User { name }",
        ["var nameFragment: Name?", "var name: String? {", "var name: Name { __part.nameFragment }"]
      ),
      (
        "query Q($a: Boolean!) { user { name ...Name @include(if: $a) } } fragment Name on User { id }",
        ["var nameFragment: Name?", "var name: Name { __part.nameFragment }"]
      ),
      (
        "query Q { hero { id ...Name ... on Droid { name } } } fragment Name on Character { id }",
        ["var nameFragment: Name", "var name: String\n"]
      ),
      ("query Q { user { ..._1 } } fragment _1 on User { id }", ["var _1Fragment: _1"]),
    ] {
      let code = try Self.code(document)
      for line in lines { #expect(code.contains(line), "\(line): \(code)") }
      #expect(
        code.contains("Fragments(") == lines.contains { $0.contains("nameFragment") || $0.contains("fnFragment") },
        "\(code)")
    }
    let merging = try Self.code("query Q { user { id ...Name } } fragment Name on User { name }") {
      $0.rendering.mergesNamedFragments = false
    }
    #expect(merging.contains("var name: Name") && !merging.contains("Fragments"))
  }

  @Test(
    "A fragment under a condition has one property for each name, also if conditions inside of it have equal names",
    arguments: [
      ("... on Droid @include(if: $a) { name ...F @include(if: $a) }", "asDroidIfA: AsDroid?", nil),
      ("... on Droid @include(if: $a) { name ... @include(if: $a) { fn } }", "asDroidIfA: AsDroid?", nil),
      ("... on Droid @skip(if: $a) { name ...F @include(if: $notA) }", "asDroidIfNotA: AsDroid?", nil),
      (
        "... on Droid { name ...F @include(if: $a) ... @include(if: $A) { number } }", "asDroidIfA: AsDroid.IfA?",
        "asDroidIfA2: AsDroid.IfA2?"
      ),
      ("...G ... on Droid @include(if: $a) { fn }", "asDroidIfA: AsDroid?", nil),
    ])
  func conditions(selections: String, property: String, second: String?) throws {
    let code = try Self.code(
      """
      query Q($a: Boolean!, $A: Boolean!, $notA: Boolean!) {
        hero { \(selections) }
        user { id @include(if: $a) name @include(if: $A) friend @include(if: $notA) { id } }
      }
      fragment F on Droid { fn }
      fragment G on Character { asDroidIfAs: friends { id } }
      """)
    for property in [property, second].compactMap({ $0 }) {
      let parts = property.split(separator: ":"), type = parts[1].dropFirst().dropLast()
      #expect(code.contains("var \(property) { asDroid"), "\(code)")
      #expect(code.ranges(of: "var \(parts[0]):").count == 1, "\(code)")
      let alias = "typealias A\(parts[0].dropFirst())"
      #expect(code.contains("\(alias) = \(type)\n"), "\(code)")
    }
    let end = try #require(code.firstRange(of: "struct AsDroid:")).lowerBound
    let aliases = code[..<end].matches(of: #/typealias (\w+) = /#).map { String($0.1) }
    #expect(Set(aliases).count == aliases.count, "\(aliases)")
  }

  @Test("A field of an inline fragment does not have the name of one that is read from a fragment around it")
  func inheritedForwarders() throws {
    let code = try Self.code(
      """
      query Q { hero { ...F name id ... on Droid { Name: fn ID: number } } }
      fragment F on Character { name id }
      """)
    #expect(code.contains("var name_: String?") && code.contains("var id_: Int?"), "\(code)")
    // In the fragment, in the hero and in the inline fragment.
    #expect(code.ranges(of: "var name: ").count == 3 && code.ranges(of: "var id: ").count == 3, "\(code)")
  }

  @Test("A field of an inline fragment does not have the name of the stored property of a fragment around it")
  func inheritedStorage() throws {
    let code = try Self.code(
      """
      query Q { hero { ...F1 ... on Droid { ...F2 _f1 } } }
      fragment F1 on Character { name }
      fragment F2 on Droid { name fn }
      """)
    #expect(code.ranges(of: "private var _f1: F1").count == 1 && code.contains("var _f1_: String?"), "\(code)")
    #expect(!code.contains("var _f1: String"))
  }

  @Test("An input object that is compared by its text may have a field of any name, and may be an enum")
  func comparedText() throws {
    let code = try Self.code(
      schema: """
        type Query { a(in: In, one: One): Int }
        scalar JSON
        input In { json: JSON, writer: Int }
        input One @oneOf { json: JSON, text: String }
        """,
      "query Q($in: In, $one: One) { a(in: $in, one: $one) }"
    ) { $0.rendering.customScalars["JSON"] = .init(type: "AnyJSON", isHashable: false) }
    #expect(code.contains("extension In: InputObject, __MemberwiseHashable {"), "\(code)")
    #expect(code.contains("extension One: OneOfInputObject, __MemberwiseHashable {"), "\(code)")
    #expect(code.ranges(of: "var json: ").count == 1 && code.ranges(of: "private var __json: String {").count == 2)
    #expect(code.ranges(of: "-> Bool { __json == other.__json }").count == 2)
  }

  @Test("An object whose id cannot be hashed is not told apart by it", arguments: ["id", "...F", "... on User { id }"])
  func unhashableID(selections: String) throws {
    func code(isHashable: Bool) throws -> String {
      try Self.code(
        "query Q { user { name \(selections) } } fragment F on User { id }"
      ) { $0.rendering.customScalars["ID"] = .init(type: "AnyID", isHashable: isHashable) }
    }
    let hashed = try code(isHashable: true), others = try code(isHashable: false)
    #expect(hashed.contains("struct User: Sendable, Hashable, Identifiable {"), "\(hashed)")
    #expect(others.contains("struct User: Sendable {") && !others.contains("Identifiable"), "\(others)")
    #expect(!others.contains("Hashable"))
  }

  @Test("An input object with @oneOf whose values can be compared leaves that to the compiler")
  func comparedEnum() throws {
    let code = try Self.code(
      schema: "type Query { a(one: One): Int } input One @oneOf { number: Int, text: String }",
      "query Q($one: One) { a(one: $one) }")
    #expect(code.contains("extension One: OneOfInputObject {"), "\(code)")
  }

  @Test(
    "The name that the configuration gives a type stays, unless Swift reads another thing where it is mentioned",
    arguments: [
      ("self", "Self_Enum"), ("default", "Default"), ("in", "In"), ("any", "Any_Enum"), ("some", "Some"),
      ("kind", "kind"), ("_default", "_default"),
    ])
  func configuredTypes(name: String, expected: String) throws {
    let code = try Self.code(
      schema: "type Query { a(kind: Kind): Int } enum Kind { A }", "query Q($kind: Kind) { a(kind: $kind) }"
    ) { $0.rendering.customTypeNames["Kind"] = .init(name: name) }
    #expect(code.contains("enum \(expected): String, EnumType {"), "\(code)")
    #expect(code.contains("GraphQLNullable<GraphQLEnum<\(expected)>>"), "\(code)")
  }

  @Test(
    "A fragment that is called like an accessor is read through self, because a property's body would begin with it",
    arguments: ["get", "set", "willSet", "didSet", "_read", "_modify", "borrow", "mutate", "yielding"])
  func accessors(name: String) throws {
    let code = try Self.code(
      """
      query Inside($a: Boolean!) { user { id ...\(name) } }
      query Around($a: Boolean!) { user { ...\(name) @include(if: $a) } }
      fragment \(name) on User { id ... @include(if: $a) { name } }
      """)
    #expect(code.contains("{ self.\(name).ifA }") && code.contains("{ self.\(name).id }"), "\(code)")
    #expect(!code.contains("{ \(name)."), "\(code)")
  }

  @Test(
    "A type is not called like a member of every operation, which would hide it",
    arguments: ["Data", "ResponseFormat", "Variables"])
  func membersOfOperations(name: String) throws {
    let code = try Self.code(
      schema: "type Query { a(kind: \(name)): \(name) } enum \(name) { A }",
      "query Q($kind: \(name)) { a(kind: $kind) }")
    #expect(code.contains("enum \(name)_Enum: String, EnumType {"), "\(code)")
    #expect(code.contains("GraphQLNullable<GraphQLEnum<\(name)_Enum>>"), "\(code)")
  }

  @Test("Input objects and fragments are made where a member of the operation would have their name")
  func madeInOperations() throws {
    let code = try Self.code(
      schema: "type Query { a(v: Variables): Int, user: User } input Variables { a: Int } type User { id: ID! }",
      """
      query Q($v: Variables = { a: 1 }) { a(v: $v) user { ...variables } }
      fragment variables on User { id }
      """)
    #expect(code.contains(" = .some(Variables_InputObject(a: "), "\(code)")
    #expect(code.contains("self.init(variables: Variables_Fragment(id: id))"), "\(code)")
  }

  @Test("A case that has the name of a metatype can be the default of a parameter", arguments: ["Type", "Protocol"])
  func metatypes(name: String) throws {
    let code = try Self.code(
      schema: """
        type Query { a(kind: Kind, kinds: [Kind!], in: In): Int }
        enum Kind { A \(name) }
        input In { kind: Kind }
        """,
      """
      query Q($kind: Kind = \(name), $kinds: [Kind!] = [A, \(name)], $in: In = { kind: \(name) }) {
        a(kind: $kind, kinds: $kinds, in: $in)
      }
      """
    ) {
      $0.rendering.naming = .legacy
      $0.rendering.convertsEnumCases = false
    }
    for value in [
      "kind: Kind? = .`\(name)` as Kind", "kinds: [Kind]? = [Kind.A, .`\(name)` as Kind]",
      "In? = In(kind: .`\(name)` as Kind)",
    ] {
      #expect(code.contains(value), "\(code)")
    }
  }
}
