import Apollo
import ApolloWebSocket
import Foundation
import ScriptedWebSocketServer
import Testing
import Waiting

/// `make soak-websocket` runs it by itself, with a million events, and counts descriptors as well.
@Suite("A long run", .serialized, .timeLimit(.minutes(10)))
struct SoakTests {
  private static let events = ProcessInfo.processInfo.environment["APOLLO_SOAK_EVENTS"].flatMap(Int.init)
  private static let sockets = 20
  private static let subscriptionsPerSocket = 10

  @Test("Two hundred subscriptions on twenty sockets: every event, in its order, memory flat, nothing left behind")
  func events() async throws {
    let perSubscription = max((Self.events ?? 20_000) / (Self.sockets * Self.subscriptionsPerSocket), 1)
    let total = perSubscription * Self.sockets * Self.subscriptionsPerSocket
    let memory = MemoryRecord(total: total)
    let descriptors = Descriptors.count
    let end = try await LeakedTasks.watch {
      try await ScriptedWebSocketServer.with { connection in
        try await connection.acknowledge()
        var ids: [String] = []
        for _ in 1...Self.subscriptionsPerSocket { ids.append(try await connection.subscription()) }
        for number in 0..<perSubscription {
          for id in ids { connection.send(next(id, review(number))) }
          // No faster than the network takes it, so that no messages pile up on this side.
          await connection.flush()
        }
        for id in ids { connection.send(complete(id)) }
      } _: { server in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 1...Self.sockets {
            // The server is one thread, and may be busy with the other connections for a while.
            let transport = try WebSocketTransport(server) {
              $0.timeouts.connection = .seconds(120)
              $0.timeouts.acknowledgement = .seconds(120)
              $0.timeouts.pong = .seconds(120)
            }
            for _ in 1...Self.subscriptionsPerSocket {
              group.addTask {
                var expected = 0
                for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
                  guard result.data?.reviewAdded?.stars == expected else {
                    throw ScriptFailure("event \(expected) is \(String(describing: result.data))")
                  }
                  expected += 1
                  memory.countEvent()
                }
                guard expected == perSubscription else { throw ScriptFailure("\(expected) of \(perSubscription)") }
              }
            }
          }
          try await group.waitForAll()
        }
        #expect(server.connections.count == Self.sockets)
        try await Sockets.untilClosed(server)
      }
    }
    try await end.untilNoneIsLeft()
    #expect(memory.count == total)
    if Self.events != nil {
      try await Descriptors.untilBack(to: descriptors)
      print(memory.summary)
      // Less than half of what a leak of 50 bytes an event would be.
      #expect(memory.growth < 20 << 20, "\(memory.summary)")
    }
  }

  @Test("Twelve hundred connections, opened and closed in every way, leave no socket and no task")
  func cycles() async throws {
    let descriptors = Descriptors.count
    let end = try await LeakedTasks.watch {
      try await ScriptedWebSocketServer.with { connection in
        try await connection.acknowledge()
        guard case .text(let text) = try await connection.receive(), text.contains("subscribe") else { return }
        connection.send(next("1", review(1)))
        if connection.headers["way"] == "complete" { connection.send(complete("1")) }
        if connection.headers["way"] == "drop" { connection.drop() }
      } _: { server in
        let lasting = try WebSocketTransport(server)
        for cycle in 0..<1000 {
          switch cycle % 5 {
          case 0:
            try await lasting.connect()
            lasting.closeConnection()
          case 1:
            try await lasting.connect()
            lasting.pauseWebSocketConnection()
            lasting.resumeWebSocketConnection(autoReconnect: false)
            try await lasting.connect()
            lasting.closeConnection()
          case 2: try await Self.once(server, "complete", isCancelled: false)
          case 3: try await Self.once(server, "drop", isCancelled: false)
          default: try await Self.once(server, "cancel", isCancelled: true)
          }
        }
        #expect(server.connections.count == 1200)
        try await Sockets.untilClosed(server)
      }
    }
    try await end.untilNoneIsLeft()
    if Self.events != nil { try await Descriptors.untilBack(to: descriptors) }
  }

  private static func once(_ server: ScriptedWebSocketServer, _ way: String, isCancelled: Bool) async throws {
    let transport = try WebSocketTransport(server, reconnection: .never)
    transport.updateHeaderValues(["way": way])
    do {
      for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
        #expect(result.data?.reviewAdded?.stars == 1)
        if isCancelled { break }
      }
    } catch let error as WebSocketError {
      #expect(error.kind == .closed(code: .abnormalClosure, reason: ""))
    }
  }

  @Test("A single task that does not end would be seen")
  func leak() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let end = await LeakedTasks.watch { _ = Task { for await _ in stream {} } }
    #expect(end.isAnyLeft)
    continuation.finish()
    try await end.untilNoneIsLeft()
  }
}

/// Tells whether a task is left of those that were started, directly or not, while a closure ran.
///
/// Each of them has the values of its creator's task, and so keeps a token alive until it ends.
private struct LeakedTasks: Sendable {
  private final class Token: Sendable {}
  @TaskLocal private static var token: Token?

  private let isTokenLeft: @Sendable () -> Bool

  static func watch(_ body: () async throws -> Void) async rethrows -> LeakedTasks {
    let token = Token()
    try await $token.withValue(token, operation: body)
    return LeakedTasks(token)
  }

  private init(_ token: Token) {
    isTokenLeft = { [weak token] in token != nil }
  }

  var isAnyLeft: Bool { isTokenLeft() }

  func untilNoneIsLeft() async throws {
    try await eventually("a task is left") { !isTokenLeft() }
  }
}

private enum Sockets {
  /// Waits until no connection to a server is open, on either side.
  static func untilClosed(_ server: ScriptedWebSocketServer) async throws {
    #if os(Linux)
      try await eventually("sockets are left") { try open(server.port) == 0 }
    #endif
  }

  private static func open(_ port: Int) throws -> Int {
    let suffix = ":" + String(port, radix: 16, uppercase: true)
    let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
    return table.split(separator: "\n").dropFirst().count { line in
      let fields = line.split(separator: " ")
      // 06 is one that the system keeps for late packets, 0A the server's own.
      return (fields[1].hasSuffix(suffix) || fields[2].hasSuffix(suffix)) && fields[3] != "06" && fields[3] != "0A"
    }
  }
}

private enum Descriptors {
  static var count: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }

  static func untilBack(to base: Int) async throws {
    // Those of the event loops that all connections share stay.
    let shared = 3 * ProcessInfo.processInfo.activeProcessorCount + 4
    try await eventually("descriptors are left") { count <= base + shared }
  }
}

/// The memory in use, at each tenth of the way.
private final class MemoryRecord: Sendable {
  private let total: Int
  private let contents = Locked((count: 0, samples: [Int]()))

  init(total: Int) { self.total = total }

  var count: Int { contents.withLock { $0.count } }

  func countEvent() {
    contents.withLock { contents in
      contents.count += 1
      if contents.count % max(total / 10, 1) == 0 { contents.samples.append(Self.bytesInUse) }
    }
  }

  /// From the second tenth, by which everything is there that stays, to the highest that follows.
  var growth: Int {
    let samples = contents.withLock { $0.samples }
    guard samples.count > 2 else { return 0 }
    return samples.dropFirst(2).max().map { $0 - samples[1] } ?? 0
  }

  var summary: String {
    let kilobytes = contents.withLock { $0.samples }.map { "\($0 >> 10)" }.joined(separator: " ")
    return "\(count) events; KB resident at each tenth: \(kilobytes)"
  }

  /// Resident, which is what counts on a phone.
  private static var bytesInUse: Int {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
    return (pages.flatMap { Int($0) } ?? 0) * 4096
  }
}
