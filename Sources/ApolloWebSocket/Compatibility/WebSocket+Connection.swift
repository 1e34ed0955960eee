public import Foundation
import Apollo
import ApolloAPI
import ApolloCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension WebSocket {
  /// Opens a connection for the app's own use. It does nothing if there is one already.
  ///
  /// For the socket of a transport, call ``WebSocketTransport/initServer()`` instead.
  public func connect() {
    let request = request
    let subprotocol = subprotocol.rawValue
    state.withLock { state in
      guard state.reader == nil, state.connection == nil else { return }
      state.readerCount += 1
      let number = state.readerCount
      let task = Task { [weak self] in
        // (The callbacks are told of errors.)
        if let connection = try? await self?.open(
          request.url, headers: request.allHTTPHeaderFields ?? [:], subprotocols: [subprotocol], for: number)
        {
          let messages = connection.messages
          do { for try await _ in messages {} } catch {}
        }
        self?.state.withLock { if $0.reader?.number == number { $0.reader = nil } }
      }
      state.reader = (number, task)
    }
  }

  /// Closes the connection. A transport opens another one if operations are still running.
  ///
  /// - Parameter forceTimeout: Has no effect: the socket waits for the server for a moment.
  public func disconnect(forceTimeout: TimeInterval? = nil) {
    let (connection, number, reader) = state.withLock { state in
      defer { state.reader = nil }
      return (state.connection, state.number, state.reader?.task)
    }
    guard let connection else {
      reader?.cancel()
      return
    }
    connection.close(code: .normalClosure, reason: "")
    // The next one may be opened before the server has answered.
    ended(nil, number: number)
  }

  /// Sends a text message. It does nothing without a connection.
  ///
  /// If more than ``WebSocketLimits/unreadBytes`` wait because the server does not read, the connection ends with an error.
  public func write(string: String) { write(string: string, completion: nil) }

  /// Sends a text message. Without a connection, it only calls the completion.
  ///
  /// - Parameters:
  ///   - string: The message.
  ///   - completion: Called on the ``callbackQueue`` after the message was given to the connection. nil: none.
  public func write(string: String, completion: (() -> Void)?) {
    send(.text(string))
    tell(completion)
  }

  /// Sends a binary message. Without a connection, it only calls the completion.
  ///
  /// - Parameters:
  ///   - data: The message.
  ///   - completion: Called on the ``callbackQueue`` after the message was given to the connection. nil, the default:
  ///     none.
  public func write(data: Data, completion: (() -> Void)? = nil) {
    send(.binary(Array(data)))
    tell(completion)
  }

  /// Sends a ping frame. ``onPong`` is called when the server answers.
  ///
  /// - Parameters:
  ///   - ping: Has no effect: the frame is empty.
  ///   - completion: Called on the ``callbackQueue`` after the frame was given to the connection. nil, the default:
  ///     none.
  public func write(ping: Data, completion: (() -> Void)? = nil) {
    connection?.ping { [weak self] in
      guard let self else { return }
      tell(on: callbackQueue) { socket in socket.onPong?(nil) }
    }
    tell(completion)
  }

  private var connection: (any WebSocketConnection)? { state.withLock { $0.connection } }

  private func send(_ message: WebSocketMessage) {
    let weight = ClientMessage.Weight(kind: .other, bytes: message.byteCount)
    let (connection, number, isTooMuch) = state.withLock { state in
      if state.connection != nil { state.unread.add(weight) }
      return (state.connection, state.number, state.unread.isTooMuch)
    }
    guard isTooMuch else {
      connection?.send(message) { [weak self] in
        self?.state.withLock { if $0.number == number { $0.unread.remove(weight) } }
      }
      return
    }
    connection?.close(code: .policyViolation, reason: "More than \(limits.unreadBytes) bytes are unread")
    ended(WebSocketError(.tooManyUnreadBytes(limit: limits.unreadBytes)), number: number)
  }

  private func tell(_ completion: (() -> Void)?) {
    guard let completion else { return }
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let handler = completion
    callbackQueue.async { handler() }
  }

  /// Calls callbacks. Under the lock of the state, so that they are called in the order of its changes.
  private func tell(on queue: DispatchQueue, _ body: @escaping @Sendable (WebSocket) -> Void) {
    queue.async { body(self) }
  }

  // MARK: Connections that callbacks are told of

  /// Opens a connection. The callbacks and the delegate are told what happens to it.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - headers: The header fields of the handshake.
  ///   - subprotocols: What is offered to the server.
  ///   - reader: The number of the reader that the connection is for. nil, the default: that of a transport.
  /// - Returns: The connection.
  /// - Throws: Why there is none; `CancellationError` if it was no longer wanted when it was open.
  func open(
    _ url: URL?, headers: [String: String], subprotocols: [String], for reader: Int? = nil
  ) async throws -> any WebSocketConnection {
    do {
      var headers = headers
      // The engine adds this header field.
      headers.setHeader(Self.protocolHeader, to: nil)
      let connection = try await engine.connect(to: try .ofSocket(url), headers: headers, subprotocols: subprotocols)
      let number: Int? = state.withLock { state in
        // Not every engine notices that it was cancelled, and another attempt may have been made since.
        guard !Task.isCancelled, reader == nil || state.reader?.number == reader else { return nil }
        state.number += 1
        (state.connection, state.connectionReader) = (connection, reader)
        state.unread = UnreadBytes(limit: limits.unreadBytes)
        tell(on: state.callbackQueue) { socket in
          socket.onConnect?()
          socket.delegate?.websocketDidConnect(socket: socket)
        }
        return state.number
      }
      guard let number else {
        connection.close(code: .goingAway, reason: "")
        throw CancellationError()
      }
      return ObservedConnection(connection, number, of: self)
    } catch {
      ended(error, number: nil, reader: reader)
      throw error
    }
  }

  /// Tells the callbacks and the delegate of a message, unless its connection is over for them. It waits while too many
  /// were not told yet.
  fileprivate func received(_ message: WebSocketMessage, number: Int) async {
    await gate.add(message.byteCount)
    let isOpen = state.withLock { state in
      guard state.isOpen(number) else { return false }
      tell(on: state.callbackQueue) { socket in
        defer { socket.gate.remove(message.byteCount) }
        switch message {
        case .text(let text):
          socket.onText?(text)
          socket.delegate?.websocketDidReceiveMessage(socket: socket, text: text)
        case .binary(let bytes):
          socket.onData?(Data(bytes))
          socket.delegate?.websocketDidReceiveData(socket: socket, data: Data(bytes))
        }
      }
      return true
    }
    if !isOpen { gate.remove(message.byteCount) }
  }

  /// Tells the callbacks and the delegate that a connection is over.
  ///
  /// - Parameters:
  ///   - error: Why it is over; nil if it was closed in order.
  ///   - number: The number of the connection; nil for an attempt to open one.
  ///   - reader: The number of the reader that the attempt was for. nil, the default: it was a transport's, or there
  ///     was a connection.
  fileprivate func ended(_ error: (any Error)?, number: Int?, reader: Int? = nil) {
    let reason = (error as? WebSocketError)?.isOrderlyClose == true ? nil : error
    state.withLock { state in
      var reader = reader
      if let number {
        guard state.isOpen(number) else { return }
        reader = state.connectionReader
        state.connection = nil
      }
      // A callback that is told of it may connect again, before the task of the reader has ended.
      if let reader, state.reader?.number == reader { state.reader = nil }
      tell(on: state.callbackQueue) { socket in
        socket.onDisconnect?(reason)
        socket.delegate?.websocketDidDisconnect(socket: socket, error: reason)
      }
    }
  }

  /// Opens connections for a transport.
  struct Engine: WebSocketEngine {
    let socket: WebSocket

    func connect(
      to url: URL, headers: [String: String], subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      try await socket.open(url, headers: headers, subprotocols: subprotocols)
    }
  }
}

/// A connection that tells a ``WebSocket`` of its messages and its end.
private struct ObservedConnection: ByteWatching {
  private let connection: any WebSocketConnection
  private let end: @Sendable ((any Error)?) -> Void
  let messages: AsyncThrowingStream<WebSocketMessage, any Error>

  init(_ connection: any WebSocketConnection, _ number: Int, of socket: WebSocket) {
    self.connection = connection
    let isOver = Locked(false)
    let end: @Sendable ((any Error)?) -> Void = { [weak socket] error in
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { socket?.ended(error, number: number) }
    }
    self.end = end
    let received = connection.messages
    messages = AsyncThrowingStream { [weak socket] in
      do {
        var iterator = received.makeAsyncIterator()
        let message = try await iterator.next()
        if let message { await socket?.received(message, number: number) } else { end(nil) }
        return message
      } catch {
        end(error)
        throw error
      }
    }
  }

  var subprotocol: String? { connection.subprotocol }

  func send(_ message: WebSocketMessage) { connection.send(message) }

  func send(_ message: WebSocketMessage, taken: @escaping @Sendable () -> Void) {
    connection.send(message, taken: taken)
  }

  func ping(answered: @escaping @Sendable () -> Void) { connection.ping(answered: answered) }

  func haveBytesCome() -> Bool { (connection as? any ByteWatching)?.haveBytesCome() ?? false }

  func close(code: WebSocketCloseCode, reason: String) {
    connection.close(code: code, reason: reason)
    // A transport stops reading at this point.
    end(nil)
  }
}
