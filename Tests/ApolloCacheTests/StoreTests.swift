import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("The store", .everyStyle)
struct StoreTests {
  let store = ApolloStore()

  @Test("What was written reads back")
  func roundTrip() async throws {
    let written = try #require(try await store.write(response: bytes(r2d2), for: HeroQuery()))
    #expect(try await store.load(HeroQuery()) == written)
  }

  @Test("A field with other arguments is another field")
  func arguments() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "EMPIRE"))
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery(episode: .null)) }
    #expect(try await store.load(HeroQuery(episode: "EMPIRE")).hero?.id == "2001")
  }

  @Test("Numbers that an app has written are read as the texts and integers that they are")
  func ownNumbers() async throws {
    let texts: [(Record.Value, String)] = [(.int(2001), "2001"), (.double(7), "7"), (.double(0.5), "0.5")]
    for (value, text) in texts {
      try await store.publish(records: [
        "QUERY_ROOT": ["hero": .reference("Droid:1")],
        "Droid:1": ["__typename": "Droid", "id": value, "name": value, "friends": .null, "size": .null],
      ])
      let hero = try await store.load(HeroQuery()).hero
      #expect(hero?.id == text && hero?.name == text)
    }
    try await store.publish(records: ["Droid:1": ["name": .bool(true)]])
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
  }

  @Test("A miss names the field and its path")
  func miss() async throws {
    _ = try await store.write(
      response: bytes(#"{"hero":{"__typename":"Droid","id":"1","size":null}}"#), for: SizesQuery())
    let error = await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
    #expect(error?.path == ["hero", "name"])
    #expect(error?.reason == .cacheMiss(record: "Droid:1", field: "name"))
  }

  @Test("One object is one record, whichever field it was read through")
  func identity() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    let luke = #"{"hero":{"__typename":"Human","id":"1000","name":"Luke Skywalker","friends":null,"size":null}}"#
    _ = try await store.write(response: bytes(luke), for: HeroQuery(episode: "EMPIRE"))
    #expect(
      try await store.load(HeroQuery()).hero?.friends?.map { $0?.name } == ["Luke Skywalker", nil, "Luke Skywalker"])
  }

  @Test("Objects of different types with equal ids are different records")
  func types() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    let other = r2d2.replacing(#""Droid""#, with: #""Human""#).replacing("R2-D2", with: "Han")
    _ = try await store.write(response: bytes(other), for: HeroQuery(episode: "JEDI"))
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
    #expect(try await store.load(HeroQuery(episode: "JEDI")).hero?.name == "Han")
  }

  @Test("An object without a key belongs to its field, and is merged with what was read of it before")
  func embedded() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    let feet = #"{"hero":{"__typename":"Droid","id":"2001","size":{"__typename":"Size","feet":3.1}}}"#
    _ = try await store.write(response: bytes(feet), for: SizesQuery())
    #expect(try await store.load(HeroQuery()).hero?.size?.meters == 0.96)
    #expect(try await store.load(SizesQuery()).hero?.size?.feet == 3.1)
  }

  @Test("A broken response changes nothing")
  func atomicResponse() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    let broken = r2d2.replacing("R2-D2", with: "changed").replacing("0.96", with: "null")
    await #expect(throws: ResponseDecodingError.self) {
      try await store.write(response: bytes(broken), for: HeroQuery())
    }
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
  }

  @Test("clearCache removes everything")
  func clear() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    try await store.clearCache()
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
  }

  @Test("Cyclic data is read as deep as the query selects")
  func cycle() async throws {
    let json =
      #"{"hero":{"__typename":"Droid","id":"1","name":"a","size":null,"friends":[{"__typename":"Droid","id":"1","name":"a"}]}}"#
    _ = try await store.write(response: bytes(json), for: HeroQuery())
    #expect(try await store.load(HeroQuery()).hero?.friends?.first??.name == "a")
  }

  @Test("Keys with special characters do not collide")
  func escapedKeys() async throws {
    let ids =
      ["a+b", "a\\+b", "ü", "", "a:b", "\u{0}"]
      + (0..<20).map { String(repeating: "a", count: $0) + "+" + String(repeating: "a", count: 20 - $0) }
    for id in ids {
      var writer = __JSONWriter()
      writer.write(id)
      let json = r2d2.replacing(#""2001""#, with: writer.text).replacing(
        "R2-D2", with: "n" + id.unicodeScalars.map { "\($0.value)" }.joined())
      _ = try await store.write(response: bytes(json), for: HeroQuery(episode: .some(id)))
    }
    for id in ids {
      let hero = try await store.load(HeroQuery(episode: .some(id))).hero
      #expect(hero?.id == id)
      #expect(hero?.name == "n" + id.unicodeScalars.map { "\($0.value)" }.joined())
    }
    #expect(store.keys.contains("Droid:aaaaaaaaaa\\+aaaaaaaaaa"))
  }
}

@Suite("Transactions", .everyStyle)
struct TransactionTests {
  let store = ApolloStore()

  @Test("A transaction sees its own writes, and others see them when it is over")
  func update() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    let name = try await store.withinReadWriteTransaction { transaction in
      try transaction.update(query: HeroQuery()) { $0.hero?.name = "Artoo" }
      return try transaction.read(query: HeroQuery()).hero?.name
    }
    #expect(name == "Artoo")
    #expect(try await store.load(HeroQuery()).hero?.name == "Artoo")
  }

  @Test("A transaction that throws changes nothing")
  func rollback() async throws {
    struct Failure: Error {}
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    await #expect(throws: Failure.self) {
      try await store.withinReadWriteTransaction { transaction in
        try transaction.update(query: HeroQuery()) { $0.hero?.name = "Artoo" }
        throw Failure()
      }
    }
    #expect(try await store.load(HeroQuery()).hero?.name == "R2-D2")
  }

  @Test("An object is read, changed and removed by its key")
  func object() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    try await store.withinReadWriteTransaction { transaction in
      try transaction.updateObject(ofType: Character.Friend.self, withKey: "Human:1000") { $0.name = "Luke S." }
    }
    #expect(try await store.load(HeroQuery()).hero?.friends?.first??.name == "Luke S.")
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Human:1000") }
    #expect(try await store.load(HeroQuery()).hero?.friends?.first == .some(nil))
  }
}

@Suite("Observers", .everyStyle)
struct ObserverTests {
  let store = ApolloStore()
  let counter = Locked(0)

  /// How often an observer was told of what was written so far.
  func count() async -> Int {
    await store.waitUntilTold()
    return counter.withLock { $0 }
  }

  func observe(_ query: HeroQuery, origin: UUID = UUID()) async -> ObserverID {
    let counter = counter
    let observer = store.addObserver(ignoring: origin) { _ in counter.withLock { $0 += 1 } }
    await withCheckedContinuation { done in store.observe(query, for: observer) { _ in done.resume() } }
    return observer
  }

  @Test("A change of a field that was read is told once per write; others are not")
  func fields() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    _ = await observe(HeroQuery())
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    #expect(await count() == 0)
    let both = r2d2.replacing("R2-D2", with: "Artoo").replacing("Luke", with: "Luke S.")
    _ = try await store.write(response: bytes(both), for: HeroQuery())
    #expect(await count() == 1)
    let others = r2d2.replacing("2001", with: "7").replacing("1000", with: "8")
    _ = try await store.write(response: bytes(others), for: HeroQuery(episode: "EMPIRE"))
    #expect(await count() == 1)
  }

  @Test("A removed object and a cleared cache are told")
  func removal() async throws {
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    _ = await observe(HeroQuery())
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Human:1000") }
    #expect(await count() == 1)
    try await store.clearCache()
    #expect(await count() == 2)
  }

  @Test("An observer of a query that is not in the cache yet is told when it is")
  func missing() async throws {
    _ = await observe(HeroQuery())
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    #expect(await count() == 1)
  }

  @Test("A removed observer is told nothing")
  func removedObserver() async throws {
    let observer = await observe(HeroQuery())
    store.removeObserver(observer)
    _ = try await store.write(response: bytes(r2d2), for: HeroQuery())
    #expect(await count() == 0)
  }

  @Test("Of a hundred observers of one record, those are told who read the field that changed")
  func manyOfOneRecord() async throws {
    let store = store
    let log = Locked<[Int]>([])
    func told(by write: () async throws -> Void) async rethrows -> [Int] {
      try await write()
      await store.waitUntilTold()
      return log.withLock { numbers in
        defer { numbers = [] }
        return numbers
      }
    }
    func hero(_ name: String, _ number: Int) async throws {
      let json = r2d2.replacing("2001", with: "\(number)").replacing("1000", with: "f\(number)")
      _ = try await store.write(
        response: bytes(json.replacing("R2-D2", with: name)), for: HeroQuery(episode: .some("\(number)")))
    }
    for number in 0..<100 { try await hero("a", number) }
    var observers: [ObserverID] = []
    for number in 0..<100 {
      // Each reads a field of its own of the root.
      let query = HeroQuery(episode: .some("\(number % 50)"))
      let observer = store.addObserver(ignoring: UUID()) { _ in log.withLock { $0.append(number) } }
      await withCheckedContinuation { done in store.observe(query, for: observer) { _ in done.resume() } }
      observers.append(observer)
    }
    let moved = #"{"hero":{"__typename":"Droid","id":"99","name":"a","friends":null,"size":null}}"#
    #expect(try await told { try await hero("b", 7) } == [7, 57])
    let replaced = try await told {
      _ = try await store.write(response: bytes(moved), for: HeroQuery(episode: "7"))
    }
    #expect(replaced == [7, 57], "another object is a change of the root's field")
    // From here on, one of them reads another field.
    let other = HeroQuery(episode: "8")
    await withCheckedContinuation { done in store.observe(other, for: observers[7]) { _ in done.resume() } }
    store.removeObserver(observers[58])
    #expect(
      try await told {
        try await store.withinReadWriteTransaction {
          try $0.removeField("hero", arguments: ["episode": "7"], of: "QUERY_ROOT")
        }
      } == [57])
    #expect(
      try await told {
        try await store.withinReadWriteTransaction {
          try $0.removeField("hero", arguments: ["episode": "8"], of: "QUERY_ROOT")
        }
      } == [7, 8])
    #expect(try await told { try await store.clearCache() } == (0..<100).filter { $0 != 58 })
  }

  @Test("Concurrent writers and readers leave one consistent state")
  func concurrency() async throws {
    let store = store
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for round in 0..<50 {
            let json = r2d2.replacing("R2-D2", with: "\(writer)-\(round)").replacing("Luke", with: "\(writer)-\(round)")
            _ = try? await store.write(response: bytes(json), for: HeroQuery())
          }
        }
        group.addTask {
          for _ in 0..<200 {
            guard let hero = try? await store.load(HeroQuery()).hero else { continue }
            #expect(hero.name == hero.friends?.first??.name, "a read saw half of a write")
          }
        }
      }
    }
  }
}
