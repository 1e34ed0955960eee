import Apollo
import Foundation
import People

/// A client that may only use its cache.
private func cachedClient(_ bytes: [UInt8]) -> ApolloClient {
  let store = ApolloStore()
  write(bytes, to: store)
  let transport = RequestChainNetworkTransport(
    interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: URL(string: "http://localhost:1")!)
  return ApolloClient(networkTransport: transport, store: store)
}

/// A query that the cache answers, through the whole client.
func client(_ bytes: [UInt8]) -> [Benchmark] {
  lazy var client = cachedClient(bytes)
  return [
    Benchmark("100 cache-first fetches", 100 * bytes.count) {
      wait { [client] in
        for _ in 0..<100 { blackHole(try? await client.fetch(query: UsersQuery())) }
      }
    }
  ]
}

/// Writes that concern one of many watchers, beside the same writes with that watcher alone.
func watchers(_ bytes: [UInt8]) -> [Benchmark] {
  [1, 1000].map { count in
    lazy var client = cachedClient(bytes)
    lazy var keys = decode(UsersQuery.Data.self, bytes).users.prefix(count).map { "User:" + $0.id }
    lazy var watchers = keys.map { key in
      client.watchFragment(UserHeader.self, withKey: key, callbackQueue: .global()) { _ in }
    }
    let rounds = Rounds()
    return Benchmark("1000 writes, \(count) watching", 1000) {
      withExtendedLifetime(watchers) {
        wait { [client, key = keys[count / 2]] in
          for _ in 0..<1000 {
            let number = await rounds.next()
            try? await client.store.withinReadWriteTransaction { transaction in
              try transaction.updateObject(ofType: UserStatus.self, withKey: key) { $0.bio = "number \(number)" }
            }
          }
        }
      }
    }
  }
}

/// Numbers, so that each write is a change.
private actor Rounds {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

/// Runs asynchronous code and waits for its end.
private func wait(_ body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await body()
    done.signal()
  }
  done.wait()
}
