#if canImport(NIOCore) && !canImport(Darwin)
  import ApolloAPI
  import NIOCore
  import NIOWebSocket

  /// Makes messages of frames, answers pings, and follows the rules of RFC 6455 for clients.
  final class WebSocketFrameHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// A command of the client to the channel, sent as an event.
    enum Command: Sendable {
      /// Send a ping frame, and tell when a pong has come.
      case ping(answered: @Sendable () -> Void)
      /// Send a close frame.
      case close(WebSocketCloseCode, String)
      /// Continue reading.
      case read
      /// Stop: messages are no longer read.
      case abandon
    }

    private struct Close {
      let code: WebSocketCloseCode
      let reason: String
    }

    /// How long the server may take to end the connection (section 7.1.1).
    private static let closeTimeout = TimeAmount.seconds(2)

    private let messages: WebSocketMessageQueue.Producer.Source
    private let size: WebSocketMessageQueue.Size
    private let limits: WebSocketLimits
    /// Whether bytes of a message have come, which a ``ByteWatch`` sees before this handler does.
    private let hasBytes: Locked<Bool>
    private var partialMessage: PartialMessage?
    /// The payload of the last ping, and what to call when a pong has come with it.
    private var ping: (payload: ByteBuffer, answered: @Sendable () -> Void)?
    private var pings = LatestFrame()
    private var pongs = LatestFrame()
    private var isCloseSent = false
    /// True after a close frame or a violation of the protocol. Further frames are ignored.
    private var isOver = false
    /// True while so many messages wait that the channel is not read.
    private var isHeld = false
    /// True if the channel wanted to read while it was held.
    private var isReadDue = false

    private struct PartialMessage {
      let isText: Bool
      var data: ByteBuffer
      var utf8 = UTF8Checker()
      var frameCount = 0
    }

    /// Frames of a kind of which only the latest counts: one is under way at most, and one waits behind it.
    private struct LatestFrame {
      var isUnderWay = false
      var waiting: ByteBuffer?
    }

    init(
      messages: WebSocketMessageQueue.Producer.Source, size: WebSocketMessageQueue.Size, limits: WebSocketLimits,
      hasBytes: Locked<Bool>
    ) {
      self.messages = messages
      self.size = size
      self.limits = limits
      self.hasBytes = hasBytes
    }

    // MARK: From the server

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !isOver else { return }
      let frame = unwrapInboundIn(data)
      guard frame.maskKey == nil else { return fail(.protocolError, because: "a server must not mask", context) }
      guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
        return fail(.protocolError, because: "reserved bits are set", context)
      }
      switch frame.opcode {
      case .text, .binary: receivedStart(frame, context)
      case .continuation: receivedContinuation(frame, context)
      // Of several pings, only the latest needs an answer (section 5.5.3).
      case .ping:
        hasBytes.withLock { $0 = false }
        writeLatest(frame.data, as: .pong, \.pongs, context)
      // (The bytes of a pong that answers nothing are not those of a message.)
      case .pong:
        hasBytes.withLock { $0 = false }
        receivedPong(frame.data)
      case .connectionClose: receivedClose(frame.data, context)
      default: fail(.protocolError, because: "unknown kind of frame", context)
      }
    }

    private func receivedPong(_ payload: ByteBuffer) {
      guard let current = ping, current.payload == payload else { return }
      ping = nil
      current.answered()
    }

    private func receivedStart(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
      guard partialMessage == nil else { return fail(.protocolError, because: "a message within a message", context) }
      guard frame.fin else {
        partialMessage = PartialMessage(isText: frame.opcode == .text, data: ByteBuffer())
        return append(frame, context)
      }
      deliver(isText: frame.opcode == .text, frame.data, context)
    }

    private func receivedContinuation(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
      guard partialMessage != nil else { return fail(.protocolError, because: "a continuation of nothing", context) }
      append(frame, context)
    }

    /// Adds a frame to a message. Text is checked at once, so that a long message with invalid text fails early.
    private func append(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
      guard var current = partialMessage.take() else { return }
      guard current.data.readableBytes + frame.data.readableBytes <= limits.messageSize else {
        return fail(.messageTooBig, because: "more than \(limits.messageSize) bytes", context)
      }
      current.frameCount += 1
      guard current.frameCount <= limits.framesPerMessage else {
        return fail(.policyViolation, because: "a message of more than \(limits.framesPerMessage) frames", context)
      }
      if current.isText, !current.utf8.accepts(frame.data.readableBytesView) {
        return fail(.invalidFramePayloadData, because: "text that is not UTF-8", context)
      }
      current.data.writeImmutableBuffer(frame.data)
      if frame.fin {
        deliver(isText: current.isText, current.data, context)
      } else {
        partialMessage = current
      }
    }

    private func deliver(isText: Bool, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
      var data = data
      guard isText else {
        return pass(.binary(Array(data.readableBytesView)))
      }
      guard let text = try? data.readUTF8ValidatedString(length: data.readableBytes) else {
        return fail(.invalidFramePayloadData, because: "text that is not UTF-8", context)
      }
      pass(.text(text))
    }

    private func pass(_ message: WebSocketMessage) {
      let hasRoom = size.add(message)
      if case .stopProducing = messages.yield(message), !isCloseSent { isHeld = true }
      if !hasRoom, !isCloseSent { isHeld = true }
    }

    /// Handles a close frame: its code is sent back, and the server ends the connection (section 5.5.1).
    private func receivedClose(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
      var data = data
      guard data.readableBytes > 0 else {
        return end(.closed(.noStatusReceived), sending: nil, context)
      }
      guard let number = data.readInteger(as: UInt16.self), Self.mayBeSent(number) else {
        return fail(.protocolError, because: "a close frame with an invalid code", context)
      }
      guard let reason = try? data.readUTF8ValidatedString(length: data.readableBytes) else {
        return fail(.invalidFramePayloadData, because: "text that is not UTF-8", context)
      }
      let code = WebSocketCloseCode(rawValue: number)
      end(.closed(code, reason), sending: Close(code: code, reason: ""), context)
    }

    /// The codes that a close frame may have (section 7.4, and the registry).
    private static func mayBeSent(_ code: UInt16) -> Bool {
      switch code {
      case 1000...1003, 1007...1014, 3000...4999: true
      default: false
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      messages.finish(WebSocketError.closed(.abnormalClosure))
      context.fireChannelInactive()
    }

    /// Also called if the channel was inactive before this handler was added.
    func handlerRemoved(context: ChannelHandlerContext) {
      messages.finish(WebSocketError.closed(.abnormalClosure))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      switch error as? NIOWebSocketError {
      case .invalidFrameLength?: fail(.messageTooBig, because: "more than \(limits.messageSize) bytes", context)
      case .fragmentedControlFrame?, .multiByteControlFrameLength?:
        fail(.protocolError, because: "a control frame that is too long or in parts", context)
      case nil:
        isOver = true
        messages.finish(WebSocketError.wrap(error))
        context.close(promise: nil)
      }
    }

    // MARK: To the server

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      // After its close frame, this side must not send more (section 5.5.1).
      guard !isCloseSent else {
        promise?.fail(ChannelError.outputClosed)
        return
      }
      context.write(data, promise: promise)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
      guard let command = event as? Command else {
        return context.triggerUserOutboundEvent(event, promise: promise)
      }
      switch command {
      case .ping(let answered):
        let payload = ByteBuffer(integer: UInt64.random(in: 0 ... .max))
        ping = (payload, answered)
        writeLatest(payload, as: .ping, \.pings, context)
      case .close(let code, let reason): if !isOver { sendClose(Close(code: code, reason: reason), context) }
      case .read: goOnReading(context)
      case .abandon:
        if !isOver, !isCloseSent { sendClose(Close(code: .goingAway, reason: ""), context) }
        goOnReading(context)
      }
      promise?.succeed()
    }

    // MARK: Reading only as fast as messages are taken

    func read(context: ChannelHandlerContext) {
      if isHeld { isReadDue = true } else { context.read() }
    }

    private func goOnReading(_ context: ChannelHandlerContext) {
      isHeld = false
      guard isReadDue else { return }
      isReadDue = false
      context.read()
    }

    // MARK: Frames of a message

    private func write(
      _ data: ByteBuffer, as opcode: WebSocketOpcode, _ context: ChannelHandlerContext,
      promise: EventLoopPromise<Void>? = nil
    ) {
      guard !isCloseSent else {
        promise?.fail(ChannelError.outputClosed)
        return
      }
      context.writeAndFlush(
        wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)), promise: promise)
    }

    /// Writes a frame, or lets it wait until the network has taken the one before; then it replaces one that waits.
    private func writeLatest(
      _ data: ByteBuffer, as opcode: WebSocketOpcode,
      _ path: ReferenceWritableKeyPath<WebSocketFrameHandler, LatestFrame>, _ context: ChannelHandlerContext
    ) {
      guard !self[keyPath: path].isUnderWay else {
        // (The bytes themselves, and not all that was read with them.)
        self[keyPath: path].waiting = ByteBuffer(bytes: data.readableBytesView)
        return
      }
      self[keyPath: path].isUnderWay = true
      let promise = context.eventLoop.makePromise(of: Void.self)
      promise.futureResult.assumeIsolated().whenSuccess {
        self[keyPath: path].isUnderWay = false
        guard let data = self[keyPath: path].waiting.take() else { return }
        self.writeLatest(data, as: opcode, path, context)
      }
      write(data, as: opcode, context, promise: promise)
    }

    private func sendClose(_ close: Close?, _ context: ChannelHandlerContext) {
      var data = ByteBuffer()
      if let close {
        data.writeInteger(close.code.rawValue)
        data.writeString(close.reason.asCloseReason)
      }
      write(data, as: .connectionClose, context)
      isCloseSent = true
      // The server's close frame may come after the messages that wait.
      goOnReading(context)
      let channel = context.channel
      context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
    }

    private func end(_ error: WebSocketError, sending close: Close?, _ context: ChannelHandlerContext) {
      let isAnswer = isCloseSent
      sendClose(close, context)
      isOver = true
      partialMessage = nil
      messages.finish(error)
      // Both close frames were sent, so the connection can end.
      if isAnswer { context.close(promise: nil) }
    }

    /// Ends the connection because the server violated the protocol. The server is told, and no more frames are read
    /// (section 7.1.7).
    private func fail(_ code: WebSocketCloseCode, because why: String, _ context: ChannelHandlerContext) {
      guard !isOver else { return }
      end(.closed(code, why), sending: Close(code: code, reason: why), context)
    }
  }

  extension Optional {
    fileprivate mutating func take() -> Wrapped? {
      defer { self = nil }
      return self
    }
  }
#endif
