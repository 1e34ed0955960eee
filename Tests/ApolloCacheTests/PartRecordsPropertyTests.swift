@testable import ApolloAPI
@testable import ApolloCache
import ResponseStyles
import StyledTests
import Testing

private typealias Fields = [String: CachedValue]

/// What a record has, by a model: a part writes what differs from the part before.
private struct NaiveRecord {
  /// What the cache has; nil if there is no record.
  var fields: Fields?
  /// What the part before had, but for lists that were left out; nil before the first part.
  private var before: Fields?

  mutating func take(_ part: Fields, isOpen: Bool) {
    defer { if before == nil { before = part } }
    guard let cached = fields else {
      if before == nil { fields = part }
      return before = part
    }
    var (kept, noted) = (cached, before ?? [:])
    Self.take(part, isOpen, &kept, &noted)
    (fields, before) = (kept, noted)
  }

  private static func take(_ part: Fields, _ isOpen: Bool, _ cached: inout Fields, _ before: inout Fields) {
    for (name, value) in part where before[name] != value {
      if case .object(let new) = value, case .object(var there)? = cached[name] {
        var earlier: Fields = [:]
        if case .object(let object)? = before[name] { earlier = object }
        take(new, isOpen, &there, &earlier)
        (cached[name], before[name]) = (.object(there), .object(earlier))
      } else if isOpen, case .list(let new) = value, case .list(let there)? = cached[name], new.count < there.count {
        continue
      } else {
        (cached[name], before[name]) = (value, value)
      }
    }
  }

  mutating func forgetParts() { before = nil }

  /// Nothing leads to the record. Unless the app has removed it before, it is as new with the next part.
  mutating func collect() {
    guard fields != nil else { return }
    fields = nil
    forgetParts()
  }

  /// A change of the app.
  mutating func merge(_ new: Fields) {
    fields = (fields ?? [:]).merging(new) { old, new in
      guard case .object(let old) = old, case .object(let new) = new else { return new }
      return .object(old.merging(new) { $1 })
    }
  }
}

@Suite("Parts of a response, with everything that an app may do between them")
struct PartRecordsPropertyTests {
  private static func value(_ name: String, _ random: inout SplitMix) -> CachedValue {
    switch name {
    case "list", "tags":
      let numbers = (1...5).shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
      return .list(numbers.map { name == "list" ? .reference("o\($0)") : .string("t\($0)") })
    case "object":
      var fields: Fields = [:]
      for name in ["size", "list"] { fields[name] = value(name, &random) }
      return .object(fields)
    default: return .int(Int.random(in: 0...3, using: &random))
    }
  }

  /// The answer so far, after a later part of it: lists grow or are others, and fields have other values.
  private static func change(_ answer: inout Fields, _ random: inout SplitMix) {
    for (name, old) in answer.sorted(by: { $0.key < $1.key }) where Bool.random(using: &random) {
      switch old {
      case .list(let elements) where Int.random(in: 0...3, using: &random) > 0:
        let number = Int.random(in: 1...5, using: &random)
        let new: CachedValue = name == "list" ? .reference("o\(number)") : .string("t\(number)")
        if !elements.contains(new) { answer[name] = .list(elements + [new]) }
      case .object(var fields):
        change(&fields, &random)
        answer[name] = .object(fields)
      default: answer[name] = value(name, &random)
      }
    }
  }

  @Test(
    "Random parts and changes leave what a model has: what is as in the part before is left alone",
    arguments: Effort.seeds(20), [true, false])
  func random(seed: UInt64, isInMemory: Bool) async throws {
    var random = SplitMix(state: seed), naive = NaiveRecord(), answer: Fields = [:], log: [String] = []
    let store = isInMemory ? ApolloStore() : ApolloStore(cache: TextCache())
    let ticket = store.beginSending(.query), names = ["list", "name", "object", "size", "tags"]
    ticket.expectParts()
    for name in names { answer[name] = Self.value(name, &random) }
    for _ in 0..<40 {
      switch Int.random(in: 0..<17, using: &random) {
      case 0..<7:
        if Bool.random(using: &random) { Self.change(&answer, &random) }
        var records = RecordSet(records: [Record(key: "r", answer)])
        let isOpen = Bool.random(using: &random)
        records.hasOpenLists = isOpen
        log.append("part \(answer), open: \(isOpen)")
        let error = await store.publish(
          .own(records), origin: nil, leavesOutNulls: false, lifetime: nil, completing: nil, sent: ticket)
        #expect(error == nil)
        naive.take(answer, isOpen: isOpen)
      case 7..<12:
        var fields: Fields = [:]
        for name in names where Int.random(in: 0...2, using: &random) == 0 { fields[name] = Self.value(name, &random) }
        if case .object(var object)? = fields["object"], Bool.random(using: &random) {
          object[Bool.random(using: &random) ? "list" : "size"] = nil
          fields["object"] = .object(object)
        }
        guard !fields.isEmpty else { continue }
        log.append("the app writes \(fields)")
        let written = RecordSet(records: [Record(key: "r", fields)])
        try await store.withinReadWriteTransaction { _ = try $0.cache.merge(records: written) }
        naive.merge(fields)
      case 12, 13:
        let name = names.randomElement(using: &random) ?? "name"
        log.append("the app removes \(name)")
        try await store.withinReadWriteTransaction { try $0.removeField(name, of: "r") }
        naive.fields?[name] = nil
      case 14:
        log.append("the app removes the record")
        try await store.withinReadWriteTransaction { try $0.removeObject(for: "r") }
        naive.fields = nil
      case 15:
        log.append("a collection")
        try await store.removeUnreachable()
        naive.collect()
      default:
        log.append("it is sent again")
        ticket.renew()
        naive.forgetParts()
      }
      let record = try await store.withinReadTransaction { try $0.readOnlyCache.loadRecords(forKeys: ["r"])["r"] }
      try #require(record?.fields ?? [:] == naive.fields ?? [:], "\(log.joined(separator: "\n"))")
    }
  }
}
