@testable import Apollo
import ApolloAPI
import ApolloConcurrency
@testable import ApolloCache
import Foundation
import StyledTests
import Testing
import Waiting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Signing out", .everyStyle, .timeLimit(.minutes(5)))
struct SignOutTests {
  typealias Way = HeldServer.Way

  /// What waits for a server when the user signs out.
  enum Asking: CaseIterable {
    case query, queryWithCallback, results, fallback, deadline, watcher, watchedSequence, mutation, guess, subscription
    case subscriptionWithCallback

    var operationName: String {
      switch self {
      case .mutation, .guess: "Rename"
      case .subscription, .subscriptionWithCallback: "Count"
      default: "Hero"
      }
    }
  }

  /// What the callers were given: names, and codes of errors.
  private typealias Given = Received<String>

  private static func code(_ error: any Error) -> String { (error as? any ApolloError)?.code.description ?? "\(error)" }

  private static func ask(_ asking: Asking, _ client: ApolloClient, _ given: Given) -> [Any] {
    func task(_ body: @escaping @Sendable () async throws -> String?) -> [Any] {
      [Task { do { given.add(try await body() ?? "nil") } catch { given.add(code(error)) } }]
    }
    func handler<Data: SelectionSet>(_ name: @escaping (Data) -> String?) -> GraphQLResultHandler<Data> {
      { result in
        switch result {
        case .success(let value): given.add(value.data.flatMap(name) ?? "nil")
        case .failure(let error): given.add(code(error))
        }
      }
    }
    switch asking {
    case .query:
      return task { try await client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData).data?.hero?.name }
    case .fallback:
      return task { try await client.fetch(query: HeroQuery(), cachePolicy: .networkFirst).data?.hero?.name }
    case .deadline:
      return task {
        try await client.fetch(query: HeroQuery(), requestConfiguration: RequestConfiguration(deadline: 600))
          .data?.hero?.name
      }
    case .results:
      return task {
        var name: String?
        for try await result in client.results(of: HeroQuery(), cachePolicy: .returnCacheDataAndFetch) {
          name = result.data?.hero?.name
        }
        return name
      }
    case .queryWithCallback:
      return [client.fetch(query: HeroQuery(), queue: .callbacks, resultHandler: handler { $0.hero?.name })]
    case .watcher:
      return [
        client.watch(query: HeroQuery(), callbackQueue: .callbacks, resultHandler: handler { $0.hero?.name })
      ]
    case .watchedSequence:
      return task {
        let watched = client.watch(query: HeroQuery())
        do { for try await result in watched { given.add(result.data?.hero?.name ?? "nil") } } catch {
          given.add(code(error))
        }
        // The error was the end.
        for try await _ in watched { return "goes on" }
        return "end"
      }
    case .mutation: return task { try await client.perform(mutation: RenameMutation()).data?.rename.name }
    case .guess:
      return task {
        try await client.perform(mutation: RenameMutation(), optimisticUpdate: { _, _ in }).data?.rename.name
      }
    case .subscription:
      return task {
        for try await event in client.subscribe(to: CountSubscription()) { return event.data.map { "\($0.count)" } }
        return nil
      }
    case .subscriptionWithCallback:
      return [
        client.subscribe(subscription: CountSubscription(), queue: .callbacks, resultHandler: handler { "\($0.count)" })
      ]
    }
  }

  private static func isEmpty(_ client: ApolloClient) -> Bool {
    (client.store.cache as? InMemoryNormalizedCache)?.keys(after: nil, limit: 100)
      .contains { $0.hasPrefix("Droid") || $0 == "QUERY_ROOT" } == false
  }

  private static func body(_ name: String, for asking: Asking) -> String {
    switch asking.operationName {
    case "Rename": hero(name, field: "rename")
    case "Count": #"{"data":{"count":7}}"#
    default: hero(name)
    }
  }

  @Test(
    "What is under way ends with one error, whatever the server does; the client can be used again",
    arguments: Way.allCases, Asking.allCases)
  func underWay(way: Way, asking: Asking) async throws {
    let server = HeldServer(way), client = server.client, given = Given()
    let held = Self.ask(asking, client, given)
    let request = try await server.request(asking.operationName)
    try await client.signOut()
    #expect(await given.next() == "signedOut")
    if asking == .watchedSequence { #expect(await given.next() == "end") }
    // The server, which did not notice, answers.
    request.resume(returning: Self.body("old", for: asking))
    #expect(await given.isQuiet(after: client))
    #expect(Self.isEmpty(client) && client.store.optimisticUpdates.isEmpty)
    withExtendedLifetime(held) {}
    let again = Task { try await client.fetch(query: HeroQuery()).data?.hero?.name }
    try await server.answer("Hero", hero("new"))
    #expect(try await again.value == "new")
  }

  @Test(
    "Watchers that wait for changes end with the error, and are told of no other user's",
    // A transport that has only `send` follows the cache policy itself, and the one of this test does not.
    arguments: [Way.chain, .responseTransport])
  func watchers(way: Way) async throws {
    let server = HeldServer(way), client = server.client, given = Given()
    try await client.store.write(response: ResponseBytes(Array(hero("old").utf8)), for: HeroQuery())
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      switch $0 {
      case .success(let result): given.add(result.data?.hero?.name ?? "nil")
      case .failure(let error): given.add(Self.code(error))
      }
    }
    let fragments = Received<String>()
    let fragment = client.watchFragment(Hero.self, withKey: "Droid:2001", callbackQueue: .callbacks) {
      fragments.add($0?.name ?? "nil")
    }
    var stream = client.watchFragment(Hero.self, withKey: "Droid:2001").makeAsyncIterator()
    #expect(await given.next() == "old")
    #expect(await fragments.next() == "old")
    #expect(await stream.next()??.name == "old")
    try await client.signOut()
    #expect(await given.next() == "signedOut")
    #expect(await fragments.next() == "nil")
    try await client.store.write(response: ResponseBytes(Array(hero("new").utf8)), for: HeroQuery())
    #expect(await given.isQuiet(after: client))
    #expect(fragments.count == 0)
    while let next = await stream.next() { #expect(next == nil, "only the end of the former user's is told") }
    withExtendedLifetime((watcher, fragment)) {}
  }

  @Test("What is called for during it fails, and a second call waits for the first")
  func meanwhile() async throws {
    final class Slow: UserForgetting, NormalizedCache {
      let forgetting = Awaited<[CheckedContinuation<Void, Never>]>([])
      private let count = Locked(0)
      private let inner = InMemoryNormalizedCache()
      func forgetUser() async {
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        if isFirst { await withCheckedContinuation { next in forgetting.change { $0.append(next) } } }
      }
      func loadRecords(forKeys keys: Set<CacheKey>) -> [CacheKey: Record] { inner.loadRecords(forKeys: keys) }
      func merge(records: RecordSet) throws -> Set<CacheKey> { try inner.merge(records: records) }
      func removeRecord(for key: CacheKey) throws { try inner.removeRecord(for: key) }
      func removeRecords(matching pattern: CacheKey) throws { try inner.removeRecords(matching: pattern) }
      func clear() { inner.clear() }
    }
    let cache = Slow(), server = HeldServer(.chain, cache: cache), client = server.client
    let isOver = Locked(false)
    let signOut = Task {
      try await client.signOut()
      isOver.withLock { $0 = true }
    }
    let forgetting = try await cache.forgetting.take { $0.isEmpty ? nil : $0.removeFirst() }
    await #expect { try await client.fetch(query: HeroQuery()) } throws: { Self.code($0) == "signedOut" }
    let given = Given()
    let watcher = client.watch(query: HeroQuery(), callbackQueue: .callbacks) {
      if case .failure(let error) = $0 { given.add(Self.code(error)) } else { given.add("a result") }
    }
    for _ in 0..<10 { await client.settle() }
    let second = Task {
      try await client.signOut()
      return isOver.withLock { $0 }
    }
    #expect(isOver.withLock { $0 } == false)
    forgetting.resume()
    try await signOut.value
    _ = try await second.value
    // (Once, although both its request and the sign-out have ended it.)
    #expect(await given.next() == "signedOut")
    #expect(await given.isQuiet(after: client))
    withExtendedLifetime(watcher) {}
  }

  @Test("A part that fails is thrown, and all others are emptied")
  func failing() async throws {
    struct Failure: Error {}
    final class Failing: UserForgetting, Authenticator {
      let isForgotten = Locked(false)
      func credentials() -> [String: String] { [:] }
      func renew(refused: [String: String]) -> Bool { false }
      func forgetCredentials() { isForgotten.withLock { $0 = true } }
      func forgetUser() throws { throw Failure() }
    }
    struct Session: ApolloURLSession, UserForgetting {
      func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) { throw Failure() }
      func forgetUser() throws { throw Failure() }
    }
    let failing = Failing()
    var configuration = ApolloClient.Configuration(url: URL(string: "http://localhost/graphql")!)
    configuration.authenticator = failing
    configuration.http.session = Session()
    let client = ApolloClient(configuration: configuration)
    try await client.store.write(response: ResponseBytes(Array(hero("old").utf8)), for: HeroQuery())
    await #expect(throws: Failure.self) { try await client.signOut() }
    #expect(Self.isEmpty(client) && failing.isForgotten.withLock { $0 })
    // It is over nevertheless.
    await #expect(throws: Failure.self) {
      do { _ = try await client.fetch(query: HeroQuery()) } catch { throw (error as? OperationError)?.cause ?? error }
    }
  }

  // MARK: Credentials

  /// A session that refuses every token but one, and notes what came.
  private struct Refusing: ApolloURLSession {
    let accepted: String
    let tokens: Received<String>

    func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
      let token = request.value(forHTTPHeaderField: "Authorization") ?? "none"
      tokens.add(token)
      let isAccepted = token == "Bearer \(accepted)"
      let response = HTTPURLResponse(
        url: request.url!, statusCode: isAccepted ? 200 : 401, httpVersion: nil,
        headerFields: ["Content-Type": "application/json"])!
      return (ChunkedHTTPResponse.Chunks(Data((isAccepted ? hero("new") : "{}").utf8)), response)
    }
  }

  private static func client(_ tokens: Received<String>, _ authenticator: any Authenticator) -> ApolloClient {
    var configuration = ApolloClient.Configuration(url: URL(string: "http://localhost/graphql")!)
    configuration.http.session = Refusing(accepted: "B", tokens: tokens)
    configuration.authenticator = authenticator
    return ApolloClient(configuration: configuration)
  }

  @Test("A renewal that ends after it brings nothing back")
  func lateRenewal() async throws {
    let renewals = Awaited<[CheckedContinuation<Void, Never>]>([]), tokens = Received<String>()
    let authenticator = BearerTokenAuthenticator(token: .init("A")) { old in
      guard old != nil else { return .init("B") }
      await withCheckedContinuation { next in renewals.change { $0.append(next) } }
      return .init("A, renewed")
    }
    let client = Self.client(tokens, authenticator), given = Received<String>()
    let task = Task {
      do { _ = try await client.fetch(query: HeroQuery()) } catch { given.add(Self.code(error)) }
    }
    let renewal = try await renewals.take { $0.isEmpty ? nil : $0.removeFirst() }
    try await client.signOut()
    #expect(await given.next() == "signedOut")
    renewal.resume()
    await task.value
    #expect(try await client.fetch(query: HeroQuery()).data?.hero?.name == "new")
    #expect(await tokens.next() == "Bearer A")
    #expect(await tokens.next() == "Bearer B")
    #expect(tokens.count == 0)
  }

  @Test("An authenticator that cannot renew may sign out")
  func withinRenewal() async throws {
    final class Leaving: Authenticator {
      let client = Locked<ApolloClient?>(nil)
      func credentials() -> [String: String] { ["Authorization": "Bearer A"] }
      func renew(refused: [String: String]) async throws -> Bool {
        try await client.withLock { $0 }?.signOut()
        return true
      }
    }
    let leaving = Leaving(), tokens = Received<String>(), client = Self.client(tokens, leaving)
    leaving.client.withLock { $0 = client }
    await #expect { try await client.fetch(query: HeroQuery()) } throws: { Self.code($0) == "signedOut" }
    #expect(tokens.count == 1)
    leaving.client.withLock { $0 = nil }
  }

  @Test("Header fields that were set for the user are gone")
  func headers() async throws {
    let client = Self.client(Received(), BearerTokenAuthenticator { _ in nil })
    let transport = try #require(client.networkTransport as? RequestChainNetworkTransport)
    transport.additionalHeaders["X-User"] = "A"
    try await client.signOut()
    #expect(transport.additionalHeaders.isEmpty)
  }

  // MARK: The session's storages

  @Test(
    "Cookies and credentials for the server's host, and cached responses, are gone from the storages of the session")
  func storages() async throws {
    let configuration = URLSessionConfiguration.default
    let cookies = HTTPCookieStorage.shared, cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
    configuration.httpCookieStorage = cookies
    configuration.urlCache = cache
    var expected: Set<String> = []
    for (domain, path, isKept) in [
      ("api.sign-out.example", "/", false), ("api.sign-out.example", "/auth", false),
      (".sign-out.example", "/", false), ("other.sign-out.example", "/", true), ("sign-out.test", "/", true),
    ] {
      let cookie = try #require(
        HTTPCookie(properties: [
          .domain: domain, .path: path, .name: "c\(domain)\(path)", .value: "secret",
          .expires: Date(timeIntervalSinceNow: 1000),
        ]))
      cookies.setCookie(cookie)
      if isKept { expected.insert(cookie.name) }
    }
    let url = URL(string: "http://API.sign-out.example/graphql")!, request = URLRequest(url: url)
    cache.storeCachedResponse(
      CachedURLResponse(
        response: HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)!,
        data: Data("secret".utf8)), for: request)
    #expect(cache.cachedResponse(for: request) != nil)
    var settings = ApolloClient.Configuration(url: url)
    settings.http.sessionConfiguration = configuration
    let client = ApolloClient(configuration: settings)
    try await client.signOut()
    let left = Set((cookies.cookies ?? []).filter { $0.domain.contains("sign-out.") }.map(\.name))
    #expect(left == expected)
    #expect(cache.cachedResponse(for: request) == nil)
    for cookie in cookies.cookies ?? [] where cookie.domain.contains("sign-out.") { cookies.deleteCookie(cookie) }
  }
}
