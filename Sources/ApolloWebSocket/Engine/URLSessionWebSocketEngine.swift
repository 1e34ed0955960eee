#if canImport(Darwin)
  import Apollo
  public import Foundation

  /// Opens connections with the system's `URLSession`.
  public struct URLSessionWebSocketEngine: WebSocketEngine {
    private let session: URLSession
    /// The largest message in bytes. A larger message ends the connection.
    private let maximumMessageSize: Int

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - session: Opens the connections. By default the shared session.
    ///   - maximumMessageSize: The largest message in bytes. The default is 16 MB.
    public init(session: URLSession = .shared, maximumMessageSize: Int = 16 << 20) {
      self.session = session
      self.maximumMessageSize = maximumMessageSize
    }

    /// Removes what the session keeps of a user of the server with this address.
    func forgetUser(of url: URL) { SessionData.remove(for: url, from: session.configuration) }

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
      let task = session.webSocketTask(with: request)
      task.maximumMessageSize = maximumMessageSize
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

  private struct URLSessionWebSocketConnection: WebSocketConnection {
    let task: URLSessionWebSocketTask
    let subprotocol: String?
    let messages: AsyncThrowingStream<WebSocketMessage, any Error>

    init(task: URLSessionWebSocketTask, subprotocol: String?, observer: WebSocketTaskObserver) {
      self.task = task
      self.subprotocol = subprotocol
      messages = AsyncThrowingStream {
        do {
          while true {
            switch try await task.receive() {
            case .string(let text): return .text(text)
            case .data(let data): return .binary(Array(data))
            @unknown default: break
            }
          }
        } catch {
          throw observer.reason(of: task, error)
        }
      }
    }

    func send(_ message: WebSocketMessage) {
      let message: URLSessionWebSocketTask.Message =
        switch message {
        case .text(let text): .string(text)
        case .binary(let bytes): .data(Data(bytes))
        }
      // A failure also ends `receive`, which reports it.
      task.send(message) { _ in }
    }

    func ping(answered: @escaping @Sendable () -> Void) {
      task.sendPing { error in if error == nil { answered() } }
    }

    func close(code: WebSocketCloseCode, reason: String) {
      // The system's type has no case for the codes of applications, but takes their numbers.
      let closeCode = URLSessionWebSocketTask.CloseCode(rawValue: Int(code.rawValue)) ?? .normalClosure
      task.cancel(with: closeCode, reason: Data(reason.asCloseReason.utf8))
    }
  }

  /// Observes the handshake of one task, and how it ended.
  private final class WebSocketTaskObserver: NSObject, URLSessionWebSocketDelegate {
    private enum State {
      case waiting(CheckedContinuation<String?, any Error>)
      case over
    }

    private let state = Locked<State>(.over)

    func opening(_ start: () -> Void) async throws -> String? {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0 = .waiting(continuation) }
        start()
      }
    }

    private func finish(_ result: Result<String?, any Error>) {
      let continuation = state.withLock { state -> CheckedContinuation<String?, any Error>? in
        guard case .waiting(let continuation) = state else { return nil }
        state = .over
        return continuation
      }
      continuation?.resume(with: result)
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol subprotocol: String?
    ) {
      finish(.success(subprotocol))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let status = (task.response as? HTTPURLResponse)?.statusCode
      if let status, status != 101 {
        finish(.failure(WebSocketError(.upgradeError(code: status), error: error)))
      } else {
        finish(.failure(Self.failure(error)))
      }
    }

    /// Failures of TLS have a kind of their own, because another attempt would fail as well.
    private static func failure(_ error: (any Error)?) -> WebSocketError {
      switch (error as? URLError)?.code {
      case .secureConnectionFailed?, .serverCertificateUntrusted?, .serverCertificateHasBadDate?,
        .serverCertificateHasUnknownRoot?, .serverCertificateNotYetValid?, .clientCertificateRejected?,
        .clientCertificateRequired?:
        WebSocketError(.secureConnection(reason: error?.localizedDescription ?? ""), error: error)
      default: WebSocketError(.networkError, error: error)
      }
    }

    /// The error for the close frame; if there was none, for the error of the system.
    func reason(of task: URLSessionWebSocketTask, _ error: any Error) -> WebSocketError {
      guard task.closeCode != .invalid, let number = UInt16(exactly: task.closeCode.rawValue) else {
        return WebSocketError(.networkError, error: error)
      }
      let reason = task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? ""
      return .closed(WebSocketCloseCode(rawValue: number), reason)
    }
  }
#endif
