import FlyingFox
import Foundation
import GraphQLExecution
import Testing

@testable import StarWarsServer

/// A session without sockets: what the client sends goes in, what the server sends comes out.
private struct Connection {
  let galaxy = Galaxy()
  private let input: AsyncStream<WSMessage>.Continuation
  private var output: AsyncStream<WSMessage>.Iterator

  init(initialise: Bool = true, timeout: Duration = .seconds(60)) async throws {
    let (client, input) = AsyncStream<WSMessage>.makeStream()
    let service = GraphQLService(try StarWarsAPI.make(galaxy))
    self.input = input
    output = try await SessionHandler(service: service, initialisationTimeout: timeout)
      .makeMessages(for: client).makeAsyncIterator()
    if initialise {
      send(["type": "connection_init"])
      #expect(try await receive() == ["type": "connection_ack"])
    }
  }

  func send(_ message: GraphQLValue) { send(.text(String(decoding: message.json, as: UTF8.self))) }
  func send(_ message: WSMessage) { input.yield(message) }
  func disconnect() { input.finish() }

  mutating func next() async -> WSMessage? { await output.next() }

  mutating func receive() async throws -> GraphQLValue? {
    guard case .text(let text)? = await next() else { return nil }
    return try GraphQLValue(json: text.utf8)
  }

  /// The code that the server closes the connection with.
  mutating func closeCode() async -> UInt16? {
    while let message = await next() {
      if case .close(let code) = message { return code.code }
    }
    return nil
  }
}

private let reviewAdded: GraphQLValue = [
  "query": "subscription ($e: Episode) { reviewAdded(episode: $e) { stars } }"
]

@Suite("The server over WebSocket", .serialized, .timeLimit(.minutes(5)))
struct WebSocketTests {
  @Test("A query is answered by one next and a complete, and its id is free again")
  func query() async throws {
    var connection = try await Connection()
    for _ in 1...2 {
      connection.send(["id": "1", "type": "subscribe", "payload": ["query": "{ hero { name } }"]])
      #expect(
        try await connection.receive()
          == ["id": "1", "type": "next", "payload": ["data": ["hero": ["name": "R2-D2"]]]])
      #expect(try await connection.receive() == ["id": "1", "type": "complete"])
    }
  }

  @Test("A request that cannot be executed is answered by an error, and nothing after it")
  func requestError() async throws {
    var connection = try await Connection()
    connection.send(["id": "1", "type": "subscribe", "payload": ["query": "{ nope }"]])
    let answer = try await connection.receive()
    #expect(answer?["type"] == "error")
    #expect(answer?["payload"]?[0]?["message"]?.string?.contains("\"nope\"") == true)
    connection.send(["type": "ping"])
    #expect(try await connection.receive() == ["type": "pong"])
  }

  @Test("A subscription gets the events that it asked for until it is completed")
  func subscription() async throws {
    var connection = try await Connection()
    var payload = reviewAdded
    payload["variables"] = ["e": "JEDI"]
    connection.send(["id": "s", "type": "subscribe", "payload": payload])
    await connection.galaxy.waitForListeners(1)
    for (episode, stars) in [("JEDI", 1), ("EMPIRE", 2), ("JEDI", 3)] {
      _ = try await connection.galaxy.createReview(["stars": .int(stars)], of: episode)
    }
    for stars in [1, 3] {
      #expect(
        try await connection.receive()
          == ["id": "s", "type": "next", "payload": ["data": ["reviewAdded": ["stars": .int(stars)]]]])
    }
    connection.send(["id": "s", "type": "complete"])
    await connection.galaxy.waitForListeners { $0 == 0 }
  }

  @Test("A ping is answered with its payload, before the connection is initialised too")
  func ping() async throws {
    var connection = try await Connection(initialise: false)
    connection.send(["type": "ping", "payload": ["n": 1]])
    #expect(try await connection.receive() == ["type": "pong", "payload": ["n": 1]])
  }

  @Test("A connection that goes away ends its subscriptions")
  func disconnection() async throws {
    let connection = try await Connection()
    connection.send(["id": "s", "type": "subscribe", "payload": reviewAdded])
    await connection.galaxy.waitForListeners(1)
    connection.disconnect()
    await connection.galaxy.waitForListeners { $0 == 0 }
  }

  @Test(
    "Each violation of the protocol has its code",
    arguments: [
      ([["type": "unknown"]], 4400), ([["no": "type"]], 4400),
      ([["type": "subscribe", "payload": reviewAdded]], 4400),
      ([["id": "1", "type": "subscribe", "payload": [:]]], 4400), ([["type": "ping", "payload": 1]], 4400),
      ([["type": "complete"]], 4400), ([["type": "connection_init"]], 4429),
      (
        [
          ["id": "1", "type": "subscribe", "payload": reviewAdded],
          ["id": "1", "type": "subscribe", "payload": reviewAdded],
        ], 4409
      ),
    ] as [([GraphQLValue], UInt16)])
  func violations(_ messages: [GraphQLValue], _ code: UInt16) async throws {
    var connection = try await Connection()
    for message in messages { connection.send(message) }
    #expect(await connection.closeCode() == code)
  }

  @Test("A value that is not JSON text is refused", arguments: [WSMessage.text("{"), .text(""), .data(Data([1]))])
  func notJSON(_ message: WSMessage) async throws {
    var connection = try await Connection()
    connection.send(message)
    #expect(await connection.closeCode() == 4400)
  }

  @Test("A client that subscribes before it is acknowledged, or never initialises, is closed")
  func initialisation() async throws {
    var early = try await Connection(initialise: false)
    early.send(["id": "1", "type": "subscribe", "payload": reviewAdded])
    #expect(await early.closeCode() == 4401)
    var silent = try await Connection(initialise: false, timeout: .milliseconds(10))
    #expect(await silent.closeCode() == 4408)
  }
}
