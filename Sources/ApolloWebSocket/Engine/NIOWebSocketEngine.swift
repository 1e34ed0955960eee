#if canImport(NIOCore) && !canImport(Darwin)
  import Apollo
  public import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket

  /// Opens connections with SwiftNIO, for the systems whose `URLSession` has no WebSocket.
  ///
  /// It can `wss` if the package's trait `WebSocketTLS` is enabled; without it such an address fails with an error that
  /// says so.
  public struct NIOWebSocketEngine: WebSocketEngine {
    /// The largest message in bytes; a larger one closes the connection. Memory for so much is taken as it comes.
    public let maximumMessageSize: Int
    private let tls: TLSContext

    /// - Parameter maximumMessageSize: 16 MB by default, at most 4 GB.
    public init(maximumMessageSize: Int = 16 << 20, tls: WebSocketTLS = WebSocketTLS()) {
      self.maximumMessageSize = min(max(maximumMessageSize, 0), Int(UInt32.max))
      self.tls = TLSContext(tls)
    }

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
      // An address of IPv6 stands in brackets.
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
