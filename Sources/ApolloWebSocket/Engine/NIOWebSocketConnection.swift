#if canImport(NIOCore) && !canImport(Darwin)
  import ApolloCache
  import NIOCore
  import NIOWebSocket

  struct NIOWebSocketConnection: WebSocketConnection {
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

    func ping(answered: @escaping @Sendable () -> Void) {
      channel.triggerUserOutboundEvent(WebSocketFrameHandler.Command.ping(answered: answered), promise: nil)
    }

    func close(code: WebSocketCloseCode, reason: String) {
      channel.triggerUserOutboundEvent(WebSocketFrameHandler.Command.close(code, reason), promise: nil)
    }
  }

  /// The messages between a channel and their consumer. If several messages wait, the channel is not read.
  enum WebSocketMessageQueue {
    typealias Strategy = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark
    typealias Producer = NIOThrowingAsyncSequenceProducer<WebSocketMessage, any Error, Strategy, Delegate>

    static func make(
      for channel: any Channel
    ) -> (messages: AsyncThrowingStream<WebSocketMessage, any Error>, source: Producer.Source) {
      let producer = Producer.makeSequence(
        elementType: WebSocketMessage.self, failureType: (any Error).self,
        backPressureStrategy: Strategy(lowWatermark: 4, highWatermark: 16), finishOnDeinit: true,
        delegate: Delegate(channel: channel))
      // A stream is iterated by one task at a time, and so is this.
      let iterator = Handoff(producer.sequence.makeAsyncIterator())
      return (AsyncThrowingStream { try await iterator.value.next() }, producer.source)
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
