@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing

@Suite("When fields came")
struct RecordDateTests {
  @Test(
    "Random responses and removals: each field has the date of the last response that had it",
    arguments: [(keyCount: 12, seeds: 200, oneIn: 2), (keyCount: 150, seeds: 20, oneIn: 30)])
  func model(keyCount: Int, seeds: Int, oneIn: Int) {
    for seed in 0..<seeds {
      var random = SplitMix(state: UInt64(seed))
      let keys = (0..<keyCount).map { FieldKey.forName("date\($0)") }
      var records = RecordSnapshot(), naive: [FieldKey: UInt32] = [:], values: [FieldKey: Int] = [:]
      func record(_ fields: [FieldKey: Int]) -> ObjectRecord {
        let record = ObjectRecord.make(type: .unknown, capacity: fields.count)
        for key in keys { if let value = fields[key] { record.append(.init(key, .int(value))) } }
        return record
      }
      for step in 1...60 {
        let chosen = keys.filter { _ in Int.random(in: 0..<(step == 1 ? 1 : oneIn), using: &random) == 0 }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          for key in chosen {
            values[key] = nil
            naive[key] = nil
          }
          records.withChunk(of: 3) { $0.setRecord(at: $1, record(values)) }
        default:
          guard !chosen.isEmpty else { continue }
          for key in chosen {
            values[key] = step
            naive[key] = UInt32(step / 2 + 1)
          }
          records.withChunk(of: 3) { $0.setRecord(at: $1, record(values)) }
          records.confirm(
            record(values.filter { chosen.contains($0.key) }), of: 3,
            with: RecordDates(FieldDate(seconds: UInt32(step / 2 + 1))))
        }
        let dates = records.dates(of: 3)
        for key in values.keys {
          #expect(dates.date(of: key).seconds == naive[key], "seed \(seed), step \(step), \(key.name)")
        }
        #expect(!dates.exceptions.contains { $0.date == dates.common }, "they are not exceptions")
        #expect(Set(dates.exceptions.map(\.key)).isSubset(of: values.keys))
      }
    }
  }

  @Test("A response without news moves dates, changes no record and tells no watcher")
  func confirmation() async throws {
    let store = ApolloStore(), told = Locked(0)
    store.clock = { Date(timeIntervalSince1970: 1000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let observer = store.addObserver(ignoring: UUID()) { _ in told.withLock { $0 += 1 } }
    await withCheckedContinuation { done in store.observe(HeroQuery(), for: observer) { _ in done.resume() } }
    let before = store.engine.table
    store.clock = { Date(timeIntervalSince1970: 2000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let after = store.engine.table
    for number in after.numbers {
      #expect(after[number] === before[number])
      #expect(after.records.dates(of: number) == RecordDates(FieldDate(seconds: 2000)))
    }
    await store.waitUntilTold()
    #expect(told.withLock { $0 } == 0)
    #expect(await store.read(HeroQuery()).date == Date(timeIntervalSince1970: 2000))
    store.removeObserver(observer)
  }

  @Test(
    "A response with some fields of a record leaves the dates of the others: a read has the date of its oldest field")
  func parts() async throws {
    let store = ApolloStore()
    store.clock = { Date(timeIntervalSince1970: 1000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "JEDI"))
    store.clock = { Date(timeIntervalSince1970: 2000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "EMPIRE"))
    let table = store.engine.table
    let root = try #require(table.exported(0))
    #expect(root.cachedField(for: #"hero(episode:"JEDI")"#)?.writtenAt == 1000)
    #expect(root.cachedField(for: #"hero(episode:"EMPIRE")"#)?.writtenAt == 2000)
    #expect(root.receivedAt == Date(timeIntervalSince1970: 2000))
    #expect(await store.read(HeroQuery(episode: "JEDI")).date == Date(timeIntervalSince1970: 1000))
    #expect(await store.read(HeroQuery(episode: "EMPIRE")).date == Date(timeIntervalSince1970: 2000))
  }

  @Test("New numbers for records and keys keep the dates; so do a backend and the memory in front of it")
  func keeping() async throws {
    let store = ApolloStore()
    store.clock = { Date(timeIntervalSince1970: 1000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "JEDI"))
    store.clock = { Date(timeIntervalSince1970: 2000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "EMPIRE"))
    let table = store.engine.table, compacted = table.compacted().table
    func exported(_ table: RecordTable) -> [Record] {
      table.numbers.compactMap { table.exported($0) }.sorted { $0.key < $1.key }
    }
    #expect(exported(table) == exported(compacted))
    #expect(exported(table).contains { !$0.dates.isEmpty })

    var other = RecordTable()
    let wanted = other.unloaded(of: exported(table).map { other.number(for: $0.key) })
    other.fill(wanted, with: .records(exported(table)))
    #expect(exported(other) == exported(table))
  }

  @Test("Records of an app bring the dates of their fields")
  func published() async throws {
    var record = Record(key: "A:1", ["a": 1, "b": 2], receivedAt: Date(timeIntervalSince1970: 2000))
    record.dates = ["a": Date(timeIntervalSince1970: 1000)]
    let store = ApolloStore(cache: InMemoryNormalizedCache(records: RecordSet(records: [record])))
    let number = try #require(store.engine.table.records.number(of: "A:1"))
    #expect(store.engine.table.exported(number) == record)
    try await store.publish(
      records: RecordSet(records: [Record(key: "A:1", ["b": 3], receivedAt: Date(timeIntervalSince1970: 3000))]))
    #expect(store.engine.table.exported(number)?.cachedField(for: "a")?.writtenAt == 1000)
    #expect(store.engine.table.exported(number)?.cachedField(for: "b")?.writtenAt == 3000)
  }

  @Test("Dates of an app's records before 1970 are not dates, and those after 2106 are 2106")
  func oddDates() async throws {
    let dates: [(given: Date?, kept: Double)] = [
      (Date(timeIntervalSince1970: -5), 0), (.distantPast, 0), (nil, 0), (.distantFuture, 4_294_967_295),
      (Date(timeIntervalSince1970: .nan), 0), (Date(timeIntervalSince1970: .infinity), 4_294_967_295),
    ]
    for (given, kept) in dates {
      let store = ApolloStore()
      var record = Record(key: "A:1", ["a": 1, "b": 2], receivedAt: given)
      record.dates = given.map { ["a": $0] } ?? [:]
      record.expirations = given.map { ["b": $0] } ?? [:]
      try await store.publish(records: RecordSet(records: [record]))
      let number = try #require(store.engine.table.records.number(of: "A:1"))
      let found = try #require(store.engine.table.exported(number))
      #expect(found.cachedField(for: "a").map { Double($0.writtenAt) } == kept, "\(String(describing: given))")
      #expect(found.expirations["b"]?.timeIntervalSince1970 ?? 0 == kept, "\(String(describing: given))")
    }
  }

  @Test("A field that only the app has written has no date; nor has a record that was removed and written again")
  func local() async throws {
    let store = ApolloStore()
    store.clock = { Date(timeIntervalSince1970: 1000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "JEDI"))
    let data = try await store.load(HeroQuery(episode: "JEDI"))
    try await store.withinReadWriteTransaction { try $0.write(data: data, for: HeroQuery(episode: "EMPIRE")) }
    func writtenAt(_ field: String, of key: CacheKey) throws -> Int64? {
      let table = store.engine.table
      let number = try #require(table.records.number(of: key))
      return table.exported(number)?.cachedField(for: field)?.writtenAt
    }
    #expect(try writtenAt(#"hero(episode:"JEDI")"#, of: "QUERY_ROOT") == 1000)
    #expect(try writtenAt(#"hero(episode:"EMPIRE")"#, of: "QUERY_ROOT") == 0)
    #expect(try writtenAt("name", of: "Droid:2001") == 1000)
    try await store.withinReadWriteTransaction { transaction in
      try transaction.removeObject(for: "Droid:2001")
      try transaction.write(data: data, for: HeroQuery(episode: "EMPIRE"))
    }
    #expect(try writtenAt("name", of: "Droid:2001") == 0)
  }

  @Test("Records that an app publishes without a date give none to new fields, in a store and in a set of records")
  func publishedWithoutDate() async throws {
    let dated = Record(key: "A:1", ["a": 1], receivedAt: Date(timeIntervalSince1970: 1000))
    let undated = RecordSet(records: [Record(key: "A:1", ["a": 2, "b": 2])])
    var set = RecordSet(records: [dated])
    set.merge(records: undated)
    let store = ApolloStore(cache: InMemoryNormalizedCache(records: RecordSet(records: [dated])))
    try await store.publish(records: undated)
    let number = try #require(store.engine.table.records.number(of: "A:1"))
    let records = [set["A:1"], store.engine.table.exported(number)]
    #expect(records[0] == records[1])
    for record in records {
      #expect(record?.cachedField(for: "a")?.writtenAt == 1000)
      #expect(record?.cachedField(for: "b")?.writtenAt == 0)
    }
  }

  @Test("An object that is read by a path through a field has the date of that field")
  func embedded() async throws {
    let store = ApolloStore()
    store.clock = { Date(timeIntervalSince1970: 1000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let read = ReadRequest<Character.Size>(key: "Droid:2001.size", variables: .none)
    #expect(await store.engine.read(read).date == Date(timeIntervalSince1970: 1000))
  }

  @Test("A value that stays because an error came does not become newer")
  func errors() async throws {
    let store = ApolloStore()
    store.clock = { Date(timeIntervalSince1970: 1000) }
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    store.clock = { Date(timeIntervalSince1970: 2000) }
    let partial = #"{"data":{"hero":null},"errors":[{"message":"no","path":["hero"]}]}"#
    _ = try await store.write(response: ResponseBytes(Array(partial.utf8)), for: HeroQuery())
    #expect(try await store.load(HeroQuery()).hero != nil)
    #expect(store.engine.table.exported(0)?.cachedField(for: "hero")?.writtenAt == 1000)
  }
}
