#if canImport(NIOCore) && !canImport(Darwin)
  import Apollo
  import ApolloAPI
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
    private let maximumMessageSize: Int
    private let state = Locked(State())

    init(_ head: HTTPRequestHead, maximumMessageSize: Int) {
      self.head = head
      self.maximumMessageSize = maximumMessageSize
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
      return firstError ?? WebSocketError.wrap(error)
    }

    func configure(_ channel: any Channel) throws -> EventLoopFuture<Upgrade> {
      let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
        maxFrameSize: maximumMessageSize, enableAutomaticErrorHandling: false
      ) { [maximumMessageSize] channel, response in
        channel.eventLoop.makeCompletedFuture {
          let (messages, source) = WebSocketMessageQueue.make(for: channel)
          try channel.pipeline.syncOperations.addHandler(
            WebSocketFrameHandler(messages: source, maximumMessageSize: maximumMessageSize))
          let connection = NIOWebSocketConnection(
            channel: channel, subprotocol: response.headers.first(name: "Sec-WebSocket-Protocol"), messages: messages)
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

  #if WebSocketTLS
    /// Comes after the handler of TLS, and records why there is no secure connection.
    final class TLSFailureHandler: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer

      private let handshake: NIOHandshake

      init(_ handshake: NIOHandshake) { self.handshake = handshake }

      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard TLSContext.isFailure(error) else { return context.fireErrorCaught(error) }
        let failure = WebSocketError(.secureConnection(reason: TLSContext.reason(error)), error: error)
        handshake.failed(failure)
        context.fireErrorCaught(failure)
        context.close(promise: nil)
      }
    }
  #endif
#endif
