#if canImport(NIOCore) && !canImport(Darwin) && WebSocketTLS
  import NIOCore
  import NIOSSL
  import NIOTLS

  /// Comes after the handler of TLS: it lets nothing pass until there is a secure connection to a server that the app
  /// accepts, and records why there is none.
  final class TLSGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handshake: NIOHandshake
    private let tls: TLSContext
    private let host: String
    private var isOpen = false

    init(_ handshake: NIOHandshake, _ tls: TLSContext, host: String) {
      self.handshake = handshake
      self.tls = tls
      self.host = host
    }

    /// The request, which may have credentials, is sent when those behind this handler learn that the channel is active.
    func channelActive(context: ChannelHandlerContext) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if !isOpen, case .handshakeCompleted? = event as? TLSUserEvent {
        do {
          try tls.verify(context.pipeline.syncOperations.nioSSL_peerCertificate(), of: host)
        } catch {
          return errorCaught(context: context, error: error)
        }
        isOpen = true
        context.fireChannelActive()
      }
      context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if isOpen { context.fireChannelRead(data) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      let failure = TLSContext.failure(error)
      if let failure { handshake.failed(failure) }
      context.fireErrorCaught(failure ?? error)
      if failure != nil { context.close(promise: nil) }
    }
  }
#endif
