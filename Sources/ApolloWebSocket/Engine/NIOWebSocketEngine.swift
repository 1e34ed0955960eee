#if canImport(NIOCore) && !canImport(Darwin)
  import Apollo
  public import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket

  /// Opens connections with SwiftNIO, on systems whose `URLSession` has no WebSocket.
  ///
  /// Secure connections (`wss`) need the package's trait `WebSocketTLS`. Without it, such an address fails with an
  /// error that says so.
  public struct NIOWebSocketEngine: WebSocketEngine {
    /// The largest message in bytes. A larger message closes the connection. Memory is used as a message arrives.
    public let maximumMessageSize: Int
    private let tls: TLSContext

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - maximumMessageSize: The largest message in bytes, at most 4 GB. The default is 16 MB.
    ///   - tls: The certificates for secure connections. By default those that the system trusts.
    public init(maximumMessageSize: Int = 16 << 20, tls: WebSocketTLS = WebSocketTLS()) {
      self.maximumMessageSize = min(max(maximumMessageSize, 0), Int(clamping: UInt32.max))
      self.tls = TLSContext(tls)
    }

    /// Opens a connection. Cancelling the task stops it.
    ///
    /// - Parameters:
    ///   - url: The address, with the scheme `ws` or `wss`.
    ///   - headers: Header fields of the handshake.
    ///   - subprotocols: The protocols that are offered to the server, the preferred one first.
    /// - Returns: The open connection.
    /// - Throws: ``WebSocketError``, or `CancellationError`.
    public func connect(
      to url: URL, headers: [String: String], subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      let host = url.host ?? ""
      let isSecure = url.scheme == "wss"
      #if !WebSocketTLS
        guard !isSecure else { throw Self.noTLS(url) }
      #endif
      let head = requestHead(for: url, host: host, headers: headers, subprotocols: subprotocols)
      let handshake = NIOHandshake(head, maximumMessageSize: maximumMessageSize)
      return try await withTaskCancellationHandler {
        do {
          let upgrade = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connect(host: host, port: url.port ?? (isSecure ? 443 : 80)) { [tls] channel in
              handshake.began(on: channel)
              return channel.eventLoop.makeCompletedFuture {
                #if WebSocketTLS
                  if isSecure {
                    try channel.pipeline.syncOperations.addHandler(
                      handshake.keepingFailure { try tls.makeHandler(for: host) })
                    try channel.pipeline.syncOperations.addHandler(TLSFailureHandler(handshake))
                  }
                #else
                  _ = tls
                #endif
                return try handshake.configure(channel)
              }
            }
          return try await upgrade.get().get()
        } catch {
          throw handshake.end(error)
        }
      } onCancel: {
        _ = handshake.end(CancellationError())
      }
    }

    private static func noTLS(_ url: URL) -> WebSocketError {
      WebSocketError(
        .unsupportedURL(
          "'\(url.absoluteString)' needs TLS, which this build leaves out. "
            + "Where your Package.swift depends on apollo-swift, add: traits: [\"WebSocketTLS\"]"))
    }

    private func requestHead(
      for url: URL, host: String, headers: [String: String], subprotocols: [String]
    ) -> HTTPRequestHead {
      var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
      // An IPv6 address is written in brackets.
      let name = host.contains(":") ? "[\(host)]" : host
      fields.replaceOrAdd(name: "Host", value: url.port.map { "\(name):\($0)" } ?? name)
      if !subprotocols.isEmpty {
        fields.replaceOrAdd(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))
      }
      let path = url.path(percentEncoded: true)
      let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
      return HTTPRequestHead(version: .http1_1, method: .GET, uri: (path.isEmpty ? "/" : path) + query, headers: fields)
    }
  }
#endif
