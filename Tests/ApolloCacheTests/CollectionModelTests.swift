import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing

@Suite("Collecting with writes between the steps", .serialized)
struct CollectionModelTests {
  /// What all writes together have left, with the records that can be reached.
  private struct Model {
    var records: [CacheKey: Record.Fields] = [:]
    /// The records that writes have changed since the collection began. (One that was given the values that it had may
    /// be removed, if what referred to it meanwhile no longer does.)
    var touched: Set<CacheKey> = []

    mutating func merge(_ new: [CacheKey: Record.Fields]) {
      for (key, fields) in new {
        let merged = records[key, default: [:]].merging(fields) { $1 }
        if records.updateValue(merged, forKey: key) != merged { touched.insert(key) }
      }
    }

    var reachable: Set<CacheKey> { reachable(from: ["QUERY_ROOT"]) }

    func reachable(from keys: [CacheKey]) -> Set<CacheKey> {
      var reached: Set<CacheKey> = [], waiting = keys
      while let key = waiting.popLast() {
        guard let fields = records[key], reached.insert(key).inserted else { continue }
        for value in fields.values { Self.take(value, &waiting) }
      }
      return reached
    }

    private static func take(_ value: Record.Value, _ keys: inout [CacheKey]) {
      switch value {
      case .reference(let key): keys.append(key)
      case .list(let values): for value in values { take(value, &keys) }
      default: break
      }
    }
  }

  @Test(
    "Nothing that can be reached is lost, and what was garbage before and was not touched is gone",
    arguments: CollectionTests.all, Effort.seeds(1))
  func random(_ place: Collected.Place, _ seed: UInt64) async throws {
    var random = SplitMix(state: seed &* 7919 &+ 1)
    let count = 6000
    func key() -> CacheKey { "N:\(Int.random(in: 0..<count, using: &random))" }
    func fields() -> Record.Fields {
      ["a": .reference(key()), "l": Bool.random(using: &random) ? [.reference(key()), nil] : [], "x": 1]
    }
    var model = Model()
    model.merge(["QUERY_ROOT": ["first": .list((0..<400).map { _ in .reference(key()) })]])
    // From each record at most one other one can be reached, so a part of them is garbage.
    for index in 0..<count {
      model.merge(["N:\(index)": ["a": Bool.random(using: &random) ? .reference(key()) : nil, "l": [], "x": 0]])
    }
    let collected = try await Collected(place, .received(model.records)), store = collected.store
    let garbage = Set(model.records.keys).subtracting(model.reachable)
    #expect(garbage.count > 1000)
    model.touched = []

    let isOver = Locked(false)
    let collection = Task {
      defer { isOver.withLock { $0 = true } }
      return try await store.removeUnreachable()
    }
    while store.engine.state.withLock({ $0.changedFields == nil }), !isOver.withLock({ $0 }) { await Task.yield() }
    // Records that could not be reached at some time, and those that writes have led to.
    var writes = 0, unreachable = garbage, spared: Set<CacheKey> = []
    while !isOver.withLock({ $0 }) {
      // References are moved and taken away, to records that may be garbage, and that a writer would send along.
      var new: [CacheKey: Record.Fields] = [:]
      let target = key()
      let chosen = Array(model.reachable).sorted().randomElement(using: &random) ?? "QUERY_ROOT"
      if chosen != "QUERY_ROOT" { new[chosen] = ["a": .reference(target)] }
      new[target] = model.records[target] ?? ["x": 1]
      if writes % 5 == 0 { new["QUERY_ROOT"] = ["w\(writes)": .reference(target)] }
      if writes % 7 == 0 { new[target] = fields() }
      try await store.publish(records: .received(new))
      model.merge(new)
      unreachable.formUnion(model.records.keys.filter { [reachable = model.reachable] in !reachable.contains($0) })
      spared.formUnion(model.reachable(from: Array(new.keys)))
      writes += 1
      // A write to memory does not suspend, and the collection needs a thread.
      await Task.yield()
    }
    _ = try await collection.value
    let left = Set(collected.records.keys)
    #expect(left.isDisjoint(with: garbage.subtracting(spared)), "seed \(seed)")
    #expect(left.isSuperset(of: model.reachable.subtracting(unreachable)), "seed \(seed)")
    #expect(left.isSuperset(of: model.touched), "seed \(seed)")
    let before = left.count, again = try await store.removeUnreachable()
    #expect(collected.records.count == before - again)
  }
}
