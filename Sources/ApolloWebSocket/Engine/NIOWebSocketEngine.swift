#if canImport(NIOCore) && !canImport(Darwin)
  import Apollo
  import ForeignText
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
    /// The limits of each connection, for messages and frames. Memory is used as a message arrives.
    public let limits: WebSocketLimits
    private let tls: TLSContext

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - limits: How large messages may be, and in how many frames they may come. What may wait is a limit of the
    ///     transport: ``WebSocketTransport/Configuration/limits``.
    ///   - tls: What secure connections demand. By default at least TLS 1.2, and a certificate that the system trusts.
    public init(limits: WebSocketLimits = WebSocketLimits(), tls: WebSocketTLS = WebSocketTLS()) {
      self.limits = limits
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
      let head = requestHead(for: url, headers: headers, subprotocols: subprotocols)
      try Self.check(head.headers)
      var limits = limits
      limits.messageSize = min(max(limits.messageSize, 0), Int(clamping: UInt32.max))
      let handshake = NIOHandshake(head, limits)
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
                    try channel.pipeline.syncOperations.addHandler(TLSGate(handshake, tls, host: host))
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
          "'\(url.placeDescription)' needs TLS, which this build leaves out. "
            + "Where your Package.swift depends on apollo-swift, add: traits: [\"WebSocketTLS\"]"))
    }

    /// Checks header fields (RFC 9110, sections 5.1 and 5.5), because SwiftNIO does not say which one it refuses. The
    /// error does not have the value, which may be a secret.
    private static func check(_ fields: HTTPHeaders) throws {
      for (name, value) in fields {
        let isName = !name.isEmpty && name.utf8.allSatisfy { (0x21..<0x7f).contains($0) && !delimiters.contains($0) }
        let why =
          !isName
          ? "its name has a character that names cannot have"
          : "its value has a line break or another control character"
        guard isName, value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7f }) else {
          throw WebSocketError(.unsupportedURL("The header field '\(name.shownOnOneLine)' cannot be sent: \(why)."))
        }
      }
    }

    /// The visible characters that the name of a header field cannot have.
    private static let delimiters = Set("\"(),/:;<=>?@[\\]{}".utf8)

    private func requestHead(for url: URL, headers: [String: String], subprotocols: [String]) -> HTTPRequestHead {
      var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
      fields.replaceOrAdd(name: "Host", value: Self.hostField(of: url))
      // Some servers refuse requests that do not say what sends them.
      if !fields.contains(name: "User-Agent") { fields.add(name: "User-Agent", value: "apollo-swift") }
      if !subprotocols.isEmpty {
        fields.replaceOrAdd(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))
      }
      let path = url.path(percentEncoded: true)
      let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
      return HTTPRequestHead(version: .http1_1, method: .GET, uri: (path.isEmpty ? "/" : path) + query, headers: fields)
    }

    /// The host and the port of an address, as `Host` has them (RFC 6455, section 4.1): the default port is left out, and
    /// an IPv6 address is in brackets.
    static func hostField(of url: URL) -> String {
      let host = url.host ?? ""
      let name = host.contains(":") ? "[\(host)]" : host
      guard let port = url.port, port != (url.scheme == "wss" ? 443 : 80) else { return name }
      return "\(name):\(port)"
    }
  }
#endif
