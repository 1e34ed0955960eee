@testable import ApolloAPI
import ApolloCache
import StyledTests
import Testing

/// `query Hero { hero { id name @catch again: name @catch } }`
private struct CaughtQuery: GraphQLQuery {
  static let operationName = "Hero"
  static let operationDocument = OperationDocument("query Hero { hero { id } }")

  struct Data: SelectionSet {
    var hero: Hero?

    static let __fields = __FieldTable(version: 1, "hero")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }

  struct Hero: SelectionSet {
    var id: String
    var name: FieldResult<String?>
    var again: FieldResult<String?>

    static let __fields = __FieldTable(version: 5, "__typename id!# name{0} again:name{0}")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      id = try object.read(1)
      name = try object.read(2)
      again = try object.read(3)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Droid")
      writer.write(1, id)
      writer.write(2, name)
      writer.write(3, again)
    }
  }
}

@Suite("Copies of a field that has failed", .everyStyle)
struct CaughtCopyTests {
  private func data(_ errors: String) throws -> CaughtQuery.Data {
    let hero = #"{"__typename":"Droid","id":"1","name":null,"again":null}"#
    let text = #"{"data":{"hero":\#(hero)},"errors":[\#(errors)]}"#
    return try #require(
      try ResponseReader.read(CaughtQuery.Data.self, from: ResponseBytes(Array(text.restyled.utf8))).data)
  }

  private func error(_ message: String, _ field: String, column: Int) -> String {
    #"{"message":"\#(message)","locations":[{"line":1,"column":\#(column)}],"path":["hero","\#(field)"]}"#
  }

  @Test("A model as the server has sent it is written, though the failure has a place in the document for each copy")
  func places() async throws {
    let data = try data([error("no", "name", column: 9), error("no", "again", column: 20)].joined(separator: ","))
    let store = ApolloStore()
    for _ in 0..<2 { try await store.withinReadWriteTransaction { try $0.write(data: data, for: CaughtQuery()) } }
    let hero = try #require(try await store.load(CaughtQuery()).hero)
    #expect(throws: GraphQLError.self) { try hero.name.get() }
    #expect(throws: GraphQLError.self) { try hero.again.get() }
  }

  @Test("Failures of other kinds are values that differ")
  func conflict() async throws {
    let data = try data([error("no", "name", column: 9), error("other", "again", column: 20)].joined(separator: ","))
    await #expect(throws: ApolloStore.ReadWriteTransaction.ConflictingCopiesError.self) {
      try await ApolloStore().withinReadWriteTransaction { try $0.write(data: data, for: CaughtQuery()) }
    }
  }
}
