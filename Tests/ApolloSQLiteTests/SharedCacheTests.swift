@testable import ApolloAPI
@testable import ApolloCache
@testable import ApolloSQLite
import Foundation
import Testing
import Waiting

extension SQLiteTests {
  @Suite("Several stores over one cache")
  struct SharedCacheTests {
    @Test("They are as one: each keeps what the others write, and is empty when one of them is cleared")
    func writes() async throws {
      let folder = try Folder(), cache = try folder.cache()
      let chain = ChainedNormalizedCache(sqliteCache: cache)
      let one = ApolloStore(cache: cache), two = ApolloStore(cache: cache), three = ApolloStore(cache: chain)
      for (store, field) in [(one, "a"), (two, "b"), (three, "c"), (one, "d"), (two, "e")] {
        try await store.publish(records: ["A": [field: 1]])
        try await store.flush()
      }
      #expect(try await cache.record("A")?.fields == ["a": 1, "b": 1, "c": 1, "d": 1, "e": 1])
      try await two.publish(items: ["1"])
      #expect(try await one.names() == ["1"])
      try await one.clearCache()
      #expect(two.dump() == "" && three.dump() == "")
      await #expect(throws: ResponseDecodingError.self) { try await two.names() }
      try await two.publish(records: ["B": ["x": 1]])
      try await two.flush()
      #expect(try await cache.keys(after: nil, limit: 9) == ["B"])
    }

    @Test("What is set on one of them is set on all, and a transaction of one is a transaction of all")
    func settings() async throws {
      let folder = try Folder(), cache = try folder.cache()
      let one = ApolloStore(cache: cache), two = ApolloStore(cache: cache)
      one.defaultMaxAge = 60
      #expect(two.defaultMaxAge == 60)
      two.clock = { Date(timeIntervalSince1970: 5) }
      #expect(one.clock() == Date(timeIntervalSince1970: 5))
      try await one.publish(records: ["A": ["x": 1]])
      try await one.withinReadWriteTransaction { _ in
        let error = await #expect(throws: ApolloStore.Error.self) { try await two.remove("A") }
        #expect(error == .isWithinTransaction(call: "remove(_:cascade:)", transaction: "withinReadWriteTransaction"))
      }
    }

    @Test("When the last of them is gone, the next one begins with what is in the file")
    func released() async throws {
      let folder = try Folder(), cache = try folder.cache()
      var store: ApolloStore? = ApolloStore(cache: cache)
      weak let engine = store?.engine
      try await store?.publish(items: ["1", "2"])
      try await store?.flush()
      store = nil
      try await eventually { engine == nil }
      let next = ApolloStore(cache: cache)
      #expect(next.dump() == "")
      #expect(try await next.names() == ["1", "2"])
    }
  }
}
