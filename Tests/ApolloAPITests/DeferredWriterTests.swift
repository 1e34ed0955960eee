@testable import ApolloAPI
import Testing

// Selection sets as the generator writes them, of
// `query Q($x: Boolean!) { box { a ...E @include(if: $x) @defer(label: "e") } ... @defer(label: "all") { box { a ...E @defer(label: "e") } } }`
// with `fragment E on Box { id }`.

private struct Root: SelectionSet, Hashable {
  var box: Box
  var all: DeferredFragment<All>

  static let __fields = __FieldTable(version: 1, "box @defer ... ?$x")

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    box = try object.read(0)
    all = try object.deferred(1, "all")
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, box)
    writer.write(1, deferred: "all", all)
  }

  struct Box: SelectionSet, Hashable {
    var a: Int
    var e: DeferredFragment<E>

    static let __fields = __FieldTable(version: 1, "__typename a @defer ... ?$x")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      a = try object.read(1)
      e = try object.includes(0) ? object.deferred(2, "e") : .notExecuted
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Box")
      writer.write(1, a)
      writer.write(2, deferred: "e", e)
    }
  }

  struct All: SelectionSet, Hashable {
    var box: Box

    static let __fields = __FieldTable(version: 1, "box")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { box = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, box) }

    struct Box: SelectionSet, Hashable {
      var a: Int
      var e: DeferredFragment<E>

      static let __fields = __FieldTable(version: 1, "__typename a @defer ...")

      init(__reading object: inout __ObjectReader) throws(__ReadError) {
        a = try object.read(1)
        e = try object.deferred(2, "e")
      }

      func __writeFields(to writer: inout __JSONWriter) {
        writer.write(0, "Box")
        writer.write(1, a)
        writer.write(2, deferred: "e", e)
      }
    }
  }
}

private struct E: SelectionSet, Hashable {
  var id: Int

  static let __fields = __FieldTable(version: 1, "__typename id")

  init(__reading object: inout __ObjectReader) throws(__ReadError) { id = try object.read(1) }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, "Box")
    writer.write(1, id)
  }
}

@Suite("Models with deferred fragments that are written as JSON") struct DeferredWriterTests {
  @Test(
    "A fragment that is spread on two ways, of which a condition leaves one out, reads back the same",
    arguments: [
      #"{"__typename":"Box","a":1,"id":2}"#, #"{"__typename":"Box","a":1,"@defer":{"e":"notExecuted"}}"#,
    ], [false, true])
  func twoWays(box: String, x: Bool) throws {
    let variables = Variables(["x": x])
    let data = try ResponseReader.readObject(
      Root.self, from: ResponseBytes(#"{"box":\#(box)}"#.utf8), variables: variables
    ).data
    #expect(x || data.box.e == .notExecuted)
    var writer = __JSONWriter()
    data.__write(to: &writer)
    let again = try ResponseReader.readObject(Root.self, from: ResponseBytes(writer.bytes), variables: variables).data
    #expect(again == data, "\(writer.text)")
  }
}
