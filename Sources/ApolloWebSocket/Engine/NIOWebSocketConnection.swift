#if canImport(NIOCore) && !canImport(Darwin)
  import ApolloAPI
  import ApolloCache
  import NIOCore
  import NIOWebSocket

  struct NIOWebSocketConnection: ByteWatching {
    let channel: any Channel
    let subprotocol: String?
    let messages: AsyncThrowingStream<WebSocketMessage, any Error>
    /// Whether bytes of a message have come, which a ``ByteWatch`` sets.
    let hasBytes: Locked<Bool>

    func haveBytesCome() -> Bool {
      hasBytes.withLock { hasBytes in
        defer { hasBytes = false }
        return hasBytes
      }
    }

    func send(_ message: WebSocketMessage) { send(message, promise: nil) }

    func send(_ message: WebSocketMessage, taken: @escaping @Sendable () -> Void) {
      let promise = channel.eventLoop.makePromise(of: Void.self)
      promise.futureResult.whenComplete { _ in taken() }
      send(message, promise: promise)
    }

    private func send(_ message: WebSocketMessage, promise: EventLoopPromise<Void>?) {
      let (opcode, data): (WebSocketOpcode, ByteBuffer) =
        switch message {
        case .text(let text): (.text, ByteBuffer(string: text))
        case .binary(let bytes): (.binary, ByteBuffer(bytes: bytes))
        }
      channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data), promise: promise)
    }

    func ping(answered: @escaping @Sendable () -> Void) {
      channel.triggerUserOutboundEvent(WebSocketFrameHandler.Command.ping(answered: answered), promise: nil)
    }

    func close(code: WebSocketCloseCode, reason: String) {
      channel.triggerUserOutboundEvent(WebSocketFrameHandler.Command.close(code, reason), promise: nil)
    }
  }

  /// Sees the bytes of a server before they are a frame, which may take long.
  final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let hasBytes: Locked<Bool>

    init(_ hasBytes: Locked<Bool>) { self.hasBytes = hasBytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      hasBytes.withLock { $0 = true }
      context.fireChannelRead(data)
    }
  }

  /// The messages between a channel and their consumer. If several messages wait, or large ones, the channel is not read.
  enum WebSocketMessageQueue {
    /// The bytes that may wait while the channel is read: a message that is larger waits by itself.
    static let highWatermark = 1 << 20

    /// What passes the bytes of messages that wait from the channel to the consumer.
    final class Size: Sendable {
      private let bytes = Locked(0)

      /// - Returns: Whether the channel may be read on.
      func add(_ message: WebSocketMessage) -> Bool {
        bytes.withLock { bytes in
          bytes += message.byteCount
          return bytes < highWatermark
        }
      }

      /// - Returns: Whether the channel may be read again.
      func remove(_ message: WebSocketMessage) -> Bool {
        bytes.withLock { bytes in
          let wasHeld = bytes >= highWatermark
          bytes -= message.byteCount
          return wasHeld && bytes < highWatermark
        }
      }
    }

    typealias Strategy = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark
    typealias Producer = NIOThrowingAsyncSequenceProducer<WebSocketMessage, any Error, Strategy, Delegate>

    static func make(
      for channel: any Channel
    ) -> (messages: AsyncThrowingStream<WebSocketMessage, any Error>, source: Producer.Source, size: Size) {
      let delegate = Delegate(channel: channel)
      let size = Size()
      let producer = Producer.makeSequence(
        elementType: WebSocketMessage.self, failureType: (any Error).self,
        backPressureStrategy: Strategy(lowWatermark: 4, highWatermark: 16), finishOnDeinit: true,
        delegate: delegate)
      // Safe: a stream is iterated by one task at a time, and so is this.
      nonisolated(unsafe) let iterator = producer.sequence.makeAsyncIterator()
      let messages = AsyncThrowingStream {
        let message = try await iterator.next()
        if let message, size.remove(message) { delegate.produceMore() }
        return message
      }
      return (messages, producer.source, size)
    }

    struct Delegate: NIOAsyncSequenceProducerDelegate {
      let channel: any Channel

      func produceMore() { trigger(.read) }

      /// The consumer has stopped reading.
      func didTerminate() { trigger(.abandon) }

      /// Triggers commands in the order of the calls, also if a call comes from the channel's own thread.
      private func trigger(_ command: WebSocketFrameHandler.Command) {
        channel.eventLoop.execute { [channel] in channel.triggerUserOutboundEvent(command, promise: nil) }
      }
    }
  }
#endif
