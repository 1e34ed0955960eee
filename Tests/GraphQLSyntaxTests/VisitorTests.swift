import GraphQLSyntax
import Testing

@Suite("Visiting syntax trees")
struct VisitorTests {
  private struct Recorder: SyntaxVisitor {
    var log: [String] = []
    var step: (SyntaxNode) -> VisitStep = { _ in .intoChildren }
    var goesOn: (SyntaxNode) -> Bool = { _ in true }

    mutating func enter(_ node: SyntaxNode) -> VisitStep {
      log.append("enter " + Self.describe(node))
      return step(node)
    }

    mutating func leave(_ node: SyntaxNode) -> Bool {
      log.append("leave " + Self.describe(node))
      return goesOn(node)
    }

    static func describe(_ node: SyntaxNode) -> String {
      switch node {
      case .document: "document"
      case .operation: "operation"
      case .selectionSet: "selections"
      case .field(let field): "field \(field.name)"
      case .name(let name): "name \(name)"
      default: "other"
      }
    }
  }

  private func walk(_ text: String, _ change: (inout Recorder) -> Void = { _ in }) -> [String] {
    var recorder = Recorder()
    change(&recorder)
    SyntaxNode.document(Parser.parse(text).value).walk(&recorder)
    return recorder.log
  }

  private func isField(_ node: SyntaxNode, _ name: String) -> Bool {
    if case .field(let field) = node { field.name.value == name } else { false }
  }

  @Test("Nodes are entered in the order of the text, and left after what is inside of them")
  func order() {
    #expect(
      walk("{ a { b } }") == [
        "enter document", "enter operation", "enter selections", "enter field a", "enter name a", "leave name a",
        "enter selections", "enter field b", "enter name b", "leave name b", "leave field b", "leave selections",
        "leave field a", "leave selections", "leave operation", "leave document",
      ])
  }

  @Test("What is skipped is neither looked into nor left")
  func skip() {
    let log = walk("{ a { b } c }") { $0.step = { isField($0, "a") ? .skipChildren : .intoChildren } }
    #expect(!log.contains("enter field b"))
    #expect(!log.contains("leave field a"))
    #expect(log.contains("leave field c"))
  }

  @Test("A walk can end on the way in and on the way out")
  func stop() {
    #expect(walk("{ a { b } c }") { $0.step = { isField($0, "b") ? .stop : .intoChildren } }.last == "enter field b")
    #expect(walk("{ a { b } c }") { $0.goesOn = { !isField($0, "b") } }.last == "leave field b")
  }

  @Test("Every part of every definition is reached")
  func complete() {
    let text = """
      "d" query Q("d" $v: [Int!]! = 1 @d(a: 1)) @d { x: f(a: {b: [1.5, "s", true, null, E, $v]}) @d ...F @d ... on T @d { g } }
      "d" fragment F on T @d { h }
      "d" schema @d { query: Q }
      "d" scalar S @d
      "d" type T implements I & J @d { "d" f("d" a: Int = 1 @d): Int @d }
      "d" interface I implements J @d { f: Int }
      "d" union U @d = A | B
      "d" enum E @d { "d" A @d }
      "d" input N @d { "d" a: Int = 1 @d }
      "d" directive @d("d" a: Int = 1 @d) repeatable on FIELD
      """
    struct Counter: SyntaxVisitor {
      var directives = 0
      var descriptions = 0
      mutating func enter(_ node: SyntaxNode) -> VisitStep {
        if case .directive = node { directives += 1 }
        if case .string = node { descriptions += 1 }
        return .intoChildren
      }
    }
    var counter = Counter()
    let parsed = Parser.parse(text)
    #expect(!parsed.hasErrors)
    SyntaxNode.document(parsed.value).walk(&counter)
    #expect(counter.directives == text.split(separator: "@d", omittingEmptySubsequences: false).count - 2)
    #expect(counter.descriptions == text.split(separator: "\"d\"", omittingEmptySubsequences: false).count - 1)
  }
}

@Suite("Schema coordinates")
struct SchemaCoordinateTests {
  @Test(
    "Coordinates are read, and written as they were",
    arguments: [
      ("User", SchemaCoordinate.type("User")), ("User.name", .member(type: "User", name: "name")),
      ("User.posts(first:)", .argument(type: "User", field: "posts", name: "first")), ("@d", .directive("d")),
      ("@d(a:)", .directiveArgument(directive: "d", name: "a")), ("__Type._1", .member(type: "__Type", name: "_1")),
    ])
  func valid(text: String, expected: SchemaCoordinate) {
    #expect(SchemaCoordinate(text) == expected)
    #expect(expected.description == text)
  }

  @Test(
    "A text that is not a coordinate is refused at the place where it ceases to be one",
    arguments: [
      ("", 0, "Expected Name, found <EOF>."), ("User.", 5, "Expected Name, found <EOF>."),
      ("User .name", 4, "Expected <EOF>, found \" \"."), (" User", 0, "Expected Name, found \" \"."),
      ("User.posts(first)", 16, "Expected \":\", found \")\"."),
      ("User.posts(first:", 17, "Expected \")\", found <EOF>."),
      ("User(first:)", 4, "Expected <EOF>, found \"(\"."), ("@d.a", 2, "Expected <EOF>, found \".\"."),
      ("User.a.b", 6, "Expected <EOF>, found \".\"."), ("1", 0, "Expected Name, found \"1\"."),
      ("ü", 0, "Expected Name, found \"ü\"."), ("User.a(b:)c", 10, "Expected <EOF>, found \"c\"."),
    ])
  func invalid(text: String, offset: UInt32, message: String) {
    let parsed = SchemaCoordinate.parse(Source(text))
    #expect(parsed.value == nil)
    #expect(parsed.diagnostics.map(\.span.start) == [offset])
    #expect(parsed.diagnostics.map(\.message) == ["Syntax Error: " + message])
  }
}
