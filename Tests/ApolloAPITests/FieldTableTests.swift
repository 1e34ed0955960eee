@testable import ApolloAPI
import ApolloCache
import Foundation
import HostileModels
import ResponseStyles
import StyledTests
import Testing

@Suite("Field tables")
struct FieldTableTests {
  // MARK: Versions

  /// As the first edition of the generator wrote it, without a version.
  struct Person: SelectionSet, Hashable {
    var __typename: String
    var name: String
    var size: Double?
    var friends: [Friend]

    static let __fields = __FieldTable(
      #"__typename name! size:height(unit:"M\"\")")@:Unit friends(first:$first)@:Person ... ?$full&!$brief|~$old"#)

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      name = try object.read(1)
      size = try object.read(2, if: 0)
      friends = try object.read(3)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, name)
      if let size { writer.write(2, size) }
      writer.write(3, friends)
    }
  }

  struct PersonVariables: GraphQLQuery {
    static let operationName = "Person"
    static let operationDocument = OperationDocument("query Person { name }")

    typealias Data = Person

    func __writeVariables(to writer: inout __JSONWriter) {
      writer.write("first", 2)
      writer.write("full", true)
      writer.write("brief", false)
    }
  }

  struct Friend: SelectionSet, Hashable {
    var id: String

    static let __fields = __FieldTable("id!#")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { id = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, id) }
  }

  @Test("A debugger is shown positions and names")
  func debugDescription() {
    let table = __FieldTable(
      version: 4, "__typename id!# friends(first:$first)@:Character best:friends(first:1) ... ?$full&!$brief|~$old")
    #expect(
      table.debugDescription == """
        0 __typename
        1 id (part of the key; ID)
        2 friends(first:$first) (of Character)
        3 best: friends(first:1)
        condition 0: full and not brief, or old is false
        """)
    let ofFragment = __FieldTable(
      text: "name avatar(size:$P.size) $Q(a:1,b:$P.size) $R(c:2) =P(size:16)format ?$P.full")
    #expect(
      ofFragment.debugDescription == """
        0 name
        1 avatar(size:$P.size)
        condition 0: P.full
        arguments 0: Q(a:1,b:$P.size)
        arguments 1: R(c:2)
        variables: P(size:16), format
        """)
    #expect(__FieldTable(text: "a(").debugDescription.hasPrefix("No fields: "))
  }

  @Test("A model that the first edition generated is read and written without loss")
  func firstEdition() throws {
    let json = #"{"__typename":"Person","name":"Ann","size":1.5,"friends":[{"id":"1"},{"id":"2"}]}"#
    let variables = PersonVariables().variables
    let person = try ResponseReader.data(Person.self, json, variables)
    #expect(person.size == 1.5)
    #expect(person.friends.map(\.id) == ["1", "2"])
    var writer = __JSONWriter()
    person.__write(to: &writer)
    #expect(writer.text == json)
    #expect(writer.failure == nil)
  }

  /// Version 2 has ages. They say nothing of what a server sends, and nothing of what is written.
  struct Aged: SelectionSet, Hashable {
    var id: String
    var name: String?

    static let __fields = __FieldTable(version: 2, #"<1800> <min> id!1#<0> own:name(a:"<3>",b:">")@:Unit~<=>"#)

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.read(0)
      name = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, id)
      writer.write(1, name)
    }
  }

  @Test("A model of version 2, with ages, is read and written without loss")
  func ages() throws {
    let json = #"{"id":"1","own":"Ann"}"#
    let person = try ResponseReader.data(Aged.self, json)
    #expect(person.name == "Ann")
    var writer = __JSONWriter()
    person.__write(to: &writer)
    #expect(writer.text == json)
  }

  struct Newer: SelectionSet, Hashable {
    var name: String?

    static let __fields = __FieldTable(version: 7, "name")

    init(name: String?) { self.name = name }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
  }

  @Test(
    "A table of a newer version is an error that says to update the library, where the model is read and where it is written"
  )
  func newer() throws {
    let error = #expect(throws: ResponseDecodingError.self) { try ResponseReader.data(Newer.self, #"{"name":"Ann"}"#) }
    #expect(error?.message.contains("Update the library") == true, "\(error as Any)")
    #expect(error?.message.contains("version 6") == true)
    #expect(error?.isCacheMiss == false)
    // Also where the response does not have what may be null.
    #expect(throws: ResponseDecodingError.self) { try ResponseReader.data(Newer.self, "{}") }
    var writer = __JSONWriter()
    Newer(name: "Ann").__write(to: &writer)
    #expect(writer.failure.map { "\($0)" }?.contains("Update the library") == true)
  }

  // MARK: Texts

  @Test(
    "A text that makes no table is an error that names the byte",
    arguments: [
      ("name fri-ends", 5), ("name 1st", 5), ("name a:", 7), ("name :b", 5), ("name f(a:1", 5), ("name f)", 6),
      (#"name f(a:"1)"#, 5), ("name f(a:1)id", 11), ("name f(a:1)@id", 12), ("name ..", 5), ("name ?full", 6),
      ("name ?$a|", 9), ("name ?$a&", 9), ("name ?!$", 8), ("name id!1234567", 8), ("name \u{e9}t\u{e9}", 5),
      ("name <", 5), ("name <900", 5), ("name <> id", 6), ("name <-1>", 6), ("name <4294967296>", 6), ("name <max>", 6),
      ("name id<>", 8), ("name id<:>", 9), ("name id<1.5>", 8), ("name id<+1>", 8), ("name id<==>", 8),
      ("name <900>id", 5), ("name id<9>#", 5), ("name id<9>~", 5), ("name ~", 5), ("name id~~", 5),
      ("name !", 6), ("name !A", 6), ("name !:a", 6), ("name !A:", 8), ("name !A|:a", 8), ("name !A:a,", 10),
      ("name !A:a-b", 8), ("name $F", 6), ("name $(a:1)", 6), ("name $F(a:1)b,", 14), ("name =F(a:1)1", 12),
      ("name =F.G(a:1)", 6), ("name ?$F.", 9), ("name ?$.a", 7),
    ])
  func malformed(text: String, byte: Int) {
    let problem = __FieldTable(text: text).storage.problem
    #expect(
      problem?.hasPrefix("The field table is malformed at byte \(byte): ") == true, "\(text): \(problem ?? "none")")
  }

  @Test("Every text with one byte too few, too many or another one is a table or an error")
  func everyChange() {
    let texts = [
      #"__typename name! size:height(unit:"M\"\")")@:Unit friends(first:$first)@id,b.c:Person|Robot!2# ... ?$full&!$brief|~$old"#,
      "@defer a:b ... ?", #"a(b:$P.c) $Q(a:"x)",b:$P.d)e,f =P(c:1)d ?$P.e&!$f"#,
      "__typename id# isbn !Book|Pen:isbn,id",
    ]
    for text in texts {
      #expect(__FieldTable(text: text).storage.problem == nil)
      let bytes = Array(text.utf8)
      for index in bytes.indices {
        for replacement in [[], [bytes[index], bytes[index]]] + " \"(){}:@!#?$|&~.1\\a".utf8.map({ [$0] }) {
          let changed = Array(bytes[..<index]) + replacement + Array(bytes[(index + 1)...])
          let table = __FieldTable(text: String(decoding: changed, as: UTF8.self)).storage
          #expect(table.problem == nil || table.count == 0)
        }
      }
    }
  }

  // MARK: Positions

  @Test("A field outside of the table is an error with the path", arguments: [2, 99, -1, Int.max, Int.min])
  func outside(position: Int) throws {
    for type in 0..<8 {
      for json in [#"{"hero":{"name":"Ann","id":"1"},"other":{}}"#, #"{ "hero" : {}, "other": null }"#] {
        let script = Script(steps: [.value(0, [.leaf(type, position)])], tables: ["hero other", "name id"])
        let error = #expect(throws: ResponseDecodingError.self) { try script.read(json) }
        #expect(error?.path == ["hero"])
        #expect(
          error?.message.contains("Field \(position) is read, and the field table has 2 fields") == true,
          "\(error as Any)")
      }
    }
  }

  @Test("A condition outside of the table does not hold", arguments: [0, 1, -1, Int.max])
  func outsideOfConditions(position: Int) throws {
    let script = Script(steps: [.includes(position)], tables: ["name"])
    try script.read(#"{"name":""}"#)
    #expect(script.included == [false])
  }

  @Test("A field that is written outside of the table is an error", arguments: [1, 99, -1, Int.max])
  func writtenOutside(position: Int) {
    struct Wrong: SelectionSet {
      static let __fields = __FieldTable(version: 1, "name")
      var position: Int
      init(position: Int) { self.position = position }
      init(__reading object: inout __ObjectReader) throws(__ReadError) { position = try object.read(0) }
      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(position, "x")
        writer.write(0, "y")
      }
    }
    var writer = __JSONWriter()
    Wrong(position: position).__write(to: &writer)
    #expect(
      writer.failure.map { "\($0)" } == "Field \(position) is written, and the field table has 1 fields.")
  }

  /// `make fuzz TARGET=tables` runs many more of them, optimized and under the address sanitizer.
  @Test("Code that reads anything anywhere gets values or errors, from a response and from records")
  func anything() async throws {
    let rounds = environment("APOLLO_FUZZ_ROUNDS").flatMap { Int($0) } ?? 1_000
    var random = SplitMix(state: environment("APOLLO_FUZZ_SEED").flatMap { UInt64($0) } ?? 1)
    let store = ApolloStore()
    try await store.publish(records: [
      "QUERY_ROOT": ["hero": CacheReference("Droid:1"), "friends": [CacheReference("Droid:1")], "name": "x"],
      "Droid:1": ["__typename": "Droid", "id": "1", "name": "R2", "friends": [["name": "Luke"]], "size": 1.5],
    ])
    var ends = Array(repeating: (values: 0, errors: 0), count: 3)
    func note(_ mode: Int, _ body: () async throws -> Void) async {
      do {
        try await body()
        ends[mode].values += 1
      } catch {
        ends[mode].errors += 1
      }
    }
    for _ in 0..<rounds {
      let hasAges = Bool.random(using: &random)
      let script = Script(
        steps: Script.steps(&random, depth: 4),
        tables: hasAges ? (Script.tables + Script.agingTables).shuffled(using: &random) : Script.tables,
        version: hasAges ? 2 : 1)
      let json = Script.responses.randomElement(using: &random) ?? "{}"
      await note(0) { try script.read(json) }
      await note(1) {
        try Script.$current.withValue(script) {
          _ = try ResponseReader.read(
            HostileModel.self, from: ResponseBytes(#"{"data":\#(json)}"#.utf8), variables: .none, rootKey: "QUERY_ROOT")
        }
      }
      await note(2) { try await Script.$current.withValue(script) { _ = try await store.load(HostileQuery()) } }
    }
    for end in ends { #expect(end.values > rounds / 20 && end.errors > rounds / 20, "\(end)") }
  }
}

extension Script {
  fileprivate func read(_ json: String) throws {
    try Script.$current.withValue(self) { _ = try ResponseReader.data(HostileModel.self, json) }
  }
}

private func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
