@testable import ApolloAPI
import StyledTests
import Testing

@Suite("Writing JSON", .everyStyle)
struct WriterTests {
  func json(_ value: some __JSONWritable) -> String {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    return writer.text
  }

  @Test("A selection set becomes the object it was read from; fragments on the same fields are merged")
  func selectionSet() throws {
    let data = try ResponseReader.data(HeroQuery.Data.self, droid, HeroQuery().variables)
    #expect(json(data) == droid)
  }

  @Test("What was written reads back as the same value")
  func roundTrip() throws {
    let data = try ResponseReader.data(HeroQuery.Data.self, droid, HeroQuery().variables)
    #expect(try ResponseReader.data(HeroQuery.Data.self, json(data), HeroQuery().variables) == data)
  }

  @Test(
    "Strings are escaped",
    arguments: [
      ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t\u{8}\u{c}\u{1}", #""\n\r\t\b\f\u0001""#), ("é😀", #""é😀""#),
    ])
  func strings(_ value: String, _ expected: String) {
    #expect(json(value) == expected)
  }

  @Test(
    "Numbers have the shortest form that reads back",
    arguments: [(0.1, "0.1"), (5, "5"), (-0.0, "-0.0"), (1e300, "1e+300"), (.infinity, "null")])
  func doubles(_ value: Double, _ expected: String) {
    #expect(json(value) == expected)
  }

  @Test("Integers are written in full", arguments: [0, 7, -7, 10, Int.max, Int.min])
  func integers(_ value: Int) {
    #expect(json(value) == "\(value)")
  }

  /// An object with a member and a copy of it in a fragment, both as raw text.
  struct Copies: SelectionSet {
    struct Raw: __JSONWritable {
      let text: String
      func __write(to writer: inout __JSONWriter) { writer.writeRaw(text.utf8) }
    }

    struct Part: __FieldSet {
      let text: String
      static let __fields = __FieldTable(version: 1, "a b")
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, Raw(text: text))
        writer.write(1, 2)
      }
    }

    let first: String, second: String
    static let __fields = __FieldTable(version: 1, "a ...")
    init(_ first: String, _ second: String) { (self.first, self.second) = (first, second) }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { throw __ReadError(.missing, offset: 0) }
    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, Raw(text: first))
      writer.write(fragment: Part(text: second))
    }
  }

  @Test(
    "Copies of a field become one member: objects and lists of equal length are merged, and else the first counts",
    arguments: [
      (#"{"x":1}"#, #"{"x":2,"y":3}"#, #"{"x":1,"y":3}"#), (#"{ "x" : [ 1 ] }"#, #"{"x":[{}]}"#, #"{"x":[1]}"#),
      ("[{},2]", #"[{"x":1},3]"#, #"[{"x":1},2]"#), ("[1]", "[1,2]", "[1]"), ("null", "1", "null"),
    ])
  func copies(_ first: String, _ second: String, _ merged: String) {
    #expect(json(Copies(first, second)) == #"{"a":\#(merged),"b":2}"#)
  }

  /// Objects with a field that is called like a member that all selection sets have.
  enum Called {
    struct Numbers: SelectionSet {
      let fragments: [Double?]
      static let __fields = __FieldTable(version: 1, "fragments")
      init(_ fragments: [Double?]) { self.fragments = fragments }
      init(__reading object: inout __ObjectReader) throws(__ReadError) { fragments = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, fragments) }
    }

    struct Objects: SelectionSet {
      let fragments: [[Numbers]]?
      static let __fields = __FieldTable(version: 1, "fragments")
      init(_ fragments: [[Numbers]]?) { self.fragments = fragments }
      init(__reading object: inout __ObjectReader) throws(__ReadError) { fragments = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) { writer.write(0, fragments) }
    }
  }

  @Test("A field may be called `fragments`, whatever its type")
  func fieldCalledFragments() {
    #expect(json(Called.Numbers([1.5, nil])) == #"{"fragments":[1.5,null]}"#)
    #expect(json(Called.Objects([[Called.Numbers([])]])) == #"{"fragments":[[{"fragments":[]}]]}"#)
  }

  @Test(
    "Raw text that is not JSON is written as it is, and does no harm", arguments: ["", "{", "[1,", "\"", "{]", "\\"])
  func badRawText(_ text: String) {
    for other in ["{}", "[2]", text + "x"] {
      #expect(!json(Copies(text, other)).isEmpty)
      #expect(!json(Copies(other, text)).isEmpty)
    }
  }

  struct ReviewInput: InputObject {
    var stars: Int
    var commentary: GraphQLNullable<String> = .none
    var episodes: GraphQLNullable<[GraphQLEnum<Episode>]> = .none

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write("stars", stars)
      writer.write("commentary", commentary)
      writer.write("episodes", episodes)
    }
  }

  @Test("An absent input field is left out, and null is written")
  func nullable() {
    #expect(json(ReviewInput(stars: 5)) == #"{"stars":5}"#)
    #expect(json(ReviewInput(stars: 5, commentary: .null)) == #"{"stars":5,"commentary":null}"#)
    #expect(
      json(ReviewInput(stars: 5, commentary: "great", episodes: [.init(.empire), .unknown("X")]))
        == #"{"stars":5,"commentary":"great","episodes":["EMPIRE","X"]}"#)
  }

  @Test("The variables of an operation are known one by one")
  func variables() {
    let variables = HeroQuery(first: 3, full: true).variables
    #expect(String(decoding: variables.json, as: UTF8.self) == #"{"first":3,"full":true}"#)
    #expect(variables["first"].map { String(decoding: $0, as: UTF8.self) } == "3")
    #expect(variables["other"] == nil)
  }
}

@Suite("Enums and nullable values", .everyStyle)
struct ValueTests {
  @Test("An unknown enum value is kept")
  func unknownCase() {
    let value = GraphQLEnum<Episode>("CLONES")
    #expect(value == .unknown("CLONES"))
    #expect(value.rawValue == "CLONES")
    #expect(value.value == nil)
  }

  @Test("A known enum value matches its case")
  func matching() {
    let value = GraphQLEnum(Episode.empire)
    switch value {
    case .empire: break
    default: Issue.record("no match")
    }
    #expect(value == .empire)
    #expect(Optional(value) == .empire)
    #expect(value != .newHope)
  }

  @Test("nil is absent and .null is null")
  func nullable() {
    let absent: GraphQLNullable<Int> = nil
    #expect(absent == .none)
    #expect(absent != .null)
    let value: GraphQLNullable<Int> = 3
    #expect(value.unwrapped == 3)
    let name: String? = "R2"
    let passed: GraphQLNullable<String> = name ?? .null
    #expect(passed == .some("R2"))
  }

  @Test("A box has value semantics")
  func indirect() {
    struct Holder: Hashable { @__Indirect var value: [Int]? }
    let a = Holder(value: [1])
    var b = a
    b.value?.append(2)
    #expect(a.value == [1])
    #expect(b.value == [1, 2])
    b.value = nil
    #expect(b.value == nil)
    #expect(a != b)
  }
}

@Suite("Field keys", .everyStyle)
struct FieldKeyTests {
  func key(_ arguments: String, _ variables: String = "{}", keyArguments: [String] = []) throws -> String {
    struct Raw: __JSONWritable {
      let text: String
      func __write(to writer: inout __JSONWriter) { writer.writeRaw(text.utf8) }
    }
    let object = try #require(try ResponseReader.jsonValue(ResponseBytes(variables.utf8)) as? JSONObject)
    let values = Variables { writer in
      for name in ["a", "b", "c"] where object[name] != nil {
        var value = __JSONWriter()
        value.writeJSON(object[name] ?? JSONNull())
        writer.write(name == "a" ? "a" : name == "b" ? "b" : "c", Raw(text: value.text))
      }
    }
    return CanonicalArguments.fieldKey(
      name: "f", arguments: Array(arguments.utf8),
      policy: DeclaredFieldPolicy(keyArguments: keyArguments, types: []), variables: values)
  }

  @Test("Variables take their values; an absent one makes its argument absent, and null stays null")
  func variables() throws {
    #expect(try key("x:$a,y:1", #"{"a":"s"}"#) == #"f(x:"s",y:1)"#)
    #expect(try key("x:$a,y:1") == "f(y:1)")
    #expect(try key("x:$a") == "f")
    #expect(try key("x:$a", #"{"a":null}"#) == "f(x:null)")
  }

  @Test(
    "A number of the document has the key of the same number in a variable",
    arguments: [("1.0", 1.0), ("1e3", 1000), ("-2.50", -2.5), ("1E-2", 0.01), ("0.1", 0.1), ("-0.0", -0.0), ("7", 7)])
  func numbers(literal: String, value: Double) throws {
    let variable = Variables { $0.write("a", value) }
    func key(_ arguments: String) -> String {
      CanonicalArguments.fieldKey(name: "f", arguments: Array(arguments.utf8), policy: nil, variables: variable)
    }
    #expect(key("x:\(literal)") == key("x:$a"))
    #expect(key("x:{\"y\":[\(literal)]}") == key("x:{\"y\":[$a]}"))
  }

  @Test("A number with more digits than a Double keeps has them in the key, and text is not a number")
  func digits() throws {
    for literal in ["1234567890123456.5", "1e400", "12345678901234567890", #""1.0""#, #""e""#, "true", "false"] {
      #expect(try key("x:\(literal)") == "f(x:\(literal))")
    }
  }

  @Test("Input objects are the same in any order of their fields")
  func objects() throws {
    #expect(try key(#"x:$a"#, #"{"a":{"z":1,"b":[{"d":1,"c":2}]}}"#) == #"f(x:{"b":[{"c":2,"d":1}],"z":1})"#)
    #expect(try key(#"x:{"b":$a,"c":[$b,$c]}"#, #"{"b":2}"#) == #"f(x:{"c":[2,null]})"#)
  }

  @Test(
    "Arguments that tell no objects apart are left out if the others have values",
    arguments: [
      (["id"], #"{"a":"1"}"#, #"f(id:"1")"#),
      (["id"], "{}", #"f(in:{"b":{"c":3},"id":2},size:9)"#),
      (["id"], #"{"a":null}"#, #"f(id:null,in:{"b":{"c":3},"id":2},size:9)"#),
      (["in.id"], #"{"a":"1"}"#, #"f(in:{"id":2})"#),
      (["in.b.c", "id"], #"{"a":"1"}"#, #"f(id:"1",in:{"b":{"c":3}})"#),
      (["in", "in.id"], "{}", #"f(in:{"b":{"c":3},"id":2})"#),
      (["in.none"], #"{"a":"1"}"#, #"f(id:"1",in:{"b":{"c":3},"id":2},size:9)"#),
    ])
  func policies(keyArguments: [String], variables: String, expected: String) throws {
    #expect(try key(#"id:$a,in:{"id":2,"b":{"c":3}},size:9"#, variables, keyArguments: keyArguments) == expected)
  }

  @Test("Punctuation inside of strings does not count")
  func strings() throws {
    #expect(try key(#"x:"a,b)}]\"","y":1"#.replacing(#""y""#, with: "y")) == #"f(x:"a,b)}]\"",y:1)"#)
  }
}
