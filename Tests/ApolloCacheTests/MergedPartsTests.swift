@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

// MARK: - What the app says

/// Puts a page behind the pages before it.
private struct AppendPage: FieldPolicy.Merger {
  /// When the feeds that are there were written, as functions with an element of this value in their page are told.
  static let times = Locked<[Int: [Int64?]]>([:])

  func merge(
    existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData
  ) -> CachedValue {
    if case .list(let page) = incoming.value, case .int(let first)? = page.first {
      Self.times.withLock { $0[first, default: []].append(existing?.writtenAt) }
    }
    guard case .list(let pages)? = existing?.value, case .list(let page) = incoming.value else { return incoming.value }
    return .list(pages + page)
  }
}

private enum PartsSchema: SchemaMetadata {
  static let configuration: any SchemaConfiguration.Type = PartsConfiguration.self

  static func objectType(forTypename typename: String) -> Object? { Object(typename: typename) }
}

private enum PartsConfiguration: SchemaConfiguration {
  static let fieldMergers: [String: any FieldPolicy.Merger] = [
    "Query.feed": AppendPage(), "Folder.items": AppendPage(),
  ]
}

// MARK: - Models

/// `query Feed { feed folder { items } total }`
private struct FeedQuery: GraphQLQuery {
  static let operationName = "Feed"
  static let operationDocument = OperationDocument("query Feed { feed folder { items } total }")

  func __writeVariables(to writer: inout __JSONWriter) {}

  struct Data: SelectionSet, Hashable {
    var feed: [Int]?
    var folder: Folder?
    var total: Int?

    static var schema: (any SchemaMetadata.Type)? { PartsSchema.self }
    static let __fields = __FieldTable(version: 1, "feed folder total")

    init(__reading object: inout __ObjectReader) throws(__ReadError) {
      feed = try object.read(0)
      folder = try object.read(1)
      total = try object.read(2)
    }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, feed)
      writer.write(1, folder)
      writer.write(2, total)
    }
  }

  struct Folder: SelectionSet, Hashable {
    var items: [Int]?

    static let __fields = __FieldTable(version: 1, "__typename items")

    init(__reading object: inout __ObjectReader) throws(__ReadError) { items = try object.read(1) }

    func __writeFields(to writer: inout __JSONWriter) {
      writer.write(0, "Folder")
      writer.write(1, items)
    }
  }
}

// MARK: - Tests

@Suite("Field mergers, and responses that come in parts", .everyStyle)
struct MergedPartsTests {
  private let store = ApolloStore()

  /// Writes the response so far of an operation with the ticket.
  private func write(
    _ ticket: SendingTicket, feed: [Int]?, items: [Int]? = nil, total: Int? = nil
  ) async throws {
    func text(_ list: [Int]?) -> String { list.map { "\($0)" } ?? "null" }
    let folder = items == nil ? "null" : #"{"__typename":"Folder","items":\#(text(items))}"#
    let body = #"{"data":{"feed":\#(text(feed)),"folder":\#(folder),"total":\#(total.map { "\($0)" } ?? "null")}}"#
    let contents = try Self.read(body)
    let error = await store.publish(try #require(contents.records), sent: ticket)
    #expect(error == nil)
  }

  private static func read(_ body: String) throws -> ResponseReader.Contents<FeedQuery.Data> {
    try ResponseReader.read(
      FeedQuery.Data.self, from: ResponseBytes(Array(body.restyled.utf8)), variables: .none,
      rootKey: GraphQLOperationType.query.rootKey)
  }

  @Test("Data that is expected is merged as the answer is, each time the cache changes below it")
  func expected() async throws {
    try await write(store.beginSending(.query), feed: [1, 2], items: [5])
    let body = #"{"data":{"feed":[9],"folder":{"__typename":"Folder","items":[8]},"total":4}}"#
    let data = try #require(try Self.read(body).data)
    let guess = OptimisticUpdate(id: "g", asked: .current) { try ExpectedAnswer(data, of: FeedQuery()).write(in: $0) }
    try await store.begin(guess)
    var shown = try await store.load(FeedQuery())
    #expect(shown.feed == [1, 2, 9] && shown.folder?.items == [5, 8] && shown.total == 4)
    try await write(store.beginSending(.query), feed: [3])
    #expect(try await feed() == [1, 2, 3, 9])
    await store.revert(guess)
    shown = try await store.load(FeedQuery())
    #expect(shown.feed == [1, 2, 3] && shown.total == nil)
  }

  @Test("A function that merges what is expected is told when what is there was written")
  func times() async throws {
    store.clock = { Date(timeIntervalSince1970: 500) }
    try await write(store.beginSending(.query), feed: [1, 2])
    let value = Int.random(in: 1_000_000...1_000_000_000)
    let data = try #require(
      try Self.read(#"{"data":{"feed":[\#(value)],"folder":null,"total":null}}"#).data)
    try await store.begin(
      OptimisticUpdate(id: "g", asked: .current) { try ExpectedAnswer(data, of: FeedQuery()).write(in: $0) })
    #expect(AppendPage.times.withLock { $0[value].map(Set.init) } == [500])
  }

  private func feed() async throws -> [Int]? { try await store.load(FeedQuery()).feed }

  @Test("A value that comes again with a later part is merged once")
  func deferred() async throws {
    try await write(store.beginSending(.query), feed: [1, 2], items: [5])
    let ticket = store.beginSending(.query)
    ticket.expectParts()
    try await write(ticket, feed: [3], items: [6])
    try await write(ticket, feed: [3], items: [6], total: 7)
    let data = try await store.load(FeedQuery())
    #expect(data.feed == [1, 2, 3] && data.folder?.items == [5, 6] && data.total == 7)
  }

  @Test("A list that grows is merged with what was there before the first part")
  func streamed() async throws {
    try await write(store.beginSending(.query), feed: [1, 2])
    let ticket = store.beginSending(.query)
    ticket.expectParts()
    for page in [[3], [3, 4], [3, 4, 5]] { try await write(ticket, feed: page) }
    #expect(try await feed() == [1, 2, 3, 4, 5])
  }

  @Test("A value that comes with a later part only is merged with what is there")
  func late() async throws {
    try await write(store.beginSending(.query), feed: [1])
    let ticket = store.beginSending(.query)
    ticket.expectParts()
    try await write(ticket, feed: [2])
    try await write(ticket, feed: [2], items: [6])
    let data = try await store.load(FeedQuery())
    #expect(data.feed == [1, 2] && data.folder?.items == [6])
  }

  @Test("What another operation writes between two parts stays")
  func between() async throws {
    let ticket = store.beginSending(.query)
    ticket.expectParts()
    try await write(ticket, feed: [1])
    try await write(store.beginSending(.query), feed: [2])
    try await write(ticket, feed: [1], total: 7)
    #expect(try await feed() == [1, 2])
  }

  @Test("What another operation writes between two parts stays also where the value grows")
  func betweenGrowing() async throws {
    let ticket = store.beginSending(.query)
    ticket.expectParts()
    try await write(ticket, feed: [1])
    try await write(store.beginSending(.query), feed: [2])
    try await write(ticket, feed: [1, 3])
    #expect(try await feed()?.contains(2) == true)
  }

  @Test("What is removed between two parts does not come back", arguments: [[3], [3, 4]])
  func removed(last: [Int]) async throws {
    try await write(store.beginSending(.query), feed: [1, 2])
    let ticket = store.beginSending(.query)
    ticket.expectParts()
    try await write(ticket, feed: [3])
    try await store.withinReadWriteTransaction { try $0.removeField("feed", of: "QUERY_ROOT") }
    try await write(ticket, feed: last, total: 7)
    #expect(try await feed() == last)
  }

  @Test("Equal answers to two operations are merged one after the other")
  func equal() async throws {
    for _ in 0..<2 { try await write(store.beginSending(.query), feed: [1]) }
    #expect(try await feed() == [1, 1])
  }
}
