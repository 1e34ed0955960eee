@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

/// Texts that are equal, and have other bytes: Unicode composes their characters in two ways.
@Suite("Texts that differ only in how their characters are composed")
struct ComposedTextTests {
  /// Each is longer than what a string holds without memory of its own, and shorter.
  private static let texts = ["\u{e9}", "a long text with one \u{e9}"]

  private func apart(_ text: String) -> String { text.decomposedStringWithCanonicalMapping }

  @Test("A value takes the bytes that came last, and equal bytes change nothing", arguments: texts)
  func values(text: String) async throws {
    let store = ApolloStore(), other = apart(text)
    #expect(text == other && !text.utf8.elementsEqual(other.utf8))
    for value in [text, other, text] {
      try await store.publish(records: ["A:1": ["x": .string(value), "y": .list([.string(value)])]])
      let record = store.engine.table.exported(["A:1"])["A:1"]
      guard case .string(let x)? = record?["x"], case .list(let list)? = record?["y"], case .string(let y)? = list.first
      else { return #expect(Bool(false), "both are there") }
      #expect(x.utf8.elementsEqual(value.utf8) && y.utf8.elementsEqual(value.utf8))
    }
    #expect(RecordValue.string(text).isSame(as: .string(String(decoding: Array(text.utf8), as: UTF8.self))))
    #expect(!RecordValue.string(text).isSame(as: .string(other)))
  }

  @Test("A backend is given each of two records, and a field has no value of another one")
  func records() throws {
    var table = RecordTable(hasBackend: true), changes = ChangeSet()
    let keys = ["A:\u{e9}", "A:e\u{301}"], names = ["f(t:\"\u{e9}\")", "f(t:\"e\u{301}\")"]
    for (index, key) in keys.enumerated() {
      let record = ObjectRecord.make(type: .unknown, capacity: 2)
      for (value, name) in names.enumerated() {
        record.append(ObjectRecord.Field(table.records.keys.withLock { $0.fieldKey(name) }, .int(10 * index + value)))
      }
      table.merge(record, into: table.number(for: key), dates: RecordDates(), &changes)
    }
    let written = table.backendWrite(of: changes, dated: []).records.flatMap(\.storage.values)
    #expect(Set(written.map { Array($0.key.utf8) }) == Set(keys.map { Array($0.utf8) }))
    #expect(Set(written.map(\.fields)) == [[names[0]: 0], [names[0]: 10]])
  }
}

@Suite("Writes that a backend has refused")
struct RefusedWriteTests {
  @Test("What a response has forbidden to store leaves the backend with the next write")
  func forbidden() async throws {
    let backend = TextCache(), store = ApolloStore(cache: backend)
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let contents = try ResponseReader.read(
      HeroQuery.Data.self, from: bytes(r2d2), variables: HeroQuery().variables, rootKey: "QUERY_ROOT",
      identity: store.identity)
    let records = try #require(contents.records)
    backend.fail()
    let error = await store.publish(records, lifetime: .inMemory)
    #expect(error is TextCache.Failure)
    backend.fail(false)
    #expect(backend.keys.contains("Droid:2001"))
    try await store.publish(records: ["Other:1": ["x": 1]])
    #expect(!backend.keys.contains("Droid:2001") && backend.keys.contains("Other:1"))
  }
}
