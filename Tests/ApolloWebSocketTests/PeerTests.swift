import Apollo
import ApolloWebSocket
import Foundation
import PeerServers
import StyledTests
import Testing
import Waiting

/// Subscriptions of servers that other projects wrote.
@Suite(
  "Servers of other projects", .timeLimit(.minutes(10)),
  .enabled(if: Peer.areInstalled, "servers of other projects are not installed: scripts/bootstrap.sh peers"))
struct PeerTests {
  /// A server and a protocol that it speaks.
  enum Dialect: String, CaseIterable, CustomTestStringConvertible {
    case strawberry, strawberryLegacy, ariadne, ariadneLegacy, grapheneLegacy

    var peer: Peer {
      switch self {
      case .strawberry, .strawberryLegacy: .strawberry
      case .ariadne, .ariadneLegacy: .ariadne
      case .grapheneLegacy: .graphene
      }
    }

    var isLegacy: Bool { rawValue.hasSuffix("Legacy") }
    var hasReviews: Bool { peer != .graphene }
    /// What follows the server's address.
    var path: String { self == .ariadneLegacy ? "legacy/" : "" }
    var testDescription: String { "\(peer), \(isLegacy ? "graphql-ws" : "graphql-transport-ws")" }

    func transport(
      _ server: Endpoint, store: ApolloStore? = nil,
      configure: (inout WebSocketTransport.Configuration) -> Void = { _ in }
    ) throws -> WebSocketTransport {
      var configuration = WebSocketTransport.Configuration(
        subprotocols: [isLegacy ? .graphqlWS : .graphqlTransportWS],
        reconnection: ReconnectionPolicy(initialDelay: .milliseconds(50), maximumDelay: .milliseconds(200)))
      configure(&configuration)
      return WebSocketTransport(
        url: try #require(URL(string: server.webSocketAddress + path)), store: store, configuration: configuration)
    }

    func transport(by way: Way = .direct) async throws -> WebSocketTransport {
      try transport(try await PeerServer.shared(peer, by: way))
    }
  }

  @Test("A subscription yields its events in order and ends", arguments: Dialect.allCases, Way.installed)
  func subscription(dialect: Dialect, way: Way) async throws {
    let results = try await dialect.transport(by: way).all(Countdown(from: 5))
    #expect(results.map { $0.data?.countdown } == [5, 4, 3, 2, 1, 0])
  }

  @Test("Several at once, each with its own events", arguments: Dialect.allCases, Way.installed)
  func several(dialect: Dialect, way: Way) async throws {
    let transport = try await dialect.transport(by: way)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for start in 1...10 {
        group.addTask {
          let results = try await transport.all(Countdown(from: start))
          #expect(results.map { $0.data?.countdown } == (0...start).reversed())
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("The client ends one, and the connection serves the next", arguments: Dialect.allCases, Way.installed)
  func endedByClient(dialect: Dialect, way: Way) async throws {
    let transport = try await dialect.transport(by: way)
    for _ in 1...3 {
      for try await result in transport.results(of: Countdown(from: 1000), cachePolicy: .default) {
        #expect(result.data?.countdown == 1000)
        break
      }
    }
    let values = try await transport.all(Countdown(from: 1)).map { $0.data?.countdown }
    // This server breaks the connection if a stop reaches it while it makes the next event ("aclose(): asynchronous
    // generator is already running"). The last subscription then begins again on the next connection.
    #expect(dialect == .ariadneLegacy ? values.suffix(2) == [1, 0] : values == [1, 0], "\(values)")
  }

  @Test("An error while it runs comes after the events before it", arguments: Dialect.allCases, Way.installed)
  func runtimeError(dialect: Dialect, way: Way) async throws {
    let results = try await dialect.transport(by: way).all(FailAfter(n: 2))
    #expect(results.map { $0.data?.failAfter } == [0, 1, nil])
    #expect(results.last?.errors?.map(\.message) == ["subscription failed"])
  }

  @Test(
    "An operation that is no good fails with the server's words, and no other does", arguments: Dialect.allCases,
    Way.installed)
  func validationError(dialect: Dialect, way: Way) async throws {
    let transport = try await dialect.transport(by: way)
    let other = transport.results(of: Countdown(from: 3), cachePolicy: .default)
    let error = try await transport.failure(of: NoSuchField())
    #expect(error.kind == .errorResponse)
    #expect(error.message.contains("Cannot query field 'nope' on type 'Subscription'."))
    #expect(error.graphQLErrors.first?.locations?.first?.line == 1)
    var count = 0
    for try await _ in other { count += 1 }
    #expect(count == 4)
  }

  @Test(
    "Queries go over the socket where the server runs them, and are refused in words where it does not",
    arguments: Dialect.allCases, Way.installed)
  func query(dialect: Dialect, way: Way) async throws {
    let transport = try await dialect.transport(by: way)
    guard dialect != .strawberryLegacy else {
      return #expect(try await transport.failure(of: HeroName()).message.contains("queries are not allowed"))
    }
    // One of these servers never sends the `complete` that should follow the result.
    #expect(try await transport.all(HeroName()).map { $0.data?.hero?.name } == ["R2-D2"])
  }

  @Test("A server that chooses a protocol that was not offered fails the handshake")
  func negotiation() async throws {
    let server = try await PeerServer.shared(.graphene)
    let transport = WebSocketTransport(url: try #require(URL(string: server.webSocketAddress)))
    let error = try await transport.failure(of: Countdown(from: 1))
    #expect(error.kind == .subprotocolMismatch(chosen: "graphql-ws"))
  }

  @Test("A server that sends no parts over a socket says so")
  func noParts() async throws {
    let error = try await Dialect.strawberry.transport().failure(of: DeferredName())
    #expect(error.kind == .errorResponse)
    #expect(error.message.contains("Incremental delivery is not supported over graphql-transport-ws"))
  }

  // MARK: Credentials

  @Test(
    "A connection that the server refuses ends in its words, or gets other credentials and goes on",
    arguments: [Dialect.strawberry, .strawberryLegacy, .ariadneLegacy])
  func unauthorized(dialect: Dialect) async throws {
    let server = try await PeerServer.start(dialect.peer, isGuarded: true)
    defer { server.kill() }
    let error = try await dialect.transport(server.endpoint).failure(of: Countdown(from: 1))
    if dialect.isLegacy {
      #expect(error.kind == .errorResponse)
      #expect(error.payload?["message"] as? String == "no good token")
    } else {
      #expect(error.kind == .closed(code: .forbidden, reason: "Forbidden"))
    }
    let tokens = Tokens()
    let transport = try dialect.transport(server.endpoint) {
      $0.authenticator = tokens
      $0.credentialsPlacement = .connectingPayload
    }
    #expect(try await transport.all(Countdown(from: 2)).map { $0.data?.countdown } == [2, 1, 0])
    #expect(tokens.renewals == 1)
  }

  /// Has a first token, and then a second.
  private final class Tokens: Authenticator {
    private let count = Locked(0)
    var renewals: Int { count.withLock { $0 } }

    func credentials() async throws -> [String: String] { ["token": renewals == 0 ? "first" : "second"] }

    func renew(refused: [String: String]) async throws -> Bool {
      count.withLock { $0 += 1 }
      return true
    }
  }

  @Test("A server that closes with 1000 instead of an acknowledgement is tried as often as the configuration says")
  func closedWithoutReason() async throws {
    let server = try await PeerServer.start(.ariadne, isGuarded: true)
    defer { server.kill() }
    let transport = try Dialect.ariadne.transport(server.endpoint) { $0.reconnection.maximumServerFailures = 2 }
    let error = try await transport.failure(of: Countdown(from: 1))
    #expect(error.kind == .retriesExhausted(attempts: 3))
    #expect((error.error as? WebSocketError)?.kind == .closed(code: .normalClosure, reason: ""))
  }

  // MARK: Servers that go away

  @Test(
    "A server is killed and started again: of its second life no event is lost, and none comes twice",
    arguments: Dialect.allCases.flatMap { dialect in
      // Behind the proxy, all dialects are alike for it.
      Way.installed.filter { $0 == .direct || dialect == Dialect.allCases[0] || Effort.isLong }.map { (dialect, $0) }
    })
  func restart(dialect: Dialect, way: Way) async throws {
    let first = try await PeerServer.start(dialect.peer)
    let proxy = way == .nginx ? try await ReverseProxy.start(to: first.endpoint) : nil
    defer { proxy?.kill() }
    let transport = try dialect.transport(proxy?.endpoint ?? first.endpoint)
    // It takes five seconds, so that a busy machine does not come to its end before the server is stopped.
    var events = transport.results(of: Countdown(from: 10, ms: 500), cachePolicy: .default).makeAsyncIterator()
    for expected in [10, 9, 8] {
      let event = try await events.next()?.data?.countdown
      #expect(event == expected)
    }
    try await first.end()
    let second = try await PeerServer.start(dialect.peer, port: first.endpoint.port)
    defer { second.kill() }
    var counted: [Int] = []
    while let event = try await events.next() { counted.append(event.data?.countdown ?? -1) }
    // What the first life had still sent, then the whole of the second.
    let start = try #require(counted.firstIndex(of: 10))
    #expect(Array(counted[start...]) == (0...10).reversed())
    #expect(counted[..<start].elementsEqual((0..<8).reversed().prefix(start)))
  }

  @Test(
    "Events that others cause come once each, before a restart and after it",
    arguments: Dialect.allCases.filter(\.hasReviews))
  func reviews(dialect: Dialect) async throws {
    let first = try await PeerServer.start(dialect.peer)
    let client = ApolloClient(networkTransport: try dialect.transport(first.endpoint))
    let events = client.subscribe(to: PeerReviewAdded())
    let states = Locked<[String]>([])
    let stars = Awaited<[Int]>([])
    let watching = Task { for await state in events.states { states.withLock { $0.append("\(state)") } } }
    let listening = Task {
      for try await event in events { stars.change { $0.append(event.data?.reviewAdded?.stars ?? -1) } }
    }
    defer {
      listening.cancel()
      watching.cancel()
    }
    try await Self.rate(first, from: 100, until: stars)
    try await first.end()
    let second = try await PeerServer.start(dialect.peer, port: first.endpoint.port)
    defer { second.kill() }
    try await Self.rate(second, from: 200, until: stars)
    #expect(states.withLock { $0.contains { $0.hasPrefix("reconnecting") } })
  }

  /// Sends one review again and again until it comes back, so that the server is known to have the subscription; then
  /// fifty, which all have to come, in order, once.
  private static func rate(_ server: PeerServer, from start: Int, until stars: Awaited<[Int]>) async throws {
    let url = try #require(URL(string: server.endpoint.address))
    let client = ApolloClient(url: url)
    // (Nothing tells when a server has a subscription, so it is asked again until an event has come.)
    try await eventually {
      if !stars.value.contains(start) { try await client.perform(mutation: CreateReview(stars: start)) }
      return stars.value.contains(start)
    }
    let sent = Array(start + 1...start + 50)
    for number in sent { try await client.perform(mutation: CreateReview(stars: number)) }
    try await stars.until { $0.last == sent.last }
    #expect(stars.value.filter { $0 > start }.suffix(50) == sent[...])
  }
}

// MARK: Operations

private struct Countdown: GraphQLSubscription {
  static let operationName = "Countdown"
  static let operationDocument = OperationDocument(
    "subscription Countdown($from: Int!, $ms: Int!) { countdown(from: $from, ms: $ms) }")

  var from: Int
  var ms = 5

  func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("from", from)
    writer.write("ms", ms)
  }

  struct Data: SelectionSet, Hashable {
    var countdown: Int
    static let __fields = __FieldTable(version: 1, "countdown(from:$from,ms:$ms)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { countdown = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, countdown) }
  }
}

private struct FailAfter: GraphQLSubscription {
  static let operationName = "FailAfter"
  static let operationDocument = OperationDocument("subscription FailAfter($n: Int!) { failAfter(n: $n) }")

  var n: Int

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("n", n) }

  struct Data: SelectionSet, Hashable {
    var failAfter: Int
    static let __fields = __FieldTable(version: 1, "failAfter(n:$n)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { failAfter = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, failAfter) }
  }
}

private struct NoSuchField: GraphQLSubscription {
  static let operationName = "NoSuchField"
  static let operationDocument = OperationDocument("subscription NoSuchField { nope }")

  struct Data: SelectionSet, Hashable {
    var nope: Int?
    static let __fields = __FieldTable(version: 1, "nope")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { nope = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, nope) }
  }
}

private struct HeroName: GraphQLQuery {
  static let operationName = "HeroName"
  static let operationDocument = OperationDocument("query HeroName { hero { name } }")

  struct Data: SelectionSet, Hashable {
    var hero: Hero?
    static let __fields = __FieldTable(version: 1, "hero")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { hero = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, hero) }
  }

  struct Hero: SelectionSet, Hashable {
    var name: String
    static let __fields = __FieldTable(version: 1, "name")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { name = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, name) }
  }
}

private struct DeferredName: GraphQLQuery {
  static let operationName = "DeferredName"
  static let operationDocument = OperationDocument("query DeferredName { hero { id ... @defer { name } } }")
  typealias Data = HeroName.Data
}

private struct Stars: SelectionSet, Hashable {
  var stars: Int
  static let __fields = __FieldTable(version: 1, "stars")
  init(__reading object: inout __ObjectReader) throws(__ReadError) { stars = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) { writer.write(0, stars) }
}

private struct PeerReviewAdded: GraphQLSubscription {
  static let operationName = "ReviewAdded"
  static let operationDocument = OperationDocument("subscription ReviewAdded { reviewAdded { stars } }")

  struct Data: SelectionSet, Hashable {
    var reviewAdded: Stars?
    static let __fields = __FieldTable(version: 1, "reviewAdded")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { reviewAdded = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, reviewAdded) }
  }
}

private struct CreateReview: GraphQLMutation {
  static let operationName = "CreateReview"
  static let operationDocument = OperationDocument(
    "mutation CreateReview($stars: Int!) { createReview(review: {stars: $stars}) { stars } }")

  var stars: Int

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("stars", stars) }

  struct Data: SelectionSet, Hashable {
    var createReview: Stars?
    static let __fields = __FieldTable(version: 1, "createReview(review:{stars:$stars})")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { createReview = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, createReview) }
  }
}
