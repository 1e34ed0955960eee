import ApolloCodegenLib
import GraphQLSyntax
import Testing

/// `@catch`, `@catchByDefault`, `@semanticNonNull` and `@required`: what is wrong with them, and what is sent of them. The
/// cases of Apollo Kotlin's fixtures for its validation are among them.
@Suite("Nulls and errors, in schema and documents") struct CatchRuleTests {
  static let types = """
    type Query { user: User, users: [[User]], name: String!, tags: [String] }
    type User implements Node { id: ID!, name: String, friend: User, age: Int }
    interface Node { id: ID! }

    """
  static let optIn = "extend schema @catchByDefault(to: NULL)\n"
  static let link = """
    extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4", import: ["@catch", "@catchByDefault"])

    """

  static func diagnostics(_ document: String, _ extensions: String = optIn) -> [Diagnostic] {
    Pipeline.generate(
      schema: [Source(types, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source(document, name: "Q.graphql")], configuration: ApolloCodegenConfiguration()
    ).diagnostics.filter { $0.severity != .note }
  }

  private static func code(_ document: String, _ extensions: String = optIn) throws -> String {
    let code = Pipeline.generate(
      schema: [Source(types, name: "schema.graphqls"), Source(extensions, name: "more.graphqls")],
      operations: [Source(document, name: "Q.graphql")], configuration: ApolloCodegenConfiguration())
    let text = try #require(code.value, "\(code.diagnostics.map(\.fullMessage))")
    return text.documents.map(\.file.text).joined() + text.schema.text
  }

  @Test(
    "A document that contradicts itself, or has no effect, is an error at the place",
    arguments: [
      // Kotlin: catch/different-catch, -nested, -in-fragment.
      ("query Q { user { name @catch name } }", "conflicting-catch", 2),
      ("query Q { user { name @catch(to: NULL) name @catch(to: THROW) } }", "conflicting-catch", 2),
      ("query Q { user { name @catch ...F } } fragment F on User { name }", "conflicting-catch", 2),
      (
        "query Q { user { friend { name } ...F } } fragment F on User { friend { name @catch } }", "conflicting-catch",
        4
      ),
      (
        "query Q { user { name ...F } } fragment F on User @catchByDefault(to: RESULT) { name }", "conflicting-catch", 2
      ),
      ("query Q { user { name @required(action: NONE) ...F } } fragment F on User { name }", "conflicting-catch", 2),
      // Kotlin: catch/negative-level, -level-too-deep, -repeated.
      ("query Q { users @catch(levels: [-1]) { id } }", "invalid-catch", 1),
      ("query Q { users @catch(levels: [3]) { id } }", "invalid-catch", 1),
      ("query Q { users @catch(levels: [99999999999999999999]) { id } }", "invalid-catch", 1),
      ("query Q { user { name @catch(levels: [1]) } }", "invalid-catch", 1),
      ("query Q { user { name @catch @catch } }", "unique-directives", 1),
      ("query Q @catchByDefault(to: NULL) @catchByDefault(to: THROW) { user { name } }", "unique-directives", 1),
      ("query Q { user { name @catch(to: NOTHING) } }", "values-of-correct-type", 1),
      (
        "query Q { user @catch(to: THROW) { name } } query R @catchByDefault { user { name } }",
        "provided-required-arguments", 1
      ),
      ("query Q @throwOnFieldError @catchByDefault(to: NULL) { user { name } }", "invalid-catch", 2),
      ("query Q { user { name @required(action: NONE) @catch(to: RESULT) } }", "invalid-catch", 2),
      ("query Q { name @required(action: LOG) }", "invalid-catch", 1),
      ("query Q { user { name @required } }", "provided-required-arguments", 1),
    ])
  func documents(_ document: String, _ code: String, _ places: Int) {
    let found = Self.diagnostics(document)
    #expect(!found.isEmpty, "\(document)")
    for diagnostic in found {
      let isOfCode = diagnostic.code.rawValue == code || code.contains("-") && diagnostic.severity == .error
      #expect(isOfCode, "\(document): \(diagnostic.code.rawValue): \(diagnostic.message)")
      #expect(diagnostic.span.source != .none)
    }
    if code.hasSuffix("catch") {
      #expect(found.first?.code.rawValue == code, "\(document)")
      #expect(1 + (found.first?.labels.count ?? 0) >= places, "\(document)")
    }
  }

  @Test("Equal selections merge, and so do those that mean the same")
  func fine() {
    for document in [
      "query Q { user { name @catch name @catch(to: RESULT, levels: [0]) ...F } } fragment F on User { name @catch }",
      "query Q { user { name @catch(to: NULL) ...F } } fragment F on User { name }",
      "query Q { a: user { name @catch } b: user { name } }",
      "query Q @catchByDefault(to: THROW) { user { ...F } } fragment F on User @catchByDefault(to: NULL) { name }",
      "query Q { users @catch(to: THROW, levels: [0, 1, 2]) { id } }",
    ] { #expect(Self.diagnostics(document).map(\.fullMessage) == []) }
  }

  @Test("A schema has to opt in")
  func optIn() {
    for document in ["query Q { user { name @catch } }", "query Q @catchByDefault(to: NULL) { user { name } }"] {
      let found = Self.diagnostics(document, "")
      #expect(found.map(\.code.rawValue) == ["invalid-catch"])
      #expect(found.first?.help?.contains("extend schema @catchByDefault(to: NULL)") == true)
    }
    #expect(Self.diagnostics("query Q @throwOnFieldError { user { name @required(action: NONE) } }", "").isEmpty)
  }

  @Test(
    "A schema that names what is not there is an error at the place",
    arguments: [
      "extend schema @catchByDefault(to: NOTHING)",
      "extend schema @catchByDefault(to: NULL) @catchByDefault(to: THROW)",
      "extend type User @semanticNonNullField(name: \"nme\")",
      "extend type User @semanticNonNullField(name: \"name\", levels: [1])",
      "extend type User @semanticNonNullField(name: \"name\") @semanticNonNullField(name: \"name\", levels: [0])",
    ])
  func schemas(_ extensions: String) {
    let found = Self.diagnostics(
      "query Q { user { name } }", extensions.contains("schema") ? extensions : Self.optIn + extensions)
    #expect(found.contains { $0.severity == .error || $0.severity == .warning }, "\(extensions)")
    #expect(found.allSatisfy { $0.span.source != .none })
  }

  @Test("Without an opt-in, what a schema says of nulls changes nothing")
  func sameBytes() throws {
    let document = "query Q { user { name friend { name } } tags }"
    let plain = try Self.code(document, "")
    let annotated = try Self.code(
      document, "extend type User @semanticNonNullField(name: \"name\") @semanticNonNullField(name: \"friend\")")
    #expect(annotated == plain)
    #expect(try Self.code(document) == plain, "nulls that become nil are what they were")
    #expect(!plain.contains("version: 5"))
  }

  @Test("A required field is not a result, whatever is said of other fields", arguments: ["RESULT", "NULL", "THROW"])
  func required(target: String) throws {
    let fields = "{ name @required(action: THROW) friend @required(action: NONE) { age @required(action: LOG) } }"
    let inSchema = "extend schema @catchByDefault(to: \(target))\n"
    for (document, extensions) in [
      ("query Q { user \(fields) }", inSchema),
      ("query Q @catchByDefault(to: \(target)) { user \(fields) }", Self.optIn),
      ("query Q { user { ...F } } fragment F on User @catchByDefault(to: \(target)) \(fields)", Self.optIn),
    ] {
      for semantics in ["", "extend type User @semanticNonNullField(name: \"name\")"] {
        let code = try Self.code(document, extensions + semantics)
        for property in ["name: String", "friend: Friend", "age: Int"] {
          #expect(code.contains("var \(property)\n"), "\(document)")
        }
      }
    }
    // Two that require a field mean the same.
    let both = "query Q @catchByDefault(to: \(target)) { user { name @required(action: NONE) ...F } }"
    #expect(Self.diagnostics(both + " fragment F on User { name @required(action: NONE) }") == [])
  }

  @Test("The directives are not sent, whatever the schema calls them")
  func sent() throws {
    let renamed = """
      extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4", \
      import: [{ name: "@catch", as: "@try" }, { name: "@catchByDefault", as: "@tryByDefault" }, "@semanticNonNullField"]) \
      @tryByDefault(to: NULL)
      extend type User @semanticNonNullField(name: "name")
      """
    let text = try Self.code(
      "query Q @tryByDefault(to: THROW) { user @try(to: NULL) { name friend @try { age @required(action: LOG) } } }",
      renamed)
    #expect(text.contains("query Q { user { __typename name friend { __typename age } } }"))
    #expect(text.contains("var friend: FieldResult<Friend?>") && text.contains("var name: String\n"))
    let prefixed = """
      extend schema @link(url: "https://specs.apollo.dev/nullability/v0.4") @nullability__catchByDefault(to: THROW)
      """
    let other = try Self.code("query Q { user { name @nullability__catch } }", prefixed)
    #expect(other.contains("query Q { user { __typename name } }") && other.contains("FieldResult<String?>"))
  }

  @Test("A type or a field that is called like a result gets another name, where there are results")
  func names() throws {
    let schema = "extend type User { fieldResult: User, kind: FieldResult }\nenum FieldResult { A }\n"
    let document = "query Q { user { fieldResult { id } kind name @catch } }"
    let text = try Self.code(document, schema + Self.optIn)
    #expect(text.contains("enum FieldResult_Enum") && text.contains("var fieldResult: FieldResult_SelectionSet?"))
    #expect(text.contains("var name: FieldResult<String?>"))
    let plain = try Self.code("query Q { user { fieldResult { id } kind } }", schema)
    #expect(plain.contains("enum FieldResult:") && plain.contains("struct FieldResult_SelectionSet"))
  }

  @Test("A directive of the server with such a name is sent as it is")
  func ofServer() throws {
    let own = "directive @required(action: String) on FIELD\ndirective @catch on FIELD\n"
    let text = try Self.code("query Q { user { name @required(action: \"a\") age @catch } }", own)
    #expect(text.contains(##"name @required(action: \"a\") age @catch"##))
    #expect(text.contains("var name: String?"))
  }
}
