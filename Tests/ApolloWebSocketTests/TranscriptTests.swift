import Apollo
import Foundation
import Testing

@testable import ApolloWebSocket

/// What real servers said, frame by frame.
private enum Transcripts {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Transcripts")

  /// Those of a session in one of the two protocols, as `server/name`.
  static let sessions: [String] = {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    return files.filter { url in
      let name = url.lastPathComponent
      return (name.hasPrefix("tws_") || name.hasPrefix("lws_")) && subprotocol(of: lines(url)) != nil
    }
    .map { "\($0.deletingLastPathComponent().lastPathComponent)/\($0.lastPathComponent)" }.sorted()
  }()

  /// All others: the server, or the client, refused the handshake.
  static let refusals: [String] = {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    return files.filter { url in
      ["tws_", "lws_", "ws_"].contains { url.lastPathComponent.hasPrefix($0) } && subprotocol(of: lines(url)) == nil
    }
    .map { "\($0.deletingLastPathComponent().lastPathComponent)/\($0.lastPathComponent)" }.sorted()
  }()

  static func lines(_ url: URL) -> [String] {
    (try? String(contentsOf: url, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }

  static func subprotocol(of lines: [String]) -> WebSocketSubprotocol? {
    WebSocketSubprotocol.allCases.first { lines.first == "<subprotocol \($0.rawValue)>" }
  }
}

private typealias Message = [String: Any]

private func parse(_ text: some StringProtocol) -> Message? {
  try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? Message
}

@Suite("Sessions with real servers")
struct TranscriptTests {
  @Test("There are sessions of both protocols")
  func present() {
    #expect(Transcripts.sessions.filter { $0.contains("/tws_") }.count >= 40)
    #expect(Transcripts.sessions.filter { $0.contains("/lws_") }.count >= 15)
    #expect(Transcripts.sessions.count + Transcripts.refusals.count == 132)
  }

  @Test(
    "A handshake that is refused ends the operation with the reason, or is tried again where that may help",
    arguments: Transcripts.refusals)
  func refusal(name: String) throws {
    let line = try #require(Transcripts.lines(Transcripts.folder.appendingPathComponent(name)).first)
    var script = MachineScript()
    script.start("1")
    let error: WebSocketError
    let isRetried: Bool
    if let match = line.firstMatch(of: /rejected WebSocket connection: HTTP ([0-9]+)/) {
      let status = try #require(Int(match.1))
      error = WebSocketError(.upgradeError(code: status))
      isRetried = status == 500
    } else {
      #expect(line.contains("subprotocol"))
      error = WebSocketError(.subprotocolMismatch(chosen: line.contains("graphql-ws") ? "graphql-ws" : nil))
      isRetried = false
    }
    let actions = script.run(.lost(error))
    #expect(actions.contains("fail 1: \(error)") == !isRetried)
    #expect(script.wait(.seconds(1)) == (isRetried ? ["connect"] : []))
  }

  @Test(
    "Everything that servers say is understood, and every operation ends as the server says",
    arguments: Transcripts.sessions)
  func session(name: String) throws {
    let lines = Transcripts.lines(Transcripts.folder.appendingPathComponent(name))
    var session = Session(MachineScript(try #require(Transcripts.subprotocol(of: lines))))
    for line in lines.dropFirst() {
      if line.hasPrefix("C> ") { session.client(parse(line.dropFirst(3))) }
      if line.hasPrefix("S> ") { try session.server(String(line.dropFirst(3))) }
      if line.hasPrefix("<closed ") { session.closed(line.dropFirst(8).dropLast()) }
    }
  }

  /// Replays one session and says what should come of each line.
  private struct Session {
    var script: MachineScript
    /// The types of the operations that are under way.
    var running: [String: GraphQLOperationType] = [:]

    init(_ script: MachineScript) {
      self.script = script
      self.script.run(.connect)
      self.script.open(payload: #"{"token":"t"}"#)
    }

    /// Does what the client of the recording did, where this one would ever do that.
    mutating func client(_ message: Message?) {
      let id = message?["id"] as? String ?? ""
      switch message?["type"] as? String {
      case "subscribe", "start":
        guard running[id] == nil, let query = (message?["payload"] as? Message)?["query"] as? String else { return }
        let type: GraphQLOperationType =
          query.hasPrefix("subscription") ? .subscription : query.hasPrefix("mutation") ? .mutation : .query
        #expect(script.start(id, type).allSatisfy { $0.hasPrefix("send ") })
        running[id] = type
      case "complete", "stop":
        #expect(script.run(.cancel(id: id)).count == (running[id] == nil ? 0 : 2))
        running[id] = nil
      default: break
      }
    }

    mutating func server(_ text: String) throws {
      let message = try #require(parse(text))
      let id = message["id"] as? String ?? ""
      let isRunning = running[id] != nil
      let actions = script.receive(text)
      switch message["type"] as? String {
      case "connection_ack": #expect(actions == ["tell connected"])
      case "next", "data":
        let isLast = isRunning && running[id] != .subscription
        let told: [String] = actions.map { String($0.prefix(7)) }
        #expect(told == (!isRunning ? [] : isLast ? ["deliver", "finish "] : ["deliver"]))
        if isLast { running[id] = nil }
      case "error":
        #expect(actions.map { String($0.prefix(7)) } == (isRunning ? ["fail \(id):"] : []))
        #expect(!actions.contains { $0.contains("no reason") })
        running[id] = nil
      case "complete":
        #expect(actions == (isRunning ? ["finish \(id)"] : []))
        running[id] = nil
      case "pong": #expect(actions == ["tell pong"])
      case "ka": #expect(actions == [])
      default: Issue.record("unknown message: \(text)")
      }
    }

    mutating func closed(_ reason: some StringProtocol) {
      guard script.machine.isOpen, let code = reason.split(separator: " ").first.flatMap({ UInt16($0) }) else { return }
      let failed = script.lose(code).count { $0.hasPrefix("fail ") }
      #expect(failed == (WebSocketCloseCode(rawValue: code).isRetryable ? 0 : running.count))
    }
  }
}
