import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing

@Suite("Collecting in slices of large records", .serialized)
struct CollectionSliceTests {
  // MARK: A naive model

  /// Records with values of all kinds inside of each other.
  private struct RandomRecords {
    var random: SplitMix
    let keys: Int

    mutating func records(listLength: Int) -> [CacheKey: Record.Fields] {
      var records: [CacheKey: Record.Fields] = [:]
      for key in 0..<keys { records["A:\(key)"] = fields(3) }
      var root = fields(4)
      root["long"] = .list((0..<listLength).map { _ in reference() })
      root["objects"] = .list((0..<listLength / 4).map { ["x": .int($0), "to": reference(), "in": value(2)] })
      records["QUERY_ROOT"] = root
      records["A:wide"] = Record.Fields(uniqueKeysWithValues: (0..<listLength / 4).map { ("f(n:\($0))", value(1)) })
      return records
    }

    mutating func reference() -> Record.Value { .reference("A:\(Int.random(in: 0..<keys * 2, using: &random))") }

    mutating func fields(_ depth: Int) -> Record.Fields {
      var fields: Record.Fields = ["x": 1]
      for name in ["a", "b", "c", "d"] where Bool.random(using: &random) { fields[name] = value(depth) }
      return fields
    }

    mutating func value(_ depth: Int) -> Record.Value {
      switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
      case 0: return reference()
      case 1: return "text"
      case 2: return nil
      case 3: return .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in reference() })
      case 4: return .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1) })
      default: return .object(fields(depth - 1))
      }
    }
  }

  /// A record without references to records that are not among some keys, and the paths of what was removed.
  private static func cut(
    _ fields: Record.Fields, _ keys: Set<CacheKey>, _ path: String, _ names: inout Set<String>
  ) -> Record.Fields {
    var result: Record.Fields = [:]
    for (name, value) in fields { result[name] = cut(value, keys, "\(path).\(name)", &names) }
    return result
  }

  private static func cut(
    _ value: Record.Value, _ keys: Set<CacheKey>, _ path: String, _ names: inout Set<String>
  ) -> Record.Value? {
    switch value {
    case .reference(let key):
      guard !keys.contains(key) else { return value }
      names.insert(path)
      return nil
    case .object(let fields): return .object(cut(fields, keys, path, &names))
    case .list(let values):
      return .list(values.enumerated().map { cut($1, keys, "\(path).\($0)", &names) ?? .null })
    default: return value
    }
  }

  @Test(
    "What is removed is what a naive model removes, at any place inside of lists and objects",
    arguments: CollectionTests.all, Effort.seeds(1))
  func dangling(_ place: Collected.Place, _ seed: UInt64) async throws {
    var random = RandomRecords(random: SplitMix(state: seed &* 7919 &+ 3), keys: 100)
    let records = random.records(listLength: place == .memory ? 12_000 : 6_000)
    let collected = try await Collected(place, .received(records))
    // Records that never came are gone as well.
    let keys = Set(records.keys), written = collected.records
    var names: Set<String> = []
    let wanted = written.reduce(into: [CacheKey: Record.Fields]()) {
      $0[$1.key] = Self.cut($1.value, keys, $1.key, &names)
    }
    let garbage = try await collected.store.removeDanglingReferences()
    #expect(names.count > 3000)
    #expect(Set(garbage.removedFields) == names && garbage.removedFields.count == names.count, "seed \(seed)")
    #expect(collected.records == wanted, "seed \(seed)")
    #expect(try await collected.store.removeDanglingReferences().isEmpty)
  }

  // MARK: Steps

  private static let count = 20_000

  private enum Shape: CaseIterable {
    case references, objects, mixed, fields, nested
  }

  /// A root with many references in one value, or in many fields.
  private static func root(_ shape: Shape) -> Record.Fields {
    let references = (0..<count).map { Record.Value.reference("A:\($0 % 10)") }
    return switch shape {
    case .references: ["list": .list(references)]
    case .objects: ["list": .list(references.map { ["to": $0] })]
    case .mixed: ["list": .list(references + [["x": 1]])]
    case .fields: Record.Fields(uniqueKeysWithValues: references.enumerated().map { ("f(n:\($0))", $1) })
    case .nested:
      ["in": ["in": ["list": .list((0..<1000).map { .list(Array(references[$0 * 20..<$0 * 20 + 20])) })]]]
    }
  }

  @Test("No step looks at a large record as a whole, whatever is large in it", arguments: Shape.allCases)
  private func steps(_ shape: Shape) async throws {
    var records: [CacheKey: Record.Fields] = ["QUERY_ROOT": Self.root(shape)]
    for index in 0..<9 { records["A:\(index)"] = ["x": 1] }
    let store = ApolloStore()
    try await store.publish(records: .received(records))
    let fewest = Self.count / Collector.valueCount
    let dangling = try await store.engine.collect("dangling") { collector in
      (try await collector.removeDanglingReferences().removedFields.count, collector.stepCount)
    }
    #expect(dangling.0 == Self.count / 10 && dangling.1 >= fewest)
    let unreachable = try await store.engine.collect("unreachable") { collector in
      (try await collector.removeUnreachable().removedRecords.count, collector.stepCount)
    }
    #expect(unreachable.0 == 0 && unreachable.1 >= fewest * 9 / 10)
  }

  @Test("Many records with many references each take more steps than there are thousands of them")
  func sums() async throws {
    let store = ApolloStore()
    let references = Record.Value.list((0..<200).map { .reference("A:\($0)") })
    try await store.publish(
      records: .received(
        Dictionary(uniqueKeysWithValues: (0..<1000).map { ("A:\($0)", ["list": references]) }).merging([
          "QUERY_ROOT": ["list": references]
        ]) { $1 }))
    let steps = try await store.engine.collect("both") { collector in
      _ = try await collector.removeDanglingReferences()
      let steps = collector.stepCount
      _ = try await collector.removeUnreachable()
      return [steps, collector.stepCount - steps]
    }
    // Of these records, 200 can be reached.
    #expect(steps[0] >= 200_000 / Collector.valueCount && steps[1] >= 40_000 / Collector.valueCount)
  }

  @Test("Old fields of a record with very many are removed in steps", arguments: CollectionTests.all)
  func staleFields(_ place: Collected.Place) async throws {
    let count = 6_000, old = (0..<count).filter { $0 % 3 != 0 }.map { "f(n:\($0))" }
    let fields = Record.Fields(uniqueKeysWithValues: (0..<count).map { ("f(n:\($0))", .int($0)) })
    let expirations = Dictionary(uniqueKeysWithValues: old.map { ("QUERY_ROOT.\($0)", 60.0) })
    let collected = try await Collected(
      place,
      .received(["QUERY_ROOT": fields, "A:1": ["x": 1, "y": 1]], expiring: expirations.merging(["A:1.x": 60]) { $1 }))
    collected.wait(60)
    let result = try await collected.store.engine.collect("stale") { collector in
      (try await collector.removeStaleFields(0).removedFields, collector.stepCount)
    }
    #expect(Set(result.0) == Set(expirations.keys).union(["A:1.x"]) && result.0.count == old.count + 1)
    #expect(result.1 >= count / Collector.valueCount)
    let kept = Set(fields.keys).subtracting(old)
    #expect(collected.records["QUERY_ROOT"] == fields.filter { kept.contains($0.key) })
    #expect(collected.records["A:1"] == ["y": 1])
  }

  // MARK: Writes between the steps

  private static func references(_ table: RecordTable) -> [Int32] {
    guard case .references(let numbers)? = table[0]?.value(of: .forName("long")) else { return [] }
    return numbers
  }

  @Test(
    "A reference goes only if its record is absent at that time, and what is written meanwhile is not lost",
    arguments: Effort.seeds(3))
  func writes(_ seed: UInt64) async throws {
    var random = SplitMix(state: seed &* 104_729 &+ 5)
    let store = ApolloStore(), count = 60_000, keys = 2000
    func list() -> Record.Value {
      .list((0..<count).map { _ in .reference("A:\(Int.random(in: 0..<keys, using: &random))") })
    }
    var records: [CacheKey: Record.Fields] = ["QUERY_ROOT": ["first": list(), "long": list(), "last": list()]]
    for key in 0..<keys / 2 { records["A:\(key)"] = ["x": 1] }
    try await store.publish(records: .received(records))
    let isOver = Locked(false), lists = (0..<3).map { _ in list() }
    let collection = Task {
      defer { isOver.withLock { $0 = true } }
      return try await store.removeDanglingReferences()
    }
    while store.engine.state.withLock({ $0.changedFields == nil }), !isOver.withLock({ $0 }) { await Task.yield() }
    var writes = 0, lost = 0
    var before = store.engine.table
    while !isOver.withLock({ $0 }) {
      // All that the collection has done since the last write is seen between these two tables.
      let after = store.engine.table
      // Absent records come back, and sometimes the list is written anew.
      try await store.publish(records: ["A:\(Int.random(in: 0..<keys, using: &random))": ["x": 1]])
      if seed % 2 == 1, writes % 8 == 0 {
        try await store.publish(records: ["QUERY_ROOT": ["long": lists[writes % 3]]])
      }
      writes += 1
      let next = store.engine.table
      for (old, new) in zip(Self.references(before), Self.references(after))
      where old != new && (new >= 0 || before[old] != nil) {
        lost += 1
      }
      before = next
      await Task.yield()
    }
    _ = try await collection.value
    #expect(lost == 0 && writes > 0, "seed \(seed)")
    let table = store.engine.table
    if case .references(let numbers)? = table[0]?.value(of: .forName("last")) {
      let left = numbers.filter { $0 >= 0 && table[$0] == nil }
      #expect(left.isEmpty, "a field that was not written is free of them, seed \(seed)")
    }
    _ = try await store.removeDanglingReferences()
    let end = store.engine.table
    #expect(Self.references(end).allSatisfy { $0 < 0 || end[$0] != nil }, "seed \(seed)")
  }

  private enum Kind: CaseIterable {
    case dangling, unreachable
  }

  /// Writes again and again while a collection takes place.
  ///
  /// - Parameters:
  ///   - kind: What is collected.
  ///   - store: The store.
  ///   - limit: How often it writes, at most.
  ///   - records: Makes what it writes, by how often it has written.
  /// - Returns: How many steps the collection has taken.
  private static func steps(
    _ kind: Kind, in store: ApolloStore, limit: Int, writing records: (Int) -> RecordSet
  ) async throws -> Int {
    let isOver = Locked(false)
    let collection = Task {
      defer { isOver.withLock { $0 = true } }
      return try await store.engine.collect("steps") { collector in
        switch kind {
        case .dangling: _ = try await collector.removeDanglingReferences()
        case .unreachable: _ = try await collector.removeUnreachable()
        }
        return collector.stepCount
      }
    }
    while store.engine.state.withLock({ $0.changedFields == nil }), !isOver.withLock({ $0 }) { await Task.yield() }
    var writes = 0
    while !isOver.withLock({ $0 }), writes < limit {
      writes += 1
      try await store.publish(records: records(writes))
      await Task.yield()
    }
    return try await collection.value
  }

  @Test("Writes to a long list cannot keep a collection from its end", arguments: Kind.allCases)
  private func ending(_ kind: Kind) async throws {
    let store = ApolloStore()
    let lists = (0..<2).map { part in
      Record.Value.list((0..<20_000).map { .reference("A:\($0 * 2 + part)") })
    }
    try await store.publish(records: ["QUERY_ROOT": ["long": lists[0]]])
    let steps = try await Self.steps(kind, in: store, limit: 10_000) { ["QUERY_ROOT": ["long": lists[$0 % 2]]] }
    // There is a page for each 500 of the 40,000 numbers. To find what can be reached takes as many steps again.
    #expect(steps < (kind == .dangling ? 100 : 250))
  }

  @Test("Nor can writes of many new records", arguments: Kind.allCases)
  private func newRecords(_ kind: Kind) async throws {
    let store = ApolloStore()
    /// A list of some records, and the records.
    func records(_ part: Int, _ count: Int) -> RecordSet {
      let keys = (0..<count).map { "A:\(part):\($0)" }
      var records: [CacheKey: Record.Fields] = [
        "QUERY_ROOT": ["part(n:\(part))": .list(keys.map { .reference($0) })]
      ]
      for key in keys { records[key] = ["x": 1] }
      return .received(records)
    }
    try await store.publish(records: records(0, 4000))
    let steps = try await Self.steps(kind, in: store, limit: 500) { records($0, 1500) }
    #expect(steps < 100)
  }
}
