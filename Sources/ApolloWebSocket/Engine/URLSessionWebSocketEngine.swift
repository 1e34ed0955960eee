#if canImport(Darwin)
  public import Apollo
  public import Foundation

  /// Opens connections with the system's `URLSession`.
  public struct URLSessionWebSocketEngine: WebSocketEngine {
    private let source: Source
    private let limits: WebSocketLimits

    /// Where the session of a connection comes from.
    enum Source: Sendable {
      case session(URLSession)
      /// The session of a client over HTTP, whose delegate answers challenges.
      case client(URLSessionClient)
      /// A session of the engine's own.
      case own(OwnSession)
    }

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - session: Opens the connections. By default the shared session. Its delegate answers challenges, such as those
    ///     about a server's certificate (pinning).
    ///   - limits: How large messages may be. What may wait is a limit of the transport:
    ///     ``WebSocketTransport/Configuration/limits``. The system itself answers pings and puts frames together.
    public init(session: URLSession = .shared, limits: WebSocketLimits = WebSocketLimits()) {
      self.init(.session(session), limits)
    }

    /// Makes an engine whose connections are trusted as the requests of a client over HTTP are.
    ///
    /// - Parameters:
    ///   - client: Its session opens the connections, so the delegate methods of a subclass answer challenges.
    ///   - limits: How large messages may be.
    public init(client: URLSessionClient, limits: WebSocketLimits = WebSocketLimits()) {
      self.init(.client(client), limits)
    }

    init(_ source: Source, _ limits: WebSocketLimits) {
      self.source = source
      self.limits = limits
    }

    private func session() throws -> URLSession {
      switch source {
      case .session(let session): return session
      case .own(let own): return own.session
      case .client(let client):
        // It has none after it was invalidated.
        guard let session = client.session as URLSession? else {
          throw URLSessionClient.URLSessionClientError.sessionInvalidated
        }
        return session
      }
    }

    /// Removes what the session keeps of a user of the server with this address.
    func forgetUser(of url: URL) {
      // A session that is gone keeps nothing.
      if let session = try? session() { SessionData.remove(for: url, from: session.configuration) }
    }

    /// Opens a connection. Cancelling the task stops it.
    ///
    /// - Parameters:
    ///   - url: The address, with the scheme `ws` or `wss`.
    ///   - headers: Header fields of the handshake.
    ///   - subprotocols: The protocols that are offered to the server, the preferred one first.
    /// - Returns: The open connection.
    /// - Throws: ``WebSocketError``.
    public func connect(
      to url: URL, headers: [String: String], subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      var request = URLRequest(url: url)
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      if !subprotocols.isEmpty {
        request.setValue(subprotocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
      }
      let task = try session().webSocketTask(with: request)
      task.maximumMessageSize = limits.messageSize
      let observer = WebSocketTaskObserver()
      task.delegate = observer
      return try await withTaskCancellationHandler {
        let subprotocol = try await observer.opening { task.resume() }
        return URLSessionWebSocketConnection(task: task, subprotocol: subprotocol, observer: observer)
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// A session that ends with the engine that uses it, and its connections.
  final class OwnSession: Sendable {
    let session: URLSession

    init(_ configuration: URLSessionConfiguration) { session = URLSession(configuration: configuration) }

    deinit { session.finishTasksAndInvalidate() }
  }

  private struct URLSessionWebSocketConnection: WebSocketConnection {
    let task: URLSessionWebSocketTask
    let subprotocol: String?
    let messages: AsyncThrowingStream<WebSocketMessage, any Error>
    private let pending: PendingMessage

    init(task: URLSessionWebSocketTask, subprotocol: String?, observer: WebSocketTaskObserver) {
      self.task = task
      self.subprotocol = subprotocol
      pending = observer.pending
      messages = AsyncThrowingStream {
        do {
          while true {
            let message = try await observer.pending.next { callBack in
              task.receive { callBack($0.map(\.known)) }
            }
            if let message { return message }
          }
        } catch {
          throw observer.reason(of: task, error)
        }
      }
    }

    func send(_ message: WebSocketMessage) { send(message, taken: {}) }

    func send(_ message: WebSocketMessage, taken: @escaping @Sendable () -> Void) {
      let message: URLSessionWebSocketTask.Message =
        switch message {
        case .text(let text): .string(text)
        case .binary(let bytes): .data(Data(bytes))
        }
      // A failure also ends the task, which its observer is told of.
      task.send(message) { _ in taken() }
    }

    func ping(answered: @escaping @Sendable () -> Void) {
      task.sendPing { error in if error == nil { answered() } }
    }

    func close(code: WebSocketCloseCode, reason: String) {
      // The system's type has no case for the codes of applications, but takes their numbers.
      let closeCode = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
      task.cancel(with: closeCode, reason: Data(reason.asCloseReason.utf8))
      // Before iOS 17 the system does not call back for a task that is cancelled in this way.
      pending.end(URLError(.cancelled))
    }
  }

  extension URLSessionWebSocketTask.Message {
    /// The message; nil for one of a kind that this package does not know.
    fileprivate var known: WebSocketMessage? {
      switch self {
      case .string(let text): .text(text)
      case .data(let data): .binary(Array(data))
      @unknown default: nil
      }
    }
  }

  /// Observes the handshake of one task, and how it ended.
  private final class WebSocketTaskObserver: NSObject, URLSessionWebSocketDelegate {
    private enum State {
      case new
      case waiting(CheckedContinuation<String?, any Error>)
      case over(Result<String?, any Error>)
    }

    private let state = Locked<State>(.new)
    /// What waits for a message when the handshake is over.
    let pending = PendingMessage()

    func opening(_ start: () -> Void) async throws -> String? {
      try await withCheckedThrowingContinuation { continuation in
        // A task that was cancelled may be over before it starts.
        let early = state.withLock { state -> Result<String?, any Error>? in
          if case .over(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let early { continuation.resume(with: early) } else { start() }
      }
    }

    private func finish(_ result: Result<String?, any Error>) {
      let continuation = state.withLock { state -> CheckedContinuation<String?, any Error>? in
        defer { if case .over = state {} else { state = .over(result) } }
        if case .waiting(let continuation) = state { return continuation }
        return nil
      }
      continuation?.resume(with: result)
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol subprotocol: String?
    ) {
      finish(.success(subprotocol))
    }

    /// Follows no redirect: header fields of the handshake may have credentials. The redirect is then the answer.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let status = (task.response as? HTTPURLResponse)?.statusCode
      if let status, status != 101 {
        finish(.failure(WebSocketError(.upgradeError(code: status), error: error)))
      } else {
        finish(.failure(Self.failure(error)))
      }
      // The system does not call back with each error that ends a connection.
      pending.end(error ?? URLError(.networkConnectionLost))
    }

    /// Failures of TLS have a kind of their own, because another attempt would fail as well. A delegate that refuses
    /// the certificate of the server ends the handshake as if it had been cancelled. (What the transport cancels itself
    /// has no receiver any more.)
    private static func failure(_ error: (any Error)?) -> WebSocketError {
      switch (error as? URLError)?.code {
      case .badServerResponse?:
        WebSocketError(.invalidHandshake(error?.localizedDescription ?? ""), error: error)
      case .secureConnectionFailed?, .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
        .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?, .clientCertificateRejected?,
        .clientCertificateRequired?:
        WebSocketError(.secureConnection(reason: error?.localizedDescription ?? ""), error: error)
      case .cancelled?:
        WebSocketError(
          .secureConnection(reason: "the session has ended the handshake, as if its delegate did not trust the server"),
          error: error)
      default: WebSocketError(.networkError, error: error)
      }
    }

    /// The error for the close frame; if there was none, for the error of the system. A message that is too large is
    /// not a loss of the network, because it would be as large over the next connection.
    func reason(of task: URLSessionWebSocketTask, _ error: any Error) -> WebSocketError {
      if (error as? POSIXError)?.code == .EMSGSIZE {
        return .closed(.messageTooBig, "more than \(task.maximumMessageSize) bytes")
      }
      guard task.closeCode != .invalid, let number = UInt16(exactly: task.closeCode.rawValue) else {
        return WebSocketError(.networkError, error: error)
      }
      let reason = task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? ""
      return .closed(WebSocketCloseCode(rawValue: number), reason)
    }
  }
#endif
