#if AsyncHTTP
  import NIOCore
  import NIOHTTP1

  /// Keeps the end of a response that is complete before its request was sent, until the stream of HTTP/2 is closed.
  ///
  /// A server may answer before it has read the body, and refuse what is left of it (RFC 9113, section 8.1). AsyncHTTPClient
  /// forgets a request when its response ends. It stops the process if something happens afterwards to the stream of a
  /// request that was not sent: an error, the end of the connection, a window for more of the body, or the end of the
  /// client.
  final class EarlyResponse: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private var isSent = false
    /// The end of the response, while the stream is being closed.
    private var end: HTTPClientResponsePart?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if case .end = unwrapOutboundIn(data) { isSent = true }
      guard end == nil else {
        promise?.fail(ChannelError.ioOnClosedChannel)
        return
      }
      context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if end != nil { return }
      let part = unwrapInboundIn(data)
      guard case .end = part, !isSent else {
        context.fireChannelRead(data)
        return
      }
      end = part
      // Not at once: this may be the last part of a stream that is closed already, and to close it again is an error of
      // the whole connection.
      context.eventLoop.assumeIsolated().execute { [self] in
        if end != nil { context.close(promise: nil) }
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      if end == nil { context.fireErrorCaught(error) }
    }

    func channelInactive(context: ChannelHandlerContext) {
      if end == nil { context.fireChannelInactive() }
    }

    /// Passes the end on. In the same step AsyncHTTPClient forgets the stream, which is closed then.
    func handlerRemoved(context: ChannelHandlerContext) {
      guard let end else { return }
      self.end = nil
      context.fireChannelRead(wrapInboundOut(end))
    }
  }
#endif
