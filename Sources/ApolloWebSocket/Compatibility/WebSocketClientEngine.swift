import Apollo
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Opens connections with a ``WebSocketClient`` of the app's.
final class WebSocketClientEngine: WebSocketEngine, WebSocketClientDelegate {
  private typealias Messages = AsyncThrowingStream<WebSocketMessage, any Error>

  private struct State {
    /// Resumed when a connection is there, or none will be.
    var opening: CheckedContinuation<Void, any Error>?
    var opened: Connection?
    var messages: Messages.Continuation?
    /// The bytes of messages that wait. The client cannot be held up.
    var waitingBytes = 0
    /// Waits for the client to say that a connection, which this side has ended, is over.
    var ending: ConnectionWaiter?
    /// The header fields of the transport when it last set or read those of the request.
    var fields: [String: String]
    /// The lowercase names of the header fields that the transport was told to change since then. They are set whatever
    /// it had for them, because the app may have set something else.
    var changed: Set<String> = []
  }

  // Safe: an app's object (see Handoff), which is called on the queue only.
  nonisolated(unsafe) private let client: any WebSocketClient
  /// Where the client is called, and calls.
  private let queue = DispatchQueue(label: "apollo.websocket-client")
  private let state: Locked<State>
  /// The header fields of the request when the transport was made.
  private let first: [String: String]
  private let limits: WebSocketLimits

  init(_ client: any WebSocketClient, _ limits: WebSocketLimits) {
    self.client = client
    self.limits = limits
    first = client.request.allHTTPHeaderFields ?? [:]
    state = Locked(State(fields: first))
    client.callbackQueue = queue
    client.delegate = self
  }

  func connect(
    to url: URL, headers: [String: String], subprotocols: [String]
  ) async throws -> any WebSocketConnection {
    // What an earlier connection still has to say must not be taken for the end of this one.
    try await untilEnded(waitingAtMost: .seconds(1))
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (opening: CheckedContinuation<Void, any Error>) in
        state.withLock { $0.opening = opening }
        // (The handler was called before there was something to end.)
        if Task.isCancelled { return end(CancellationError()) }
        call { [self] client in
          guard state.withLock({ $0.opening != nil }) else { return }
          var request = client.request
          request.url = url
          set(headers, in: &request)
          request.setValue(subprotocols.joined(separator: ", "), forHTTPHeaderField: WebSocket.protocolHeader)
          client.request = request
          client.connect()
        }
      }
    } onCancel: {
      end(CancellationError())
      disconnect()
    }
    let opened = state.withLock { state in
      defer { state.opened = nil }
      return state.opened
    }
    guard let opened else { throw WebSocketError.closed(.noStatusReceived) }
    return opened
  }

  /// Sets the header fields that are others than the last time, and those that the transport was told to change. All
  /// else in the request is as the app has set it.
  private func set(_ fields: [String: String], in request: inout URLRequest) {
    let (last, changed) = state.withLock { state in
      defer { (state.fields, state.changed) = (fields, []) }
      return (state.fields, state.changed)
    }
    for name in last.keys where fields[name] == nil { request.setValue(nil, forHTTPHeaderField: name) }
    for name in changed where !fields.hasHeader(name) { request.setValue(nil, forHTTPHeaderField: name) }
    for (name, value) in fields where value != last[name] || changed.contains(name.lowercased()) {
      request.setValue(value, forHTTPHeaderField: name)
    }
  }

  /// Notes the names of header fields that the transport was told to change.
  func noteChange(of names: some Sequence<String>) {
    state.withLock { $0.changed.formUnion(names.map { $0.lowercased() }) }
  }

  /// Gives the request the header fields of the beginning: others may be those of the user who has signed out.
  func forgetUser() async {
    await withCheckedContinuation { continuation in
      call { [self] client in
        client.request.replaceHeaders(with: first)
        state.withLock { ($0.fields, $0.changed) = (first, []) }
        continuation.resume()
      }
    }
  }

  /// Does something with the client.
  fileprivate func call(_ body: @escaping @Sendable (any WebSocketClient) -> Void) {
    // Safe: the queue calls it, as always.
    nonisolated(unsafe) let client = client
    queue.async { body(client) }
  }

  fileprivate func disconnect() {
    state.withLock { $0.ending = $0.ending ?? ConnectionWaiter() }
    call { $0.disconnect(forceTimeout: nil) }
  }

  private func untilEnded(waitingAtMost limit: Duration) async throws {
    guard let ending = state.withLock({ $0.ending }) else { return }
    let alarm = Task {
      // A socket of the app's goes by the time of the device.
      try await SystemClock().sleep(for: limit)
      ending.settle(.success(()))
    }
    defer { alarm.cancel() }
    do {
      try await ending.wait()
    } catch {
      // What was cancelled is this attempt. A later one has to wait as well.
      state.withLock { if $0.ending === ending { $0.ending = ConnectionWaiter() } }
      throw error
    }
    state.withLock { $0.ending = nil }
  }

  private func end(_ error: any Error) {
    let (opening, messages) = state.withLock { state in
      defer { (state.opening, state.messages) = (nil, nil) }
      return (state.opening, state.messages)
    }
    opening?.resume(throwing: error)
    messages?.finish(throwing: error)
  }

  // MARK: WebSocketClientDelegate

  func websocketDidConnect(socket: any WebSocketClient) {
    let (messages, continuation) = Messages.makeStream()
    let subprotocol = socket.request.value(forHTTPHeaderField: WebSocket.protocolHeader)
    let connection = Connection(
      engine: self, subprotocol: subprotocol,
      messages: AsyncThrowingStream {
        var iterator = messages.makeAsyncIterator()
        let message = try await iterator.next()
        if let message { self.state.withLock { $0.waitingBytes -= message.byteCount } }
        return message
      })
    let opening = state.withLock { state in
      let opening = state.opening
      if opening != nil {
        (state.opening, state.opened, state.messages, state.waitingBytes) = (nil, connection, continuation, 0)
      }
      return opening
    }
    opening?.resume()
  }

  func websocketDidDisconnect(socket: any WebSocketClient, error: (any Error)?) {
    if let ending = state.withLock({ $0.ending }) { return ending.settle(.success(())) }
    end(error.map { WebSocketError.wrap($0) } ?? WebSocketError.closed(.noStatusReceived))
  }

  func websocketDidReceiveMessage(socket: any WebSocketClient, text: String) {
    received(.text(text))
  }

  func websocketDidReceiveData(socket: any WebSocketClient, data: Data) {
    received(.binary(Array(data)))
  }

  private func received(_ message: WebSocketMessage) {
    let size = message.byteCount
    let (messages, hasRoom) = state.withLock { state in
      let hasRoom = state.waitingBytes == 0 || size <= limits.waitingBytes - state.waitingBytes
      if hasRoom { state.waitingBytes += size }
      return (state.messages, hasRoom)
    }
    guard !hasRoom else {
      messages?.yield(message)
      return
    }
    end(WebSocketError(.tooManyResultBytes(limit: limits.waitingBytes)))
    disconnect()
  }

  private struct Connection: WebSocketConnection {
    let engine: WebSocketClientEngine
    let subprotocol: String?
    let messages: Messages

    func send(_ message: WebSocketMessage) {
      let text =
        switch message {
        case .text(let text): text
        case .binary(let bytes): String(decoding: bytes, as: UTF8.self)
        }
      engine.call { $0.write(string: text) }
    }

    /// The client tells nothing of an answer, so none is waited for: the call answers by itself.
    func ping(answered: @escaping @Sendable () -> Void) {
      engine.call { $0.write(ping: Data(), completion: nil) }
      answered()
    }

    func close(code: WebSocketCloseCode, reason: String) { engine.disconnect() }
  }
}
