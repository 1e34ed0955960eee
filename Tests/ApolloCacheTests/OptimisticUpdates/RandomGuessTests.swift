@testable import ApolloAPI
@testable import ApolloCache
import Foundation
import ResponseStyles
import StyledTests
import Testing

/// What a naive store has: numbers in records, and a list of objects.
private struct NaiveRecords: Equatable {
  var numbers: [Step.Cell: Int] = [:]
  var list: [CacheKey] = []
}

/// An edit of the list of objects, as the documentation says it.
private enum Edit: Sendable {
  case append(CacheKey)
  case prepend(CacheKey)
  case insert(CacheKey, before: CacheKey)
  case insertAfter(CacheKey, CacheKey)
  case remove(CacheKey)
  case move(CacheKey, before: CacheKey)
  case moveAfter(CacheKey, CacheKey)

  static func random(_ random: inout SplitMix) -> Edit {
    func key() -> CacheKey { "A:\(Int.random(in: 1...5, using: &random))" }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return .append(key())
    case 1: return .prepend(key())
    case 2: return .insert(key(), before: key())
    case 3: return .insertAfter(key(), key())
    case 4: return .remove(key())
    case 5: return .move(key(), before: key())
    default: return .moveAfter(key(), key())
    }
  }

  func run(_ transaction: ApolloStore.ReadWriteTransaction) throws {
    let list = transaction.connection("list")
    switch self {
    case .append(let key): try list.append(key)
    case .prepend(let key): try list.prepend(key)
    case .insert(let key, let other): try list.insert(key, before: other)
    case .insertAfter(let key, let other): try list.insert(key, after: other)
    case .remove(let key): try list.remove(key)
    case .move(let key, let other): try list.move(key, before: other)
    case .moveAfter(let key, let other): try list.move(key, after: other)
    }
  }

  func run(_ list: inout [CacheKey]) {
    func insert(_ key: CacheKey, before other: CacheKey) { list.insert(key, at: list.firstIndex(of: other) ?? 0) }
    func insert(_ key: CacheKey, after other: CacheKey) {
      list.insert(key, at: list.firstIndex(of: other).map { $0 + 1 } ?? list.count)
    }
    switch self {
    case .append(let key): if !list.contains(key) { list.append(key) }
    case .prepend(let key): if !list.contains(key) { list.insert(key, at: 0) }
    case .insert(let key, let other): if !list.contains(key) { insert(key, before: other) }
    case .insertAfter(let key, let other): if !list.contains(key) { insert(key, after: other) }
    case .remove(let key): list.removeAll { $0 == key }
    case .move(let key, let other):
      guard key != other, let place = list.firstIndex(of: key) else { return }
      list.remove(at: place)
      insert(key, before: other)
    case .moveAfter(let key, let other):
      guard key != other, let place = list.firstIndex(of: key) else { return }
      list.remove(at: place)
      insert(key, after: other)
    }
  }
}

/// A change of records, as a value, so that a model can make it too.
private enum Step: Sendable, CustomStringConvertible {
  case set(Cell, Int)
  case add(Cell, Int)
  case sum(Cell, of: Cell, Cell)
  case remove(CacheKey)
  case edit(Edit)
  /// Throws if the number is odd.
  case check(Cell)

  struct Cell: Hashable, Comparable {
    let key: CacheKey, name: String
    static func < (a: Cell, b: Cell) -> Bool { (a.key, a.name) < (b.key, b.name) }
  }

  static func random(_ random: inout SplitMix, canThrow: Bool) -> Step {
    func cell() -> Cell {
      Cell(key: "A:\(Int.random(in: 1...4, using: &random))", name: ["x", "y", "z"].randomElement(using: &random)!)
    }
    switch Int.random(in: 0..<(canThrow ? 11 : 9), using: &random) {
    case 0...3: return .set(cell(), Int.random(in: 0...3, using: &random))
    case 4, 5: return .add(cell(), 1)
    case 6: return .remove(cell().key)
    case 7, 8: return .edit(.random(&random))
    case 9: return .sum(cell(), of: cell(), cell())
    default: return .check(cell())
    }
  }

  func run(_ guess: Guess) throws {
    switch self {
    case .set(let cell, let value): try guess.set(cell.name, value, of: cell.key)
    case .add(let cell, let difference):
      try guess.set(cell.name, ((try? guess.int(cell.name, of: cell.key)) ?? 0) + difference, of: cell.key)
    case .sum(let cell, let a, let b):
      try guess.set(cell.name, guess.int(a.name, of: a.key) + guess.int(b.name, of: b.key), of: cell.key)
    case .remove(let key): try guess.transaction.removeObject(for: key)
    case .edit(let edit): try edit.run(guess.transaction)
    case .check(let cell): if try guess.int(cell.name, of: cell.key) % 2 == 1 { throw Guess.Failure() }
    }
  }

  func run(_ records: inout NaiveRecords) throws {
    func value(_ cell: Cell) throws -> Int {
      guard let value = records.numbers[cell] else { throw Guess.Failure() }
      return value
    }
    switch self {
    case .set(let cell, let value): records.numbers[cell] = value
    case .add(let cell, let difference): records.numbers[cell, default: 0] += difference
    case .sum(let cell, let a, let b): records.numbers[cell] = try value(a) + value(b)
    case .remove(let key): records.numbers = records.numbers.filter { $0.key.key != key }
    case .edit(let edit): edit.run(&records.list)
    case .check(let cell): if try value(cell) % 2 == 1 { throw Guess.Failure() }
    }
  }

  var description: String {
    switch self {
    case .set(let cell, let value): "\(cell.key).\(cell.name) = \(value)"
    case .add(let cell, let value): "\(cell.key).\(cell.name) += \(value)"
    case .sum(let cell, let a, let b): "\(cell.key).\(cell.name) = \(a.key).\(a.name) + \(b.key).\(b.name)"
    case .remove(let key): "remove \(key)"
    case .edit(let edit): "\(edit)"
    case .check(let cell): "check \(cell.key).\(cell.name)"
    }
  }
}

/// A store that makes its view from scratch for each read.
private struct NaiveGuesses {
  var base = NaiveRecords()
  var layers: [(id: String, steps: [Step])] = []

  var view: NaiveRecords {
    layers.reduce(base) { view, layer in
      var next = view
      do { for step in layer.steps { try step.run(&next) } } catch { return view }
      return next
    }
  }
}

extension OptimisticUpdateTests {
  @Test(
    "Random writes, guesses and their ends are what a model says that starts from scratch each time",
    arguments: Collected.Place.allCases, Effort.seeds(2))
  func random(place: Collected.Place, seed: UInt64) async throws {
    var random = SplitMix(state: seed), model = NaiveGuesses(), log: [String] = []
    let store = try await GuessedStore(place, ["QUERY_ROOT": ["list": .list([])]])
    store.listen()
    for _ in 0..<150 {
      let before = model.view
      let steps = (0...Int.random(in: 0...3, using: &random)).map { _ in Step.random(&random, canThrow: true) }
      let id = ["a", "b", "c", "d"].randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2:
        let own = (0...2).map { _ in Step.random(&random, canThrow: false) }
        log.append("write \(own)")
        for step in own { try? step.run(&model.base) }
        try await store.store.withinReadWriteTransaction { transaction in
          for step in own { try step.run(Guess(transaction: transaction)) }
        }
      case 3...6:
        log.append("guess \(id) \(steps)")
        var next = model
        next.layers.removeAll { $0.id == id }
        var view = next.view
        let fails = (try? steps.forEach { try $0.run(&view) }) == nil
        next.layers.append((id, steps))
        if !fails { model = next }
        do {
          try await store.guess(id) { guess in for step in steps { try step.run(guess) } }
          if fails { Issue.record("It had to throw: \(log)") }
        } catch is Guess.Failure {
          if !fails { Issue.record("It must not throw: \(log)") }
        }
      case 7, 8:
        log.append("end \(id)")
        model.layers.removeAll { $0.id == id }
        try await store.store.revertOptimisticUpdate(id: id)
      default:
        // The result of a guess: it ends, and what it was about is written, in one commit.
        guard let layer = store.store.engine.layers.list.randomElement(using: &random) else { continue }
        log.append("result of \(layer.id) \(steps)")
        model.layers.removeAll { $0.id == layer.id }
        var base = model.base
        if (try? steps.forEach { try $0.run(&base) }) != nil { model.base = base }
        _ = await store.store.complete(
          OptimisticUpdate.Completion(
            token: layer.token,
            changes: [{ transaction in for step in steps { try step.run(Guess(transaction: transaction)) } }],
            identity: ObjectIdentity(), unread: nil), asked: nil)
      }
      let seen = try await store.seen, kept = try await store.kept, told = await store.takeTold()
      let after = model.view
      guard seen == texts(after), kept == texts(model.base) else {
        Issue.record("seen \(seen), wanted \(texts(after)), kept \(kept), wanted \(texts(model.base)), after \(log)")
        return
      }
      // Exactly what is seen differently is told, and at once.
      let numbers = Set(before.numbers.keys).union(after.numbers.keys)
        .filter { before.numbers[$0] != after.numbers[$0] }.map { "\($0.key).\($0.name)" }
      let differences = (numbers + (before.list == after.list ? [] : ["QUERY_ROOT.list"])).sorted()
      // (That a record has gone is told also of one that was made by the same write, if memory had not asked the backend
      // for it before.)
      let named = told.map { $0.filter { !$0.hasPrefix("-") } }.filter { place == .memory || !$0.isEmpty }
      guard named == (differences.isEmpty ? [] : [differences]) else {
        Issue.record("told \(told), wanted \(differences), after \(log)")
        return
      }
    }
  }

  private func texts(_ records: NaiveRecords) -> [String] {
    let list = Record.Value.list(records.list.map { .reference($0) })
    return (records.numbers.map { "\($0.key.key).\($0.key.name) = \($0.value)" } + ["QUERY_ROOT.list = \(list)"])
      .sorted()
  }
}
