@testable import Apollo
@testable import ApolloCache
@testable import ApolloOperations
import Foundation
import ScriptedServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What goes along with a redirect in the address")
struct RedirectedAddressTests {
  private static let operation = "query=%7Ba%7D&variables=%7B%7D&operationName=A&extensions=%7B%7D"
  private static let whole = "apikey=SECRET&\(operation)&own"

  /// The query of the address to which a policy follows a redirect.
  private func query(
    _ policy: OriginPolicy, _ method: String, _ query: String = Self.whole, to place: String = "https://b.test/there"
  ) throws -> String? {
    let from = try #require(URL(string: "https://a.test/graphql?\(query)"))
    var request = URLRequest(url: from)
    request.httpMethod = method
    let response = try #require(
      HTTPURLResponse(url: from, statusCode: 307, httpVersion: nil, headerFields: ["Location": place]))
    let next = try policy.redirected(request, by: response)
    return try #require(next?.url).query(percentEncoded: true)
  }

  @Test("An operation sent with GET goes to another origin without the endpoint's own query")
  func sentWithGET() throws {
    let other = try #require(URL(string: "https://b.test"))
    for policy in [OriginPolicy(allowed: [other]), .everyRedirect] {
      #expect(try query(policy, "GET") == Self.operation)
      #expect(try query(policy, "GET", "apikey=SECRET") == nil)
      #expect(try query(policy, "GET", to: "https://b.test/there?x=1") == "x=1")
    }
    #expect(try query(OriginPolicy(trusted: [other]), "GET") == Self.whole)
    #expect(try query(OriginPolicy(), "GET", to: "https://a.test/there") == Self.whole)
  }

  @Test("One sent with POST takes no query along")
  func sentWithPOST() throws {
    let other = try #require(URL(string: "https://b.test"))
    for policy in [OriginPolicy(allowed: [other]), OriginPolicy(trusted: [other]), .everyRedirect] {
      #expect(try query(policy, "POST") == nil)
    }
    #expect(try query(OriginPolicy(), "POST", to: "https://a.test/there") == nil)
  }

  @Test("Another server is not told the key in the endpoint's address", arguments: [false, true])
  func key(_ usesGET: Bool) async throws {
    let other = RequestLog()
    try await ScriptedServer.with { request in
      _ = other.add(request)
      return [.respond(hero())]
    } _: { target async throws -> Void in
      let place = try #require(URL(string: target.address + "/there"))
      try await serve { _, _ in
        [.respond("", status: 307, headers: ["Location": place.absoluteString])]
      } _: { server async throws in
        let client = client(
          at: server.address + "?apikey=SECRET", useGETForQueries: usesGET, origins: OriginPolicy(allowed: [place]))
        _ = try await client.fetch(query: HeroQuery())
      }
    }
    let path = try #require(other.all.first?.path)
    #expect(!path.contains("SECRET") && path.contains("query=") == usesGET, "\(path)")
  }
}

@Suite("Operations that wait for different times", .timeLimit(.minutes(5)))
struct DifferentTimeoutTests {
  /// The numbers of the operations in the body of a batch.
  private static func numbers(in body: String) -> [Int] {
    let bodies = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [[String: Any]] ?? []
    return bodies.compactMap { ($0["variables"] as? [String: Any])?["episode"] as? String }.compactMap { Int($0) }
  }

  @Test("They are not sent in one batch")
  func batches() async throws {
    let requests = try await serve { _, request in
      let answers = Self.numbers(in: request.body).map { hero("\($0)") }
      return [.respond("[" + answers.joined(separator: ",") + "]")]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 2)
      let client = client(server, provider: options)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask {
            let result = try await client.fetch(
              query: HeroQuery(episode: .some("\(number)")),
              requestConfiguration: RequestConfiguration(requestTimeout: number.isMultiple(of: 2) ? 300 : 400))
            #expect(result.data?.hero?.name == "\(number)")
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(requests.count == 8)
    for request in requests {
      let numbers = Self.numbers(in: request.body)
      #expect(numbers.count == 2 && numbers.allSatisfy { $0 % 2 == numbers[0] % 2 }, "\(numbers)")
    }
  }

  @Test("Queries over two sessions are not identical")
  func sessions() throws {
    let sharing = SharingKey(nil, asked: StoreEpoch.current, ends: [], endedMutations: 0)
    let request = URLRequest(url: try #require(URL(string: "https://a.test/graphql")))
    let first = URLSessionClient(), second = URLSessionClient()
    func key(_ session: URLSessionClient) throws -> IdenticalQuery {
      try #require(IdenticalQuery(request, over: ObjectIdentifier(session), sharing))
    }
    #expect(try key(first) == key(first))
    #expect(try key(first) != key(second))
  }

  @Test("They are not identical; nor are queries with GET that differ in what the cache of HTTP may answer")
  func identicalQueries() throws {
    let sharing = SharingKey(nil, asked: StoreEpoch.current, ends: [], endedMutations: 0)
    func key(
      _ method: String, _ timeout: TimeInterval, _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) throws -> IdenticalQuery {
      var request = URLRequest(url: try #require(URL(string: "https://a.test/graphql")))
      request.httpMethod = method
      request.timeoutInterval = timeout
      request.cachePolicy = policy
      return try #require(IdenticalQuery(request, sharing))
    }
    for method in ["GET", "POST"] {
      #expect(try key(method, 5) == key(method, 5))
      #expect(try key(method, 5) != key(method, 6))
    }
    #expect(try key("GET", 5) != key("GET", 5, .reloadIgnoringLocalCacheData))
    #expect(try key("POST", 5) == key("POST", 5, .reloadIgnoringLocalCacheData))
  }

  @Test("Queries that differ only in their variables have different hashes, however long their text is")
  func hashes() throws {
    let sharing = SharingKey(nil, asked: StoreEpoch.current, ends: [], endedMutations: 0)
    let text = String(repeating: "a ", count: 500), url = try #require(URL(string: "https://a.test/graphql"))
    let hashes = try (0..<2_000).map { number -> Int in
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"query":"{ \#(text)}","variables":{"id":"\#(10_000_000 + number)"}}"#.utf8)
      return try #require(IdenticalQuery(request, sharing)).hashValue
    }
    #expect(Set(hashes).count > 1_900)
  }
}

@Suite("Failures that another attempt does not cure", .timeLimit(.minutes(5)))
struct LastingFailureTests {
  @Test("Redirects in a loop are not followed again by a retry")
  func loop() async throws {
    let requests = try await serve { _, _ in
      [.respond("", status: 307, headers: ["Location": "/graphql"])]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.retry = RetryTests.fast
      let client = client(server, provider: options)
      await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
    }
    #expect(requests.count <= 17)
  }

  @Test("An address that is wrong is not a failure of the network, as a broken connection is, however it is wrapped")
  func codes() {
    let codes: [(URLError.Code, Bool)] = [
      (.httpTooManyRedirects, false), (.badURL, false), (.unsupportedURL, false), (.dataLengthExceedsMaximum, false),
      (.networkConnectionLost, true), (.timedOut, true), (.badServerResponse, true),
    ]
    for (code, isNetwork) in codes {
      let error: any Error = URLError(code)
      let failure: any Error = URLSessionClient.URLSessionClientError.networkError(
        data: Data(), response: nil, underlying: error)
      for known in [error, failure, OperationError.wrap(failure, operationName: "Hero")] {
        #expect(known.isNetworkFailure == isNetwork, "\(known)")
      }
    }
  }
}

@Suite("Numbers in the answer to a batch")
struct BatchedNumberTests {
  private struct AmountQuery: GraphQLQuery {
    static let operationName = "Amount"
    static let operationDocument = OperationDocument("query Amount { amount }")
    typealias Data = AnyData
  }

  @Test("They keep the digits that the server has sent")
  func digits() async throws {
    let data = #"{"amount":19.90,"small":1e-7,"long":0.1000000000000000055}"#
    try await serve { _, _ in
      [.respond(#"[{"data":\#(data)}]"#)]
    } _: { server async throws in
      var options = DefaultInterceptorProvider.Options()
      options.batcher = RequestChainNetworkTransport.RequestBatcher(interval: .seconds(600), maximumSize: 1)
      let result = try await client(server, provider: options).fetch(
        query: AmountQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      #expect(result.data?.json == data)
    }
  }
}
