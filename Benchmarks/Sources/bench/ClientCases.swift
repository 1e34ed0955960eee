import Apollo
import ApolloSQLite
import Foundation
import People

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client that may only use its cache.
private func cachedClient(_ bytes: [UInt8]) -> ApolloClient {
  let store = ApolloStore()
  write(bytes, to: store)
  let transport = RequestChainNetworkTransport(
    interceptorProvider: DefaultInterceptorProvider(store: store), endpointURL: URL(string: "http://localhost:1")!)
  return ApolloClient(networkTransport: transport, store: store)
}

/// A query that the cache answers, through the whole client.
///
/// Here and for the writes below, a "byte" is a thousandth of one fetch or write: instructions per byte are thousands for each.
func client(_ bytes: [UInt8]) -> [Benchmark] {
  lazy var client = cachedClient(bytes)
  return [
    Benchmark("100 cache-first fetches", 100 * 1000, isConcurrent: true) {
      wait { [client] in
        for _ in 0..<100 {
          guard let result = try? await client.fetch(query: UsersQuery()), result.source == .cache, result.data != nil
          else { fatalError("The cache did not answer.") }
          blackHole(result)
        }
      }
    }
  ]
}

/// Queries that a server answers, but for the session and the network: what the client does for a request, and for a response.
func requests(_ bytes: [UInt8]) -> [Benchmark] {
  let cases: [(String, CachePolicy, () -> ApolloStore)] = [
    ("", .fetchIgnoringCacheCompletely, { ApolloStore() }),
    (", into the cache", .fetchIgnoringCacheData, { ApolloStore() }),
    (", into a cache on disk", .fetchIgnoringCacheData, storeOnDisk),
  ]
  return cases.map { name, policy, makeStore in
    lazy var client = {
      let store = makeStore()
      var options = DefaultInterceptorProvider.Options()
      options.httpInterceptors = [AnsweringInterceptor(answer: Data(bytes))]
      let transport = RequestChainNetworkTransport(
        interceptorProvider: DefaultInterceptorProvider(store: store, options: options),
        endpointURL: URL(string: "http://localhost:1")!)
      return ApolloClient(networkTransport: transport, store: store)
    }()
    return Benchmark("100 fetches without the network\(name)", 100 * 1000, isConcurrent: true) {
      wait { [client] in
        for _ in 0..<100 {
          guard let result = try? await client.fetch(query: UsersQuery(), cachePolicy: policy), result.data != nil
          else { fatalError("The client did not answer.") }
          blackHole(result)
        }
      }
    }
  }
}

private func storeOnDisk() -> ApolloStore {
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-bench-\(UUID().uuidString).sqlite")
  guard let cache = try? SQLiteNormalizedCache(fileURL: file) else { fatalError("\(file.path) cannot be made.") }
  return ApolloStore(cache: cache)
}

/// Answers in place of a network.
private struct AnsweringInterceptor: HTTPInterceptor {
  let answer: Data

  func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
    let response = HTTPURLResponse(
      url: request.url!, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "application/json"])
    return ChunkedHTTPResponse(response: response!, body: answer)
  }
}

/// Writes that concern one watcher: while it is alone, beside others of other records, and beside others of other fields
/// of the same record.
func watchers(_ bytes: [UInt8]) -> [Benchmark] {
  [("1", 1, false), ("1000", 1000, false), ("1000 of one record", 1000, true)].map { name, count, areOfOneRecord in
    lazy var client = cachedClient(bytes)
    lazy var keys = decode(UsersQuery.Data.self, bytes).users.prefix(1000).map { "User:" + $0.id }
    lazy var watcher = client.watchFragment(UserStatus.self, withKey: keys[0], callbackQueue: .global()) { _ in }
    lazy var others = keys[1..<count].map { key in
      client.watchFragment(UserSocial.self, withKey: areOfOneRecord ? keys[0] : key, callbackQueue: .global()) { _ in }
    }
    let rounds = Rounds()
    return Benchmark("100 writes, \(name) watching", 100 * 1000, isConcurrent: true) {
      withExtendedLifetime((watcher, others)) {
        wait { [client, key = keys[0]] in
          for _ in 0..<100 {
            let number = await rounds.next()
            do {
              try await client.store.withinReadWriteTransaction { transaction in
                try transaction.updateObject(ofType: UserStatus.self, withKey: key) { $0.bio = "number \(number)" }
              }
            } catch { fatalError("\(error)") }
          }
        }
      }
    }
  }
}

/// Numbers, so that each write is a change.
actor Rounds {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

/// Runs asynchronous code and waits for its end.
func wait(_ body: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task {
    await body()
    done.signal()
  }
  done.wait()
}
