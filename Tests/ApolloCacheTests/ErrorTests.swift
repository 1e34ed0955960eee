import ApolloAPI
import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Errors of fields in the cache", .everyStyle)
struct CachedErrorTests {
  let store = ApolloStore()

  func response(_ data: String, _ errors: String, errorsFirst: Bool = false) -> ResponseBytes {
    let parts = [#""data":\#(data)"#, #""errors":\#(errors)"#]
    return ResponseBytes(Array("{\((errorsFirst ? parts.reversed() : parts).joined(separator: ","))}".restyled.utf8))
  }

  let withoutSize = #"{"hero":{"__typename":"Droid","id":"2001","name":"R2-D2","friends":null,"size":null}}"#
  let sizeFailed = #"[{"message":"no size","path":["hero","size","meters"],"extensions":{"code":"X"}}]"#

  @Test(
    "An error is kept where the field lives, and comes back with the path of the query that reads it",
    arguments: [true, false])
  func kept(errorsFirst: Bool) async throws {
    try await store.write(response: response(withoutSize, sizeFailed, errorsFirst: errorsFirst), for: HeroQuery())
    let reading = await store.read(HeroQuery())
    #expect(try reading.data.get().hero?.size == nil)
    #expect(reading.errors.map(\.message) == ["no size"])
    #expect(reading.errors.first?.path == ["hero", "size", "meters"])
    #expect(reading.errors.first?.extensions?["code"] as? String == "X")
    #expect(reading.errors.first?.path?.count == 3)
    // The friend is the same droid, on another way.
    _ = try await store.write(
      response: bytes(#"{"hero":{"__typename":"Droid","id":"2001","size":null}}"#), for: SizesQuery())
    #expect(await store.read(HeroQuery()).errors.isEmpty, "null is a value, and takes the place of the error")
  }

  @Test("An error does not replace a value, unless asked")
  func values() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    try await store.write(response: response(withoutSize, sizeFailed), for: HeroQuery())
    #expect(try await store.load(HeroQuery()).hero?.size?.meters == 0.96)
    #expect(await store.read(HeroQuery()).errors.isEmpty)
    store.errorsReplaceCachedValues = true
    try await store.write(response: response(withoutSize, sizeFailed), for: HeroQuery())
    #expect(try await store.load(HeroQuery()).hero?.size == nil)
    #expect(await store.read(HeroQuery()).errors.count == 1)
  }

  @Test("Records that an interceptor has read follow the same rule", arguments: [true, false])
  func records(isReplaced: Bool) async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    store.errorsReplaceCachedValues = isReplaced
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: response(withoutSize, sizeFailed), variables: HeroQuery().variables,
      rootKey: "QUERY_ROOT", identity: store.identity)
    let batch = try #require(contents.records)
    try await store.publish(records: RecordSet(batch, receivedAt: Date(timeIntervalSince1970: 1000)))
    #expect(try await store.load(HeroQuery()).hero?.size?.meters == (isReplaced ? nil : 0.96))
    #expect(await store.read(HeroQuery()).errors.count == (isReplaced ? 1 : 0))
  }

  @Test("A value replaces an error")
  func recovery() async throws {
    try await store.write(response: response(withoutSize, sizeFailed), for: HeroQuery())
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    #expect(await store.read(HeroQuery()).errors.isEmpty)
    #expect(try await store.load(HeroQuery()).hero?.size?.meters == 0.96)
  }

  @Test("An error in a list stands in the place of its element, and keeps the elements that were there")
  func lists() async throws {
    let failed = r2d2.replacing(#"null,{"__typename":"Human"#, with: #"null,null,{"__typename":"Human"#)
    let error = #"[{"message":"no friend","path":["hero","friends",1]}]"#
    try await store.write(response: response(failed, error), for: HeroQuery())
    let reading = await store.read(HeroQuery())
    #expect(try reading.data.get().hero?.friends?.map { $0?.id } == ["1000", nil, nil, "1000"])
    #expect(reading.errors.map(\.path) == [["hero", "friends", 1]])
    let whole = failed.replacing("null,null,", with: #"{"__typename":"Human","id":"7","name":"x"},null,"#)
    try await store.write(response: bytes(whole), for: HeroQuery())
    try await store.write(response: response(failed, error), for: HeroQuery())
    #expect(try await store.load(HeroQuery()).hero?.friends?.map { $0?.id } == ["1000", "7", nil, "1000"])
  }

  @Test("An error at the root, and errors without a path or with one that leads nowhere")
  func oddPaths() async throws {
    let errors =
      #"[{"message":"root","path":["hero"]},{"message":"none"},{"message":"far","path":["x",1,"y"]},{"message":"odd","path":7}]"#
    try await store.write(response: response(#"{"hero":null}"#, errors), for: HeroQuery())
    #expect(await store.read(HeroQuery()).errors.map(\.message) == ["root"])
  }

  @Test("A backend keeps errors")
  func backend() async throws {
    let backend = TextCache()
    try await ApolloStore(cache: backend).write(response: response(withoutSize, sizeFailed), for: HeroQuery())
    #expect(await ApolloStore(cache: backend).read(HeroQuery()).errors.first?.path == ["hero", "size", "meters"])
  }
}
