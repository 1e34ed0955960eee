import ApolloCodegenLib
import GraphQLSyntax
import Testing

@Suite("Types of scalars in a schema's extension") struct MappedScalarTests {
  static let schema = "type Query { at: DateTime, plain: Plain } scalar DateTime scalar Plain"

  private static func code(
    _ extensions: String, change: (inout ApolloCodegenConfiguration) -> Void = { _ in }
  ) throws -> (String, [Diagnostic]) {
    let folder = try TemporaryFolder([
      "s.graphqls": schema, "e.graphqls": extensions, "A.graphql": "query A { at plain }",
    ])
    let report = folder.generate { configuration in
      configuration.output.moduleType = .sameModule(accessLevel: .internal)
      change(&configuration)
    }
    return ((try? folder.text("out/Schema.graphql.swift")) ?? "", report.diagnostics)
  }

  @Test("@map gives a scalar its type, and imports the module")
  func maps() throws {
    let (code, diagnostics) = try Self.code(#"extend scalar DateTime @map(to: "Date", module: "Foundation")"#)
    #expect(diagnostics == [])
    #expect(code.contains("typealias DateTime = Foundation.Date") && code.contains("typealias Plain = String"))
    #expect(code.contains("import Foundation"))
  }

  @Test(
    "A module stands before a type that is a name, and not before others",
    arguments: [
      ("Date", "Foundation.Date"), ("Foundation.Date", "Foundation.Date"),
      ("FoundationDate", "Foundation.FoundationDate"), ("[Date]", "[Date]"), ("[String: Date?]", "[String: Date?]"),
      ("(Date, Date)", "(Date, Date)"), ("any Error", "any Error"),
    ])
  func modules(type: String, expected: String) throws {
    let code = try Self.code("extend scalar DateTime @map(to: \"\(type)\", module: \"Foundation\")").0
    #expect(code.contains("typealias DateTime = \(expected)\n") && code.contains("import Foundation\n"), "\(code)")
  }

  @Test(
    "A scalar of the specification with a type of Foundation finds what reads it, where only operations have it",
    arguments: [true, false])
  func builtInScalar(hasNamespace: Bool) throws {
    let folder = try TemporaryFolder([
      "s.graphqls": "type Query { me: User } type User { id: ID!, at: DateTime } scalar DateTime",
      "Me.graphql": "query Me { me { id at } }", "At.graphql": "query At { me { at } }",
    ])
    let report = folder.generate {
      $0.output.moduleType = .other
      if hasNamespace { $0.output.moduleType = .embeddedInTarget(name: "App", accessLevel: .public) }
      $0.rendering.customScalars["ID"] = .init(type: "UUID", module: "Foundation")
      $0.rendering.customScalars["DateTime"] = .init(type: "Day", module: "Days")
    }
    #expect(!report.hasErrors)
    func imports(_ name: String) throws -> [String] {
      let file = try #require(folder.files.first { $0.hasSuffix(name) })
      return try folder.text(file).split(separator: "\n").map(String.init).filter { $0.contains("import ") }
    }
    let runtime = "@_exported public import ApolloAPI", days = "public import Days"
    let foundation = ["import ApolloFoundation", "public import Foundation"]
    #expect(try imports("/Me.graphql.swift") == [runtime, days] + foundation)
    #expect(try imports("/At.graphql.swift") == [runtime, days])
    // There, the namespace has a typealias for the scalar ID.
    let schema = try imports("/Schema.graphql.swift").filter { $0 != runtime }
    #expect(hasNamespace ? schema == [foundation[0], days, foundation[1]] : schema == [days])
  }

  @Test("A type that begins with Foundation says its module itself, and a type around another does not")
  func namedModule() throws {
    let mapped = try Self.code(#"extend scalar DateTime @map(to: "Foundation.Date")"#).0
    #expect(mapped == (try Self.code(#"extend scalar DateTime @map(to: "Date", module: "Foundation")"#).0))
    let configured = try Self.code("") { $0.rendering.customScalars["DateTime"] = .init(type: "Foundation.Date") }.0
    #expect(configured == mapped)
    let nested = try Self.code("") { $0.rendering.customScalars["DateTime"] = .init(type: "Money.Amount") }.0
    #expect(nested.contains("typealias DateTime = Money.Amount\n") && !nested.contains("import Money"), "\(nested)")
  }

  @Test(
    "An optional type is an error, as nullability is that of the field",
    arguments: [
      "Raw?", "A.B!", "[Date]? ", "Optional<Int>", "Swift.Optional<[Int]>", "(Int?)", "( (Optional<A.B>) )",
    ])
  func optional(type: String) throws {
    func codes(_ diagnostics: [Diagnostic]) -> [Diagnostic.Code] {
      diagnostics.filter { $0.severity == .error && $0.help?.contains("Nullability") == true }.map(\.code)
    }
    let configured = try Self.code("") { $0.rendering.customScalars["DateTime"] = .init(type: type) }.1
    #expect(codes(configured) == [.invalidConfiguration], "\(configured.map(\.fullMessage))")
    let mapped = try Self.code("extend scalar DateTime @map(to: \"\(type)\")").1
    #expect(codes(mapped) == [.invalidScalarType], "\(mapped.map(\.fullMessage))")
  }

  @Test(
    "A type with optional types in it is not an optional one",
    arguments: [
      "[Int?]", "(Int, Int?)", "Box<Int?>", "My.Optional<Int>", "Optional<Int>.Wrapped", "[String: Optional<Int>]",
    ])
  func withOptionals(type: String) throws {
    let (code, diagnostics) = try Self.code("") { $0.rendering.customScalars["DateTime"] = .init(type: type) }
    #expect(!diagnostics.hasErrors && code.contains("typealias DateTime = \(type)\n"), "\(code)")
  }

  @Test(
    "Foundation is imported where a type says it anywhere, and stands before no other type",
    arguments: [
      ("[Foundation.URL]", true), ("Box<Foundation.URL>", true), ("[String: Foundation.Data]", true),
      ("(Int,Foundation.URL?)", true), ("any Foundation.LocalizedError", true), ("My.Foundation.URL", false),
      ("MyFoundation.URL", false), ("[Box<Int>.Foundation.URL]", false), ("Foundation", false),
    ])
  func foundationInside(type: String, isImported: Bool) throws {
    let code = try Self.code("") { $0.rendering.customScalars["DateTime"] = .init(type: type) }.0
    #expect(code.contains("typealias DateTime = \(type)\n"), "\(code)")
    #expect(code.contains("import Foundation\n") == isImported, "\(code)")
  }

  @Test(
    "Foundation is imported beside the module of a type, where the type says it",
    arguments: [
      ("Box<Foundation.URL>", "MyBoxes.Box<Foundation.URL>", true), ("[Foundation.URL]", "[Foundation.URL]", true),
      ("Foundation.URL", "MyBoxes.Foundation.URL", false), ("Box<Int>", "MyBoxes.Box<Int>", false),
    ])
  func foundationBesideModule(type: String, expected: String, isImported: Bool) throws {
    let code = try Self.code("") {
      $0.rendering.customScalars["DateTime"] = .init(type: type, module: "MyBoxes")
    }.0
    #expect(code.contains("typealias DateTime = \(expected)\n") && code.contains("import MyBoxes\n"), "\(code)")
    #expect(code.contains("import Foundation\n") == isImported, "\(code)")
  }

  @Test("The configuration comes first, and both are equal in what they do")
  func configured() throws {
    let mapped = try Self.code(#"extend scalar DateTime @map(to: "Date", module: "Foundation")"#).0
    let configured = try Self.code("") {
      $0.rendering.customScalars["DateTime"] = .init(type: "Date", module: "Foundation")
    }.0
    #expect(mapped == configured)
    let both = try Self.code(#"extend scalar DateTime @map(to: "Other")"#) {
      $0.rendering.customScalars["DateTime"] = .init(type: "Date", module: "Foundation")
    }.0
    #expect(both == configured)
  }

  @Test(
    "What cannot be written in Swift is an error at its place",
    arguments: [
      (#"extend scalar DateTime @map(to: "Date {")"#, "e.graphqls:1:33: error: \"Date {\" is not a type in Swift."),
      (
        #"extend scalar DateTime @map(to: "D", module: "a b")"#,
        "e.graphqls:1:46: error: \"a b\" is not the name of a module in Swift."
      ),
      (
        "extend scalar DateTime @mapTo(builtIn: Short)",
        "e.graphqls:1:40: error: \"Short\" is not one of the built-in types."
      ),
      (
        "extend scalar DateTime @mapTo(builtIn: Int) @map(to: \"A\")",
        "e.graphqls:1:24: error: \"DateTime\" has two types in Swift."
      ),
    ])
  func invalid(text: String, expected: String) throws {
    let folder = try TemporaryFolder(["s.graphqls": Self.schema, "e.graphqls": text, "A.graphql": "query A { at }"])
    #expect(folder.generate().errors(in: folder).hasPrefix(expected), "\(folder.generate().errors(in: folder))")
  }

  @Test("@mapTo gives a scalar a built-in type, also where kotlin_labs is imported", arguments: ["", kotlin])
  func builtIn(link: String) throws {
    let (code, diagnostics) = try Self.code(
      link + "extend scalar DateTime @mapTo(builtIn: Long)\nextend scalar Plain @mapTo(builtIn: Boolean, inline: false)"
    )
    #expect(!diagnostics.hasErrors, "\(diagnostics.map(\.fullMessage))")
    #expect(code.contains("typealias DateTime = Int64") && code.contains("typealias Plain = Bool"))
  }

  static let kotlin = """
    extend schema @link(url: "https://specs.apollo.dev/kotlin_labs/v0.5", import: ["@mapTo"])

    """

  @Test("@ignore leaves a directive to the server, also one that is declared as the client's is")
  func ignored() throws {
    let text = #"extend scalar DateTime @map(to: "Date", module: "Foundation")"#
    let (code, diagnostics) = try Self.code("extend directive @map @ignore\n" + text)
    #expect(!diagnostics.hasErrors && code.contains("typealias DateTime = String"))
    let (declared, others) = try Self.code("directive @map(to: String!, module: String) @ignore on SCALAR\n" + text)
    #expect(!others.hasErrors && declared.contains("typealias DateTime = String"))
  }

  @Test(
    "A directive of this name that the schema declares or imports for another tool is left alone",
    arguments: [
      "directive @map(to: String!, with: String) on SCALAR",
      #"extend schema @link(url: "https://specs.apollo.dev/kotlin_labs/v0.5", import: ["@map"])"#,
    ])
  func foreign(declaration: String) throws {
    let (code, diagnostics) = try Self.code(declaration + "\n" + #"extend scalar DateTime @map(to: "java.util.Date")"#)
    #expect(!diagnostics.hasErrors && code.contains("typealias DateTime = String"))
  }
}
