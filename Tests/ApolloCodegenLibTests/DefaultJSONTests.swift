import ApolloCodegenLib
import ApolloSwiftRenderer
import GraphQLSyntax
import Testing

/// The cache key of a field depends on the defaults of variables, also on those for which Swift has no expression.
@Suite("Defaults of variables that are written as JSON") struct DefaultJSONTests {
  private static let schema = """
    scalar DateTime
    extend scalar DateTime @map(to: "Date", module: "Foundation")
    scalar Plain
    enum Kind { A B }
    input In { at: DateTime, kinds: [Kind!], old: Int @deprecated(reason: "gone"), id: ID, next: In }
    input One @oneOf { at: DateTime, number: Int }

    """

  /// What writes the variable `v` of a type with a default.
  private static func line(
    _ type: String, _ defaultValue: String, change: (inout ApolloCodegenConfiguration) -> Void = { _ in }
  ) throws -> String {
    let folder = try TemporaryFolder([
      "s.graphqls": schema + "type Query { f(v: \(type)): Int }",
      "A.graphql": "query A($v: \(type) = \(defaultValue)) { f(v: $v) }",
    ])
    let report = folder.generate(change)
    #expect(!report.diagnostics.hasErrors, "\(report.diagnostics.map(\.fullMessage))")
    let code = try folder.files.filter { $0.hasPrefix("out/") }.map(folder.text).joined(separator: "\n")
    let line = code.split(separator: "\n").first { $0.contains("writer.write(\"v\"") }
    return String(try #require(line))
  }

  @Test(
    "Where Swift has no expression, the default is JSON",
    arguments: [
      ("DateTime", #""2026-01-01""#, #""2026-01-01""#),
      ("DateTime", "17", "17"),
      ("[DateTime]", #""x""#, #"["x"]"#),
      ("[[DateTime]]", #"["x", null]"#, #"[["x"],null]"#),
      (
        "In", #"{ at: "x", kinds: A, id: 5, next: { kinds: [B] } }"#,
        #"{"at":"x","kinds":["A"],"id":"5","next":{"kinds":["B"]}}"#
      ),
      ("In", "{ old: 1 }", #"{"old":1}"#),
      ("One", #"{ at: "x" }"#, #"{"at":"x"}"#),
      ("Plain", "{ a: [A, 1.5e3, true, null, \"b\"] }", #"{"a":["A",1.5e3,true,null,"b"]}"#),
      ("DateTime", #""a\"b\\(c)\n\t\b\u0001é""#, #""a\"b\\(c)\n\t\b\u0001é""#),
    ])
  func json(type: String, value: String, json: String) throws {
    let line = try Self.line(type, value)
    #expect(line.contains("writer.write(\"v\", v, defaultJSON: \(Literal.string(json)))"), "\(line)")
  }

  @Test("So it is where a scalar of the specification has another type")
  func builtIn() throws {
    let number = try Self.line("Int", "-1") { $0.rendering.customScalars["Int"] = .init(type: "UInt8") }
    #expect(number.contains(#"defaultJSON: "-1")"#), "\(number)")
    let identifier = try Self.line("ID", "5") {
      $0.rendering.customScalars["ID"] = .init(type: "UUID", module: "Foundation")
    }
    #expect(identifier.contains(#"defaultJSON: "\"5\"")"#), "\(identifier)")
  }

  @Test("Where Swift has one, it is written, and a value that must be given has no default")
  func others() throws {
    #expect(try Self.line("Int", "3").contains("default: .some(3))"))
    #expect(try Self.line("DateTime", "null").contains("default: .null)"))
    #expect(try Self.line("DateTime!", #""x""#).contains(#"writer.write("v", v)"#))
  }
}
