import NIOCore
public import NIOWebSocket
import ResponseStyles

/// The server's end of a connection.
public final class ScriptedConnection: Sendable {
  /// What came from the client.
  public enum Frame: Hashable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(UInt16?, String)
    /// A frame that no client may send, because it is not masked.
    case unmasked
    /// The connection is gone.
    case gone
  }

  /// The target of the request.
  public let path: String
  /// Those of the request, by lower-case name.
  public let headers: [String: String]
  /// The names of the header fields as they came, each as often as it came.
  public let headerNames: [String]
  private let channel: any Channel
  private let frames: AsyncStream<Frame>

  init(channel: any Channel, path: String, headers: [String: String], headerNames: [String], frames: AsyncStream<Frame>)
  {
    self.channel = channel
    self.path = path
    self.headers = headers
    self.headerNames = headerNames
    self.frames = frames
  }

  /// The next frame of the client; `.gone` for ever once the connection is.
  public func receive() async throws -> Frame {
    for await frame in frames { return frame }
    try Task.checkCancellation()
    return .gone
  }

  /// Sends text; if it is JSON, in the current style.
  public func send(_ text: String) { send(.text, Array(text.restyled.utf8)) }

  /// Sends any frame, allowed or not.
  public func send(
    _ opcode: WebSocketOpcode, _ data: [UInt8] = [], fin: Bool = true, rsv1: Bool = false, isMasked: Bool = false
  ) {
    channel.writeAndFlush(
      WebSocketFrame(
        fin: fin, rsv1: rsv1, opcode: opcode, maskKey: isMasked ? [1, 2, 3, 4] : nil, data: ByteBuffer(bytes: data)),
      promise: nil)
  }

  /// Reads nothing from now on, or reads again.
  public func setReading(_ reads: Bool) async throws {
    try await channel.setOption(.autoRead, value: reads).get()
    if reads { channel.read() }
  }

  /// Waits until the network has taken all that was sent, or the connection is gone.
  public func flush() async {
    let end = channel.eventLoop.makePromise(of: Void.self)
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .pong, data: ByteBuffer()))
      .whenComplete { _ in end.succeed() }
    // A write to a connection that the client closes at this moment is never answered.
    channel.closeFuture.whenComplete { _ in end.succeed() }
    try? await end.futureResult.get()
  }

  /// Sends bytes as they are.
  public func sendRaw(_ bytes: [UInt8]) {
    channel.eventLoop.execute { [channel] in
      let context = try? channel.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
      context?.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
    }
  }

  public func close(_ code: UInt16?, _ reason: String = "") {
    var data = ByteBuffer()
    if let code {
      data.writeInteger(code)
      data.writeString(reason)
    }
    send(.connectionClose, Array(data.readableBytesView))
  }

  /// Whether the connection is over.
  public var isGone: Bool { !channel.isActive }

  /// Hangs up without a close frame.
  public func drop() { channel.close(promise: nil) }
}

/// Passes frames on, and answers a close frame as a server has to.
final class FrameRecorder: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let frames: AsyncStream<ScriptedConnection.Frame>.Continuation
  private var isCloseSent = false

  init(frames: AsyncStream<ScriptedConnection.Frame>.Continuation) { self.frames = frames }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    if frame.maskKey == nil { frames.yield(.unmasked) }
    var data = frame.unmaskedData
    let bytes = Array(data.readableBytesView)
    switch frame.opcode {
    case .text: frames.yield(.text(String(decoding: bytes, as: UTF8.self)))
    case .binary: frames.yield(.binary(bytes))
    case .ping: frames.yield(.ping(bytes))
    case .pong: frames.yield(.pong(bytes))
    case .connectionClose:
      let code = data.readInteger(as: UInt16.self)
      frames.yield(.close(code, String(buffer: data)))
      if !isCloseSent {
        let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(bytes: bytes.prefix(2)))
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
      }
      context.close(promise: nil)
    default: break
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if unwrapOutboundIn(data).opcode == .connectionClose { isCloseSent = true }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    frames.finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
