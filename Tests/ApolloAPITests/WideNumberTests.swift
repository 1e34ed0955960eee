@testable import ApolloAPI
import Testing

/// What becomes of a number that an `Int` cannot hold: a ``JSONNumber``. Where `Int` has 32 bits, these are all numbers from
/// 2³¹ on; `make check-32-bits` runs the rest there.
@Suite("Integers that an Int cannot hold")
struct WideNumberTests {
  private static let number = JSONNumber(text: "3000000000")

  @Test("They are integers of 64 bits, texts of identifiers, and lifetimes, as other numbers are")
  func meaning() throws {
    #expect(wholeNumber(Self.number) == 3_000_000_000)
    #expect(wholeNumber(JSONNumber(text: "99999999999999999999")) == nil && wholeNumber("1") == nil)
    #expect(try CacheKeyInfo(jsonValue: Self.number).id == "3000000000")
    #expect(try CacheKeyInfo(jsonValue: 3e9).id == "3000000000")
    #expect(try Int64(_jsonValue: Self.number) == 3_000_000_000)
    let hints: JSONObject = [
      "cacheControl": ["version": 1, "hints": [["path": ["a"], "maxAge": Self.number] as JSONObject] as [JSONValue]]
        as JSONObject
    ]
    #expect(LifetimeHints(hints, keepsPrivate: true)?.lifetime(of: "a") == .seconds(3_000_000_000))
  }

  @Test("A place in a list of pages is a number, whatever holds it")
  func pages() {
    let policy = PaginationPolicy(style: .offset, arguments: ["offset"])
    for (value, place) in [
      (5, 5), (-5, 0), (5.0, 5), ("5", 5), (Self.number, PaginationPolicy.limit),
      ("3000000000", PaginationPolicy.limit),
      (3e9, PaginationPolicy.limit), (JSONNumber(text: "99999999999999999999"), nil), ("a", nil), (1.5, nil),
      (true, nil),
    ] as [(JSONValue, Int?)] {
      #expect(policy.int(0, FieldPolicy.InputData(arguments: ["offset": value])) == place, "\(value)")
    }
    let relay = PaginationPolicy(style: .relay, arguments: ["", "", "", "after"])
    #expect(relay.cursor(3, FieldPolicy.InputData(arguments: ["after": Self.number])) == "3000000000")
  }

  private struct Item: SelectionSet {
    var count: UInt

    static var __fields: __FieldTable { __FieldTable(version: 1, "count") }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { count = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, count) }
  }

  @Test(
    "A UInt is read up to its limit, from a response and from records",
    arguments: [0, 1 << 53 - 1, 1 << 63, .max] as [UInt])
  func unsigned(_ count: UInt) throws {
    let (item, transfer) = try ResponseReader.readObject(
      Item.self, from: ResponseBytes("{\"count\": \(count)}".utf8), rootKey: "QUERY_ROOT")
    #expect(item.count == count)
    let record = try #require(transfer.take()?.records[0])
    var records = RecordSnapshot()
    records.withChunk(of: 0) { chunk, place in chunk.records[place] = record }
    let loaded = ResponseReader.load(Item.self, root: 0, from: records, variables: .none)
    #expect(try loaded.data.get().count == count)
  }

  private struct Root: SelectionSet {
    var item: KeyedItem

    static var __fields: __FieldTable { __FieldTable(version: 1, "item") }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { item = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, item) }
  }

  private struct KeyedItem: SelectionSet {
    var __typename: String
    var id: UInt

    static var __fields: __FieldTable { __FieldTable(version: 1, "__typename id!#") }

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      __typename = try object.typename()
      id = try object.read(1)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, __typename)
      writer.write(1, id)
    }
  }

  @Test(
    "A number that no Int holds is a part of a key, the same from a response and from a model",
    arguments: [7, 1 << 53, .max] as [UInt])
  func key(_ id: UInt) throws {
    let (root, transfer) = try ResponseReader.readObject(
      Root.self, from: ResponseBytes(#"{"item":{"__typename":"Item","id":\#(id)}}"#.utf8), rootKey: "QUERY_ROOT")
    let number = transfer.take()?.keys.records.find("Item:\(id)")
    #expect(number != nil)
    var identity = ObjectIdentity()
    #expect(try ModelObject(root.item, variables: .none).keys(&identity) == ["Item:\(id)"])
  }

  @Test(
    "A value that is not a UInt is an error at its place",
    arguments: ["18446744073709551616", "-1", "1.5", "\"1\"", "true", "null"])
  func notUnsigned(_ json: String) {
    let error = #expect(throws: ResponseDecodingError.self) {
      try ResponseReader.readObject(Item.self, from: ResponseBytes("{\"count\": \(json)}".utf8))
    }
    #expect(error?.path == ["count"])
  }

  @Test("Times become whole seconds, also those that no Int could hold")
  func seconds() {
    #expect(wholeSeconds(4_102_444_800.9) == 4_102_444_800 && wholeSeconds(-1.5) == -1)
    #expect(wholeSeconds(.infinity) == .max && wholeSeconds(-1e300) == .min && wholeSeconds(.nan) == 0)
  }
}
