#if canImport(NIOCore) && !canImport(Darwin)
  import Apollo
  import ApolloAPI
  import ForeignText
  import NIOCore
  import NIOHTTP1
  import NIOWebSocket

  /// One handshake (RFC 6455, section 4.1), whose channel is closed when it fails or its task is cancelled.
  final class NIOHandshake: Sendable {
    /// Completed as soon as the kind of the answer is known; the body of a refusal comes later.
    typealias Upgrade = EventLoopFuture<any WebSocketConnection>

    private struct State {
      var channel: (any Channel)?
      var isOver = false
      /// The first error, which is the cause of those that follow.
      var firstError: WebSocketError?
    }

    private let head: HTTPRequestHead
    private let limits: WebSocketLimits
    private let state = Locked(State())

    init(_ head: HTTPRequestHead, _ limits: WebSocketLimits) {
      self.head = head
      self.limits = limits
    }

    func began(on channel: any Channel) {
      let isOver = state.withLock { state in
        state.channel = channel
        return state.isOver
      }
      if isOver { channel.close(promise: nil) }
    }

    /// Records an error. Only the first one is kept.
    func failed(_ error: WebSocketError) {
      state.withLock { $0.firstError = $0.firstError ?? error }
    }

    #if WebSocketTLS
      func keepingFailure<Value>(_ make: () throws -> Value) throws -> Value {
        do {
          return try make()
        } catch {
          failed(.wrap(error))
          throw error
        }
      }
    #endif

    func end(_ error: any Error) -> any Error {
      let (channel, firstError) = state.withLock { state in
        state.isOver = true
        return (state.channel, state.firstError)
      }
      channel?.close(promise: nil)
      return firstError ?? HandshakeAnswer.problem(error) ?? WebSocketError.wrap(error)
    }

    func configure(_ channel: any Channel) throws -> EventLoopFuture<Upgrade> {
      let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
        maxFrameSize: limits.messageSize, enableAutomaticErrorHandling: false
      ) { [limits] channel, response in
        channel.eventLoop.makeCompletedFuture {
          try HandshakeAnswer.check(response)
          let (messages, source, size) = WebSocketMessageQueue.make(for: channel)
          let hasBytes = Locked(false)
          try channel.pipeline.syncOperations.addHandler(
            WebSocketFrameHandler(messages: source, size: size, limits: limits, hasBytes: hasBytes))
          try channel.pipeline.syncOperations.addHandler(ByteWatch(hasBytes), position: .first)
          let connection = NIOWebSocketConnection(
            channel: channel, subprotocol: response.headers.first(name: "Sec-WebSocket-Protocol"), messages: messages,
            hasBytes: hasBytes)
          return channel.eventLoop.makeSucceededFuture(connection)
        }
      }
      let upgrade = NIOTypedHTTPClientUpgradeConfiguration<Upgrade>(
        upgradeRequestHead: head, upgraders: [upgrader]
      ) { channel in
        // The server did not switch protocols. Its HTTP response comes next.
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
  }

  /// What an answer that switches protocols must have (section 4.1). SwiftNIO checks the status, `Upgrade`, and that
  /// `Sec-WebSocket-Accept` answers the key.
  private enum HandshakeAnswer {
    static func check(_ response: HTTPResponseHead) throws {
      let connection = response.headers[canonicalForm: "Connection"]
      guard connection.contains(where: { $0.lowercased() == "upgrade" }) else {
        throw WebSocketError(.invalidHandshake("its header field 'Connection' is not 'Upgrade'"))
      }
      if let name = response.headers["Sec-WebSocket-Extensions"].first(where: { !$0.isEmpty }) {
        throw WebSocketError(.invalidHandshake("it has the extension '\(name.shownOnOneLine)', which was not offered"))
      }
    }

    /// The error for an answer that SwiftNIO refuses; nil for other errors. Another attempt would be answered alike.
    static func problem(_ error: any Error) -> WebSocketError? {
      switch error {
      case let error as NIOHTTPClientUpgradeError where error == .upgraderDeniedUpgrade:
        WebSocketError(.invalidHandshake("its 'Sec-WebSocket-Accept' does not answer the client's key"), error: error)
      case let error as NIOHTTPClientUpgradeError where error == .responseProtocolNotFound:
        WebSocketError(.invalidHandshake("its header field 'Upgrade' is not 'websocket'"), error: error)
      case is NIOHTTPClientUpgradeError:
        WebSocketError(.invalidHandshake("it is not one HTTP response"), error: error)
      case let error as HTTPParserError where error != .invalidEOFState:
        WebSocketError(.invalidHandshake("it is not HTTP"), error: error)
      default: nil
      }
    }
  }

  /// Turns an HTTP response that refuses the handshake into an error.
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

#endif
