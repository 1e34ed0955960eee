import Apollo
import ApolloWebSocket
import Foundation
import NIOWebSocket
import ResponseStyles
import ScriptedWebSocketServer
import Testing

let ack = #"{"type":"connection_ack"}"#

func next(_ id: String, _ payload: String) -> String { #"{"id":"\#(id)","type":"next","payload":\#(payload)}"# }
func complete(_ id: String) -> String { #"{"id":"\#(id)","type":"complete"}"# }

extension ScriptedConnection {
  /// Fails the test if the client says anything else. Where the style of JSON changes, values are compared.
  func expect(_ frame: Frame, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let received = try await receive()
    if ResponseStyle.current != nil, let value = received.json, value == frame.json { return }
    #expect(received == frame, sourceLocation: sourceLocation)
  }

  /// The next frame. The script is over if the client has left instead: it may do so at any time, and its test knows why.
  private func receiveIfThere() async throws -> Frame {
    let frame = try await receive()
    guard frame != .gone else { throw CancellationError() }
    return frame
  }

  /// The opening of every session, with the payload `{}` or with none.
  func acknowledge() async throws {
    let opening = try await receiveIfThere().json
    #expect(
      opening == ["type": "connection_init"] || opening == ["type": "connection_init", "payload": [:] as [String: Any]])
    send(ack)
  }

  /// Waits for a ping frame, and returns its payload.
  @discardableResult
  func receivePing() async throws -> [UInt8] {
    let frame = try await receive()
    guard case .ping(let payload) = frame else { throw ScriptFailure("\(frame) instead of a ping") }
    return payload
  }

  func answerPing() async throws { send(.pong, try await receivePing()) }

  /// Waits for a `subscribe` and returns its id.
  @discardableResult
  func subscription(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    guard case .text(let text) = try await receiveIfThere(),
      let message = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      message["type"] as? String == "subscribe" || message["type"] as? String == "start",
      let id = message["id"] as? String
    else { throw ScriptFailure("no subscribe") }
    return id
  }
}

extension ScriptedConnection.Frame {
  fileprivate var json: NSDictionary? {
    guard case .text(let text) = self else { return nil }
    return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
  }
}

struct ScriptFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Delays that a test can wait for.
let fastReconnection = ReconnectionPolicy(
  maximumAttempts: 3, maximumServerFailures: 3, initialDelay: .milliseconds(10), jitter: 0)

extension WebSocketTransport {
  convenience init(
    _ server: ScriptedWebSocketServer, store: ApolloStore? = nil, reconnection: ReconnectionPolicy = fastReconnection,
    configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration(connectingPayload: .none, reconnection: reconnection, connectOnInit: false)
    configure(&configuration)
    self.init(url: try #require(URL(string: server.address)), store: store, configuration: configuration)
  }

  /// All results of an operation.
  func all<Operation: GraphQLOperation>(
    _ operation: Operation, cachePolicy: CachePolicy = .fetchIgnoringCacheData, context: (any RequestContext)? = nil
  ) async throws -> [GraphQLResult<Operation.Data>] {
    var all: [GraphQLResult<Operation.Data>] = []
    for try await result in results(of: operation, cachePolicy: cachePolicy, context: context) { all.append(result) }
    return all
  }

  /// The error that ends an operation.
  func failure<Operation: GraphQLOperation>(
    of operation: Operation, context: (any RequestContext)? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> WebSocketError {
    do {
      _ = try await all(operation, context: context)
    } catch {
      return try #require(error as? WebSocketError, sourceLocation: sourceLocation)
    }
    throw ScriptFailure("the operation succeeds")
  }
}
