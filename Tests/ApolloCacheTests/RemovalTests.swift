import ApolloAPI
@testable import ApolloCache
import Foundation
import StyledTests
import Testing

@Suite("Removing and forgetting", .everyStyle)
struct RemovalTests {
  let store = ApolloStore()

  @Test(
    "A reference to a removed object is a miss with the path of the reference, and nil in a list of what may be null")
  func dangling() async throws {
    let backend = TextCache()
    for store in [ApolloStore(), ApolloStore(cache: backend)] {
      try await store.write(response: bytes(r2d2), for: HeroQuery())
      try await store.withinReadWriteTransaction { try $0.removeObject(for: "Human:1000") }
      #expect(try await store.load(HeroQuery()).hero?.friends == [nil, nil, nil])
      #expect(store.keys == ["Droid:2001", "QUERY_ROOT"])
      try await store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:2001") }
      let error = await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
      #expect(error?.path == ["hero"])
    }
    try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery())
    try backend.removeRecord(for: "Human:1000")
    #expect(
      try await ApolloStore(cache: backend).load(HeroQuery()).hero?.friends == [nil, nil, nil], "it was reopened")
  }

  @Test("A removed object in a list that is watched is nil; when it comes again, the watcher is told")
  func watched() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let names = Locked<[[String?]]>([])
    let store = store
    @Sendable func add(_ reading: ReadResult<HeroQuery.Data>) {
      let friends = (try? reading.data.get())?.hero?.friends
      names.withLock { $0.append((friends ?? []).map { $0?.name }) }
    }
    let id = Locked<ObserverID?>(nil)
    let observer = store.addObserver(ignoring: UUID()) { state in
      if let id = id.withLock({ $0 }) { await state.observe(HeroQuery(), for: id) { add($0) } }
    }
    id.withLock { $0 = observer }
    await withCheckedContinuation { done in
      store.observe(HeroQuery(), for: observer) {
        add($0)
        done.resume()
      }
    }
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Human:1000") }
    await store.waitUntilTold()
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    await store.waitUntilTold()
    #expect(names.withLock { $0 } == [["Luke", nil, "Luke"], [nil, nil, nil], ["Luke", nil, "Luke"]])
    store.removeObserver(observer)
  }

  @Test("A part is read from a backend as from memory, and what it has not loaded yet is not a miss")
  func partFromBackend() async throws {
    let backend = TextCache()
    try await ApolloStore(cache: backend).write(response: bytes(r2d2), for: HeroQuery())
    try await ApolloStore(cache: backend).withinReadWriteTransaction { try $0.removeField("name", of: "Human:1000") }
    let reopened = ApolloStore(cache: backend)
    let reading = await reopened.read(HeroQuery(), returnsPartialData: true)
    #expect(try reading.data.get().hero?.friends == [nil, nil, nil])
    #expect(reading.errors.map(\.path) == [["hero", "friends", 0, "name"], ["hero", "friends", 2, "name"]])
    let whole = ApolloStore(cache: backend)
    try await whole.write(response: bytes(r2d2), for: HeroQuery())
    #expect(await ApolloStore(cache: backend).read(HeroQuery(), returnsPartialData: true).errors.isEmpty)
  }

  @Test("A record that a size limit has removed is missing, and not nil")
  func evicted() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 2000))
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    for number in 0..<50 {
      try await store.publish(records: ["Other:\(number)": ["text": .string(String(repeating: "x", count: 100))]])
    }
    #expect(!store.keys.contains("Human:1000"))
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
    let compacted = store.engine.table.compacted().table
    if let human = compacted.records.number(of: "Human:1000") { #expect(!compacted.records.isGone(human)) }
  }

  @Test("Removal by a part of the keys in any case, or by a pattern for whole keys")
  func patterns() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "human") }
    #expect(store.keys == ["Droid:2001", "QUERY_ROOT"])
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "droid:*") }
    #expect(store.keys == ["Droid:2001", "QUERY_ROOT"])
    try await store.withinReadWriteTransaction { try $0.removeObjects(matching: "Droid:*") }
    #expect(store.keys == ["QUERY_ROOT"])
  }

  @Test("A field is removed with all arguments, or with certain ones")
  func fields() async throws {
    for episode in ["EMPIRE", "JEDI", "HOPE"] {
      try await store.write(response: bytes(r2d2), for: HeroQuery(episode: .some(episode)))
    }
    try await store.withinReadWriteTransaction {
      try $0.removeField("hero", arguments: ["episode": "EMPIRE"], of: "QUERY_ROOT")
    }
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery(episode: "EMPIRE")) }
    #expect(try await store.load(HeroQuery(episode: "JEDI")).hero != nil)
    try await store.withinReadWriteTransaction { try $0.removeField("hero", of: "QUERY_ROOT") }
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery(episode: "JEDI")) }
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery(episode: "HOPE")) }
  }

  @Test("What no field leads to is removed, but not what is watched")
  func unreachable() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    #expect(try await store.removeUnreachable() == 0)
    let observer = await watch(Character.Friend.self, "Human:1000", in: store)
    try await store.withinReadWriteTransaction { try $0.removeField("hero", of: "QUERY_ROOT") }
    #expect(try await store.removeUnreachable() == 1)
    #expect(store.keys == ["Human:1000", "QUERY_ROOT"])
    store.removeObserver(observer)
    #expect(try await store.removeUnreachable() == 1)
    #expect(store.keys == ["QUERY_ROOT"])
  }

  @Test("The size stays within its limit: the records used least recently go first, watched ones last", .asWritten)
  func sizeLimit() async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 100_000))
    func write(_ id: Int) async throws {
      let json = r2d2.replacing("2001", with: "\(id)").replacing("R2-D2", with: String(repeating: "x", count: 1000))
      try await store.write(response: bytes(json), for: HeroQuery(episode: .some("\(id)")))
    }
    try await write(0)
    let observer = store.addObserver(ignoring: UUID()) { _ in }
    await withCheckedContinuation { done in
      store.observe(HeroQuery(episode: "0"), for: observer) { _ in done.resume() }
    }
    try await write(1)
    for id in 2..<500 {
      try await write(id)
      _ = try await store.load(HeroQuery(episode: "1"))
      #expect(store.statistics.byteCount <= 100_000)
    }
    #expect(try await store.load(HeroQuery(episode: "0")).hero?.id == "0", "it is watched")
    #expect(try await store.load(HeroQuery(episode: "499")).hero?.id == "499")
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery(episode: "2")) }
    #expect(store.statistics.evictions > 300)
  }

  @Test("Keys of records that are gone take no memory for ever, and watchers are still told", .asWritten)
  func compaction() async throws {
    let counter = Locked(0)
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let observer = store.addObserver(ignoring: UUID()) { _ in counter.withLock { $0 += 1 } }
    await withCheckedContinuation { done in store.observe(HeroQuery(), for: observer) { _ in done.resume() } }
    for round in 0..<20 {
      let friends = (0..<500).map { #"{"__typename":"Human","id":"\#(round)-\#($0)","name":"x"}"# }
      let json =
        #"{"hero":{"__typename":"Droid","id":"1","name":"a","size":null,"friends":[\#(friends.joined(separator: ","))]}}"#
      try await store.write(response: bytes(json), for: HeroQuery(episode: "EMPIRE"))
      try await store.removeUnreachable()
      #expect(store.statistics.recordCount == 504)
    }
    #expect(store.keyCount < 4000, "\(store.keyCount) keys")
    await store.waitUntilTold()
    #expect(counter.withLock { $0 } == 0)
    try await store.write(response: bytes(r2d2.replacing("R2-D2", with: "Artoo")), for: HeroQuery())
    await store.waitUntilTold()
    #expect(counter.withLock { $0 } == 1)
    #expect(try await store.load(HeroQuery()).hero?.name == "Artoo")
  }

  @Test(
    "Arguments that were used once take no memory for ever: of fields that are written, and of fields that are not there",
    .asWritten,
    arguments: [true, false])
  func arguments(isWritten: Bool) async throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache(sizeLimit: 16 * 1024))
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "kept"))
    let observer = store.addObserver(ignoring: UUID()) { _ in }
    await withCheckedContinuation { done in
      store.observe(HeroQuery(episode: "kept"), for: observer) { _ in done.resume() }
    }
    var greatest = 0
    for index in 0..<1800 {
      let query = HeroQuery(episode: .some("\(index)"))
      await #expect(throws: ResponseDecodingError.self) { try await store.load(query) }
      if isWritten {
        try await store.write(response: bytes(r2d2), for: query)
        #expect(try await store.load(query).hero?.name == "R2-D2")
      }
      greatest = max(greatest, store.keyCount)
    }
    #expect(greatest < 1600, "\(greatest) keys")
    store.removeObserver(observer)
  }

  @Test(
    "A watched field with arguments gets a new number: its watcher is told of it, and not of another one", .asWritten)
  func argumentsOfWatchers() async throws {
    let names = Locked<[String?]>([]), box = Locked<ObserverID?>(nil)
    for episode in ["a", "b"] {
      try await store.write(response: bytes(r2d2), for: HeroQuery(episode: .some(episode)))
    }
    let observer = store.addObserver(ignoring: UUID()) { state in
      guard let observer = box.withLock({ $0 }) else { return }
      await state.observe(HeroQuery(episode: "a"), for: observer) { reading in
        let name = try? reading.data.get().hero?.name
        names.withLock { $0.append(name) }
      }
    }
    box.withLock { $0 = observer }
    await withCheckedContinuation { done in
      store.observe(HeroQuery(episode: "a"), for: observer) { _ in done.resume() }
    }
    for index in 0..<1800 {
      await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery(episode: .some("\(index)"))) }
    }
    #expect(store.keyCount < 1200, "\(store.keyCount) keys")
    try await store.write(response: bytes(#"{"hero":null}"#), for: HeroQuery(episode: "b"))
    await store.waitUntilTold()
    #expect(names.withLock { $0 }.isEmpty)
    try await store.write(response: bytes(#"{"hero":null}"#), for: HeroQuery(episode: "a"))
    await store.waitUntilTold()
    #expect(names.withLock { $0 } == [nil])
    #expect(try await store.load(HeroQuery(episode: "b")).hero == nil)
    store.removeObserver(observer)
  }

  @Test("Keys that thousands of watchers wait for are not compacted again at each write", .asWritten)
  func waitingWatchers() async throws {
    var observers: [ObserverID] = []
    for index in 0..<1500 { observers.append(await watch(Character.Friend.self, "Human:\(index)", in: store)) }
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let keys = store.engine.table.records.keys
    for episode in ["a", "b", "c"] {
      try await store.write(response: bytes(r2d2), for: HeroQuery(episode: .some(episode)))
      await store.waitUntilTold()
      #expect(store.engine.table.records.keys === keys)
    }
    for observer in observers { store.removeObserver(observer) }
  }

  @Test("New numbers keep when records were used last")
  func usesAfterCompaction() {
    var uses = RecordUses()
    uses.note([7, 8])
    uses.note([8])
    uses.renumber([0: 0, 7: 3, 8: 4])
    #expect(uses.lastUse(of: 3) == 1 && uses.lastUse(of: 4) == 2 && uses.lastUse(of: 0) == 0)
  }

  @Test(
    "Records get new numbers while an observer still has to be told of older writes: it is told of the right ones",
    .asWritten)
  func compactionWhileTelling() async throws {
    let store = store
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let names = Locked<[String?]>([]), box = Locked<ObserverID?>(nil)
    let gate = AsyncStream<Void>.makeStream()
    let observer = store.addObserver(ignoring: UUID()) { state in
      for await _ in gate.stream {}
      guard let observer = box.withLock({ $0 }) else { return }
      await state.observe(HeroQuery(), for: observer) { reading in
        let name = try? reading.data.get().hero?.name
        names.withLock { $0.append(name) }
      }
    }
    box.withLock { $0 = observer }
    await withCheckedContinuation { done in store.observe(HeroQuery(), for: observer) { _ in done.resume() } }
    for round in 0..<20 {
      let name = "\(round)"
      try await store.write(response: bytes(r2d2.replacing("R2-D2", with: name)), for: HeroQuery())
      let friends = (0..<500).map { #"{"__typename":"Human","id":"\#(round)-\#($0)","name":"x"}"# }
      let json =
        #"{"hero":{"__typename":"Droid","id":"1","name":"a","size":null,"friends":[\#(friends.joined(separator: ","))]}}"#
      try await store.write(response: bytes(json), for: HeroQuery(episode: "EMPIRE"))
      try await store.removeUnreachable()
    }
    #expect(store.keyCount < 4000, "\(store.keyCount) keys")
    #expect(names.withLock { $0 }.isEmpty, "writers have not waited for it")
    gate.continuation.finish()
    await store.waitUntilTold()
    #expect(names.withLock { $0 } == (0..<20).map { "\($0)" })
    store.removeObserver(observer)
  }

  @Test("The dump is sorted and shows references, lists and embedded objects")
  func dump() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "EMPIRE"))
    #expect(
      store.dump() == """
        Droid:2001
          __typename: "Droid"
          friends: [→ Human:1000, null, → Human:1000]
          id: "2001"
          name: "R2-D2"
          size: {__typename: "Size", meters: 0.96}
        Human:1000
          __typename: "Human"
          id: "1000"
          name: "Luke"
        QUERY_ROOT
          hero(episode:"EMPIRE"): → Droid:2001
        """)
  }

  @Test("Statistics count records, bytes, hits and misses")
  func statistics() async throws {
    await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery()) }
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    _ = try await store.load(HeroQuery())
    _ = try await store.load(HeroQuery())
    let statistics = store.statistics
    #expect(statistics.recordCount == 3)
    #expect(statistics.byteCount > 300 && statistics.byteCount < 3000)
    #expect(statistics.hits == 2 && statistics.misses == 1)
  }
}

@Suite("Paths as keys", .everyStyle)
struct PathTests {
  let store = ApolloStore()

  @Test("An object without a key is read, changed and removed by its path")
  func embedded() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery(episode: "EMPIRE"))
    for path in ["Droid:2001.size", #"QUERY_ROOT.hero(episode:"EMPIRE").size"#] {
      let size = try await store.withinReadTransaction { try $0.readObject(ofType: Character.Size.self, withKey: path) }
      #expect(size.meters == 0.96)
    }
    try await store.withinReadWriteTransaction {
      try $0.updateObject(ofType: Character.Size.self, withKey: "Droid:2001.size") { $0.meters = 1 }
      let size = try $0.readObject(ofType: Character.Size.self, withKey: "Droid:2001.size")
      #expect(size.meters == 1)
    }
    #expect(try await store.load(HeroQuery(episode: "EMPIRE")).hero?.size?.meters == 1)
    #expect(store.keys == ["Droid:2001", "Human:1000", "QUERY_ROOT"])
    try await store.withinReadWriteTransaction { try $0.removeObject(for: "Droid:2001.size") }
    let miss = await #expect(throws: ResponseDecodingError.self) { try await store.load(HeroQuery(episode: "EMPIRE")) }
    #expect(miss?.path == ["hero", "size"])
  }

  @Test("A path goes through references and lists")
  func lists() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    try await store.withinReadWriteTransaction {
      try $0.updateObject(ofType: Character.Friend.self, withKey: "QUERY_ROOT.hero.friends.2") { $0.name = "L" }
    }
    #expect(try await store.load(HeroQuery()).hero?.friends?.first??.name == "L")
    await #expect(throws: ResponseDecodingError.self) {
      try await store.withinReadTransaction {
        try $0.readObject(ofType: Character.Friend.self, withKey: "QUERY_ROOT.hero.friends.1")
      }
    }
  }

  @Test("Dots inside of arguments are not steps")
  func components() {
    #expect(
      CacheKeyPath.components(of: "my.chemical.romance(name:imnotokay.rip(xWv(the.original).HIGH-QUALITY)).mp3")
        == ["my", "chemical", "romance(name:imnotokay.rip(xWv(the.original).HIGH-QUALITY))", "mp3"])
    #expect(
      CacheKeyPath.components(of: "my.chemical.romance(name: )(.thebest.)().count")
        == ["my", "chemical", "romance(name: )(.thebest.)()", "count"])
    #expect(CacheKeyPath.components(of: #"a(x:").("y.z"#).count == 1)
  }

  @Test("An observer of an embedded object is told of its changes, and not of fields of the same name around it")
  func observer() async throws {
    try await store.write(response: bytes(r2d2), for: HeroQuery())
    let counter = Locked(0)
    let observer = store.addObserver(ignoring: UUID()) { _ in counter.withLock { $0 += 1 } }
    await withCheckedContinuation { done in
      store.whenTold { state in
        await state.observe(Character.Size.self, withKey: "Droid:2001.size", variables: .none, for: observer) { _ in
          done.resume()
        }
      }
    }
    try await store.write(response: bytes(r2d2.replacing("R2-D2", with: "x")), for: HeroQuery())
    await store.waitUntilTold()
    #expect(counter.withLock { $0 } == 0)
    try await store.write(response: bytes(r2d2.replacing("0.96", with: "2")), for: HeroQuery())
    await store.waitUntilTold()
    #expect(counter.withLock { $0 } == 1)
  }
}
