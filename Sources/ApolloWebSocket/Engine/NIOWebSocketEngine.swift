#if canImport(NIOCore) && !canImport(Darwin)
  import Apollo
  public import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOPosix
  import NIOWebSocket

  /// Opens connections with SwiftNIO, for the systems whose `URLSession` has no WebSocket.
  ///
  /// It has no TLS: `wss` fails with an error that says so.
  public struct NIOWebSocketEngine: WebSocketEngine {
    /// The largest message in bytes; a larger one closes the connection.
    public var maximumMessageSize: Int

    public init(maximumMessageSize: Int = 16 << 20) {
      self.maximumMessageSize = min(max(maximumMessageSize, 0), Int(UInt32.max))
    }

    public func connect(
      to url: URL, headers: [String: String], subprotocols: [String]
    ) async throws -> any WebSocketConnection {
      guard url.scheme == "ws" else {
        throw WebSocketError(
          .unsupportedURL("This build has no TLS for WebSockets, which '\(url.absoluteString)' needs."))
      }
      let host = url.host ?? ""
      let head = requestHead(for: url, host: host, headers: headers, subprotocols: subprotocols)
      let handshake = Handshake()
      return try await withTaskCancellationHandler {
        do {
          let upgrade = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connect(host: host, port: url.port ?? 80) { channel in
              handshake.began(on: channel)
              return channel.eventLoop.makeCompletedFuture { try configure(channel, head) }
            }
          return try await upgrade.get().get()
        } catch {
          handshake.end()
          throw error as? WebSocketError ?? WebSocketError(.networkError, error: error)
        }
      } onCancel: {
        handshake.end()
      }
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

    /// Is there as soon as the kind of the answer is known; the refusal itself comes later.
    private typealias Upgrade = EventLoopFuture<any WebSocketConnection>

    private func configure(_ channel: any Channel, _ head: HTTPRequestHead) throws -> EventLoopFuture<Upgrade> {
      let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
        maxFrameSize: maximumMessageSize, enableAutomaticErrorHandling: false
      ) { [maximumMessageSize] channel, response in
        channel.eventLoop.makeCompletedFuture {
          let (messages, continuation) = AsyncThrowingStream<WebSocketMessage, any Error>.makeStream()
          try channel.pipeline.syncOperations.addHandler(
            WebSocketFrameHandler(messages: continuation, maximumMessageSize: maximumMessageSize))
          let connection = NIOWebSocketConnection(
            channel: channel, subprotocol: response.headers.first(name: "Sec-WebSocket-Protocol"), messages: messages)
          return channel.eventLoop.makeSucceededFuture(connection)
        }
      }
      let upgrade = NIOTypedHTTPClientUpgradeConfiguration<Upgrade>(
        upgradeRequestHead: head, upgraders: [upgrader]
      ) { channel in
        // The server did not switch protocols; what it answered instead comes next.
        let refusal = channel.eventLoop.makePromise(of: (any WebSocketConnection).self)
        do {
          try channel.pipeline.syncOperations.addHandler(HandshakeRefusalHandler(refusal: refusal))
        } catch {
          refusal.fail(error)
        }
        return channel.eventLoop.makeSucceededFuture(refusal.futureResult)
      }
      var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
      // The server's first frames may come in one packet with the end of the handshake.
      configuration.leftOverBytesStrategy = .forwardBytes
      return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    /// The channel of a handshake, which is closed when the handshake fails or its task is cancelled.
    private final class Handshake: Sendable {
      private let state = Locked<(channel: (any Channel)?, isOver: Bool)>((nil, false))

      func began(on channel: any Channel) {
        let isOver = state.withLock { state in
          state.channel = channel
          return state.isOver
        }
        if isOver { channel.close(promise: nil) }
      }

      func end() {
        let channel = state.withLock { state in
          state.isOver = true
          return state.channel
        }
        channel?.close(promise: nil)
      }
    }
  }

  /// Turns an HTTP response that is no handshake into an error.
  private final class HandshakeRefusalHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let refusal: EventLoopPromise<any WebSocketConnection>

    init(refusal: EventLoopPromise<any WebSocketConnection>) { self.refusal = refusal }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(let head) = unwrapInboundIn(data) else { return }
      refusal.fail(WebSocketError(.upgradeError(code: Int(head.status.code))))
      context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) { refusal.fail(ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      refusal.fail(error)
      context.close(promise: nil)
    }
  }

  private struct NIOWebSocketConnection: WebSocketConnection {
    let channel: any Channel
    let subprotocol: String?
    let messages: AsyncThrowingStream<WebSocketMessage, any Error>

    func send(_ message: WebSocketMessage) {
      let (opcode, data): (WebSocketOpcode, ByteBuffer) =
        switch message {
        case .text(let text): (.text, ByteBuffer(string: text))
        case .binary(let bytes): (.binary, ByteBuffer(bytes: bytes))
        }
      channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data), promise: nil)
    }

    func close(code: WebSocketCloseCode, reason: String) {
      channel.triggerUserOutboundEvent(WebSocketFrameHandler.Close(code: code, reason: reason), promise: nil)
    }
  }
#endif
