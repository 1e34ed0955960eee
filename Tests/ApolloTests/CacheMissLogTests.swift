import Apollo
import Foundation
import Logging
import StyledTests
import Testing
import Waiting

/// Keeps the lines of a log with their metadata, which is sorted.
private struct MissLog: LogHandler {
  let lines: Locked<[String]>
  var logLevel: Logger.Level = .trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    lines.withLock { $0.append("\(event.level): \(event.message) [\(metadata.joined(separator: " "))]") }
  }
}

@Suite("Why the cache did not have what an operation reads", .everyStyle)
struct CacheMissLogTests {
  private let lines = Locked<[String]>([])

  private func client(
    _ level: Logger.Level = .info, _ answer: @escaping FakeServer.Answer = { _, _ in hero() }
  ) -> ApolloClient {
    let client = FakeServer.client(answer).client, lines = lines
    client.store.logCacheMisses(to: Logger(label: "cache") { _ in MissLog(lines: lines) }, level: level)
    return client
  }

  /// The lines since this was last asked.
  private func taken() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  @Test("A line for each read that misses, none for one that does not, and none when it is turned off")
  func once() async throws {
    let client = client(.debug)
    _ = try await client.fetch(query: HeroQuery())
    let line =
      "debug: The cache does not have all of Hero: The cache has no field 'hero' of 'QUERY_ROOT'. "
      + "[field=hero operation=Hero path=hero reason=missing record=QUERY_ROOT]"
    #expect(taken() == [line])
    _ = try await client.fetch(query: HeroQuery())
    #expect(taken().isEmpty)
    try await client.store.withinReadWriteTransaction { try $0.removeField("name", of: "Droid:2001") }
    _ = try? await client.store.load(HeroQuery())
    #expect(
      taken().map { $0.hasSuffix("[field=name operation=Hero path=hero.name reason=missing record=Droid:2001]") } == [
        true
      ])
    client.store.logCacheMisses(to: nil)
    _ = try? await client.store.load(HeroQuery())
    #expect(taken().isEmpty)
  }

  @Test("What is too old, with its age and its limit; and what has another type")
  func reasons() async throws {
    let client = client()
    client.store.clock = { Date(timeIntervalSince1970: 1_000_000) }
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    client.store.clock = { Date(timeIntervalSince1970: 1_000_072) }
    client.store.maxAgeProvider = ApolloStore.SchemaCoordinatesMaxAgeProvider(["Droid.name": 60])
    _ = try? await client.store.load(HeroQuery())
    #expect(
      taken().map {
        $0.hasSuffix("[age=72 field=name maxAge=60 operation=Hero path=hero.name reason=expired record=Droid:2001]")
      } == [true])
    client.store.maxAgeProvider = nil
    try await client.store.publish(records: ["Droid:2001": ["name": ["a", "list"]]])
    _ = try? await client.store.load(HeroQuery())
    #expect(taken().map { $0.contains("reason=mismatched") } == [true])
  }

  @Test("A read of a part is one line, for the first of the fields; a watcher's read is logged as well")
  func others() async throws {
    let client = client()
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    try await client.store.withinReadWriteTransaction { transaction in
      try transaction.removeField("height", of: "Droid:2001")
      try transaction.removeField("name", of: "Droid:2001")
    }
    let part = try await client.fetch(
      query: HeroQuery(), cachePolicy: .cacheOnly, requestConfiguration: RequestConfiguration(returnsPartialData: true))
    #expect(part?.cacheInfo.isPartial == true)
    #expect(taken().map { $0.contains("field=name") && $0.contains("reason=missing") } == [true])
    let results = Received<Bool>()
    _ = try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
    let watcher = client.watch(query: HeroQuery(), refetchOnFailedUpdates: false, callbackQueue: .global()) { _ in
      results.add(true)
    }
    #expect(await results.next() == true)
    #expect(taken().isEmpty)
    try await client.store.withinReadWriteTransaction { try $0.removeField("name", of: "Droid:2001") }
    try await eventually { !lines.withLock(\.isEmpty) }
    #expect(taken().count == 1)
    watcher.cancel()
  }
}
