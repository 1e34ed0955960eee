import Apollo
import ApolloWebSocket
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A socket as apps write one for their tests: it plays the server itself.
final class MockWebSocket: WebSocketClient, @unchecked Sendable {
  // Called on the queue that the transport sets, after it was made.
  private var currentRequest: URLRequest
  weak var delegate: (any WebSocketClientDelegate)?
  private let key = DispatchSpecificKey<Bool>()
  private var hasQueue = false
  var callbackQueue = DispatchQueue.main {
    didSet {
      callbackQueue.setSpecific(key: key, value: true)
      hasQueue = true
    }
  }
  /// How often the request was used elsewhere than on the queue.
  let strayUses = Locked(0)
  let notes = Locked<[String]>([])
  var isRefusing = false
  var tellsOfEnd = true

  init(_ subprotocol: String?) {
    currentRequest = URLRequest(url: URL(string: "https://example.com/graphql")!)
    request.setValue(subprotocol, forHTTPHeaderField: WebSocket.Constants.headerWSProtocolName)
    request.setValue("one", forHTTPHeaderField: "Authorization")
  }

  var request: URLRequest {
    get {
      noteUse()
      return currentRequest
    }
    set {
      noteUse()
      currentRequest = newValue
    }
  }

  private func noteUse() {
    if hasQueue, DispatchQueue.getSpecific(key: key) == nil { strayUses.withLock { $0 += 1 } }
  }

  /// The `Authorization` of each connection.
  var tokens: [String] {
    notes.withLock { $0 }.filter { $0.hasPrefix("connect ") }.map { String($0.split(separator: " ")[2]) }
  }

  private func note(_ text: String) { notes.withLock { $0.append(text) } }

  func connect() {
    let fields = ["Authorization", "Sec-WebSocket-Protocol"].map { request.value(forHTTPHeaderField: $0) ?? "none" }
    note("connect \(request.url?.scheme ?? "") \(fields.joined(separator: " "))")
    callbackQueue.async { [self] in
      if isRefusing {
        isRefusing = false
        delegate?.websocketDidDisconnect(socket: self, error: URLError(.cannotConnectToHost))
      } else {
        delegate?.websocketDidConnect(socket: self)
      }
    }
  }

  func disconnect(forceTimeout: TimeInterval?) {
    note("disconnect")
    guard tellsOfEnd else { return }
    callbackQueue.async { [self] in delegate?.websocketDidDisconnect(socket: self, error: nil) }
  }

  func write(ping: Data, completion: (() -> Void)?) { completion?() }

  func write(string: String) {
    note(string)
    if string.contains("connection_init") { say(#"{"type":"connection_ack"}"#) }
    if string.contains(#""subscribe""#) { say(next("1", review(3))) }
    if string.contains(#""start""#) { say(#"{"type":"data","id":"1","payload":\#(review(4))}"#) }
  }

  func say(_ text: String) { delegate?.websocketDidReceiveMessage(socket: self, text: text) }

  func fail() {
    callbackQueue.async { [self] in
      delegate?.websocketDidDisconnect(socket: self, error: URLError(.networkConnectionLost))
    }
  }
}
