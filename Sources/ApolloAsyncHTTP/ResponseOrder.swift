#if AsyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2

  extension HTTPClient.Configuration {
    /// Puts a ``ResponseOrder`` behind the parser of each connection, and of each stream of HTTP/2, and an
    /// ``EarlyResponse`` behind that of a stream.
    mutating func checkResponses() {
      let (connection, stream) = (http1_1ConnectionDebugInitializer, http2StreamChannelDebugInitializer)
      http1_1ConnectionDebugInitializer = { channel in
        channel.add({ [ResponseOrder()] }, then: connection) {
          try $0.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        }
      }
      http2StreamChannelDebugInitializer = { channel in
        channel.add({ [ResponseOrder(), EarlyResponse()] }, then: stream) {
          try $0.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
        }
      }
    }
  }

  extension Channel {
    fileprivate func add(
      _ handlers: @escaping @Sendable () -> [any ChannelHandler],
      then next: (@Sendable (any Channel) -> EventLoopFuture<Void>)?,
      behind parser: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> any ChannelHandler
    ) -> EventLoopFuture<Void> {
      eventLoop.submit {
        let pipeline = self.pipeline.syncOperations
        try pipeline.addHandlers(handlers(), position: .after(parser(pipeline)))
      }.flatMap { next?(self) ?? self.eventLoop.makeSucceededVoidFuture() }
    }
  }

  /// Passes on responses whose parts come in order: a head, a body and an end.
  ///
  /// AsyncHTTPClient ignores each head with a status below 200, and stops the process if a body or an end follows one. A
  /// server can make it do so with a status below 100, such as `HTTP/1.1 099`, which the parser takes for a response like
  /// others.
  final class ResponseOrder: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private enum Position {
      case beforeHead
      case inBody
      case failed
    }

    private var position = Position.beforeHead

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch (unwrapInboundIn(data), position) {
      case (_, .failed): return
      case (.head(let head), .beforeHead) where head.status.code >= 200 || head.status == .switchingProtocols:
        position = .inBody
      // One that only informs has neither a body nor an end (RFC 9110, section 15.2).
      case (.head(let head), .beforeHead) where head.status.code >= 100: return
      case (.body, .inBody): break
      case (.end, .inBody): position = .beforeHead
      default:
        position = .failed
        context.fireErrorCaught(HTTPParserError.invalidStatus)
        context.close(promise: nil)
        return
      }
      context.fireChannelRead(data)
    }
  }
#endif
