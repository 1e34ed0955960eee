@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

/// Each part of a response is stored as the whole response so far. Here, parts are written by one ticket.
@Suite("Responses that come in parts, and what else is written between the parts", .everyStyle)
struct PartRecordsTests {
  /// Whether a part is written as it was read, or as records that an interceptor has read.
  enum Way: CaseIterable { case read, own }

  private static let stores: [@Sendable () -> ApolloStore] = [
    { ApolloStore() }, { ApolloStore(cache: TextCache()) },
  ]

  private static func write(
    _ ticket: SendingTicket, _ way: Way = .read, name: String = "R2-D2", friends: [Int] = [1], size: String = "null",
    hasOpenLists: Bool = false, in store: ApolloStore, fails: Bool = false
  ) async throws {
    let list = friends.map { #"{"__typename":"Human","id":"\#($0)","name":"n"}"# }.joined(separator: ",")
    let hero = #"{"__typename":"Droid","id":"2001","name":"\#(name)","friends":[\#(list)],"size":\#(size)}"#
    let mark = hasOpenLists ? #""@stream":true,"# : ""
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: ResponseBytes(Array(#"{\#(mark)"data":{"hero":\#(hero)}}"#.restyled.utf8)),
      variables: HeroQuery().variables, rootKey: "QUERY_ROOT", identity: ObjectIdentity())
    let batch = try #require(contents.records)
    let records: ResponseRecords =
      way == .read ? .read(batch) : .own(RecordSet(batch, receivedAt: Date(timeIntervalSince1970: 1000)))
    let error = await store.publish(
      records, origin: nil, leavesOutNulls: false, lifetime: nil, completing: nil, sent: ticket)
    #expect((error != nil) == fails)
  }

  private static func begin(in store: ApolloStore) -> SendingTicket {
    let ticket = store.beginSending(.query)
    ticket.expectParts()
    return ticket
  }

  private static func friends(_ store: ApolloStore) async throws -> [String] {
    try await store.load(HeroQuery()).hero?.friends?.compactMap { $0?.id } ?? []
  }

  // MARK: What the app writes

  @Test(
    "What the app writes between two parts stays, and what is new in the later one is there", arguments: Way.allCases)
  func transaction(way: Way) async throws {
    for store in Self.stores.map({ $0() }) {
      let ticket = Self.begin(in: store)
      try await Self.write(ticket, way, in: store)
      try await store.withinReadWriteTransaction { transaction in
        try transaction.updateObject(ofType: Character.self, withKey: "Droid:2001") { $0.name = "mine" }
        try transaction.connection(at: "Droid:2001.friends").remove("Human:1")
      }
      let size = #"{"__typename":"Size","meters":1.5}"#
      for _ in 0..<2 { try await Self.write(ticket, way, size: size, in: store) }
      let hero = try #require(try await store.load(HeroQuery()).hero)
      #expect(hero.name == "mine" && hero.friends == [] && hero.size?.meters == 1.5)
      try await Self.write(ticket, way, name: "C-3PO", size: size, in: store)
      #expect(try await store.load(HeroQuery()).hero?.name == "C-3PO", "the server has another value than before")
      try await Self.write(store.beginSending(.query), way, in: store)
      #expect(try await Self.friends(store) == ["1"], "what is sent later counts")
    }
  }

  @Test("So does what it writes into an object without a key")
  func embedded() async throws {
    let store = ApolloStore(), ticket = Self.begin(in: store)
    try await Self.write(ticket, size: #"{"__typename":"Size","meters":1.5}"#, in: store)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: Character.self, withKey: "Droid:2001") { $0.size?.meters = 9 }
    }
    try await Self.write(ticket, friends: [1, 2], size: #"{"__typename":"Size","meters":1.5}"#, in: store)
    #expect(try await store.load(HeroQuery()).hero?.size?.meters == 9)
    #expect(try await Self.friends(store) == ["1", "2"])
  }

  @Test("An object that was removed between two parts does not come back", arguments: Way.allCases)
  func removal(way: Way) async throws {
    for store in Self.stores.map({ $0() }) {
      let ticket = Self.begin(in: store)
      try await Self.write(ticket, way, in: store)
      try await store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:2001") }
      try await Self.write(ticket, way, friends: [1, 2], in: store)
      #expect(store.dump().contains("Droid:2001\n") == false, "\(store.dump())")
      try await Self.write(store.beginSending(.query), way, in: store)
      #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    }
  }

  @Test("If the store has given its records new numbers, or was cleared, a later part is written as it is")
  func forgotten() async throws {
    let store = ApolloStore(), ticket = Self.begin(in: store)
    try await Self.write(ticket, in: store)
    try await store.clearCache()
    let next = Self.begin(in: store)
    for _ in 0..<2 { try await Self.write(next, in: store) }
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
  }

  @Test("A part that a backend fails to keep comes with the next one", arguments: Way.allCases)
  func unwritten(way: Way) async throws {
    let backend = TextCache(), store = ApolloStore(cache: backend), ticket = Self.begin(in: store)
    backend.fail()
    try await Self.write(ticket, way, in: store, fails: true)
    backend.fail(false)
    try await Self.write(ticket, way, size: #"{"__typename":"Size","meters":1.5}"#, in: store)
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    #expect(try await ApolloStore(cache: backend).load(HeroQuery()).hero?.size?.meters == 1.5)
  }

  @Test("Of an operation that is sent again, all is new", arguments: Way.allCases)
  func sentAgain(way: Way) async throws {
    let store = ApolloStore(), ticket = Self.begin(in: store)
    try await Self.write(ticket, way, in: store)
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:2001") }
    try await Self.write(ticket, way, in: store)
    #expect(store.dump().contains("Droid:2001\n") == false)
    ticket.renew()
    try await Self.write(ticket, way, in: store)
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
  }

  // MARK: Lists that grow

  @Test("If the app has edited a list, and the server's is another one then, that of the server counts as a whole")
  func editedList() async throws {
    let lists = [([1, 2], [2, 3], [1, 2, 3]), ([1, 2, 3], [3, 1, 2], [1, 2, 4]), ([1, 2], [], [1, 2, 3])]
    for (first, edit, last) in lists {
      for way in Way.allCases {
        let store = ApolloStore(), ticket = Self.begin(in: store)
        try await Self.write(ticket, way, friends: first, in: store)
        try await store.withinReadWriteTransaction { transaction in
          let list = transaction.connection(at: "Droid:2001.friends")
          for id in first { try list.remove("Human:\(id)") }
          for id in edit { try list.append("Human:\(id)") }
        }
        try await Self.write(ticket, way, friends: first, in: store)
        // (The cache has no object of a friend that only the edit names.)
        #expect(try await Self.friends(store) == edit.filter(first.contains).map { "\($0)" })
        try await Self.write(ticket, way, friends: last, in: store)
        #expect(try await Self.friends(store) == last.map { "\($0)" })
      }
    }
  }

  @Test(
    "A list that may still grow does not shorten the one in the cache; the complete one does", arguments: Way.allCases)
  func open(way: Way) async throws {
    for store in Self.stores.map({ $0() }) {
      try await Self.write(store.beginSending(.query), friends: [1, 2, 3], in: store)
      let ticket = Self.begin(in: store)
      for friends in [[4], [4, 2]] {
        try await Self.write(ticket, way, name: "new", friends: friends, hasOpenLists: true, in: store)
        #expect(try await Self.friends(store) == ["1", "2", "3"])
        #expect(try await store.load(HeroQuery()).hero?.name == "new")
      }
      try await Self.write(ticket, way, friends: [4, 2], in: store)
      #expect(try await Self.friends(store) == ["4", "2"])
    }
  }

  @Test("A list that the cache does not have grows in it, and so does one that becomes longer than that of the cache")
  func growing() async throws {
    let store = ApolloStore(), ticket = Self.begin(in: store)
    for count in 1...3 {
      try await Self.write(ticket, friends: Array(1...count), hasOpenLists: true, in: store)
      #expect(try await Self.friends(store) == (1...count).map { "\($0)" })
    }
    let next = Self.begin(in: store)
    for friends in [[9], [9, 8, 7], [9, 8, 7, 6]] {
      try await Self.write(next, friends: friends, hasOpenLists: true, in: store)
    }
    #expect(try await Self.friends(store) == ["9", "8", "7", "6"])
  }

  @Test(
    "A list whose rest the server has failed to send does not shorten the one in the cache", arguments: Way.allCases)
  func failed(way: Way) async throws {
    let store = ApolloStore()
    try await Self.write(store.beginSending(.query), friends: [1, 2, 3], in: store)
    try await Self.write(store.beginSending(.query), way, friends: [4], hasOpenLists: true, in: store)
    #expect(try await Self.friends(store) == ["1", "2", "3"])
  }

  @Test("A field that was removed to save memory between two parts comes again with the later one")
  func reduced() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 8000)), ticket = Self.begin(in: store)
    let field = "name(of:1)"
    func fields() async throws -> [String: CachedValue] {
      try await store.withinReadTransaction { transaction in
        try transaction.readOnlyCache.loadRecords(forKeys: ["QUERY_ROOT"])["QUERY_ROOT"]?.fields ?? [:]
      }
    }
    func write(_ fields: [String: CachedValue], at seconds: Double, _ ticket: SendingTicket?) async {
      var record = Record(key: "QUERY_ROOT", fields)
      record.receivedAt = Date(timeIntervalSince1970: seconds)
      let error = await store.publish(
        .own(RecordSet(records: [record])), origin: nil, leavesOutNulls: false, lifetime: nil, completing: nil,
        sent: ticket)
      #expect(error == nil)
    }
    await write([field: "n", "same": "server"], at: 1000, ticket)
    await write(["same": "app"], at: 1000, nil)
    for number in 2..<1000 where try await fields()[field] != nil {
      await write(["name(of:\(number))": "n"], at: 2000, nil)
    }
    #expect(try await fields()[field] == nil)
    await write([field: "n", "same": "server"], at: 3000, ticket)
    #expect(try await fields()[field] == "n")
    #expect(try await fields()["same"] == "app", "only what was removed is as new")
  }

  @Test("A list that is kept does not become newer")
  func dates() async throws {
    let store = ApolloStore()
    store.clock = { Date(timeIntervalSince1970: 1000) }
    try await Self.write(store.beginSending(.query), friends: [1, 2], in: store)
    store.clock = { Date(timeIntervalSince1970: 2000) }
    try await Self.write(Self.begin(in: store), friends: [4], hasOpenLists: true, in: store)
    let table = store.engine.table, number = try #require(table.records.number(of: "Droid:2001"))
    let dates = table.records.dates(of: number)
    #expect(dates.date(of: .forName("friends")).seconds == 1000)
    #expect(dates.date(of: .forName("name")).seconds == 2000)
  }
}
