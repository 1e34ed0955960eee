import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A server of SwiftNIO's own HTTP: over TLS, with HTTP/2, or with bodies that are never held in memory.
final class NIOServer: Sendable {
  struct Request: Sendable {
    var head: HTTPRequestHead
    var bodyLength: Int
  }

  /// What it does about each request.
  enum Answer: Sendable {
    case body(String, [(String, String)])
    /// A body that goes on for as long as the client takes it.
    case endless
    /// A body that is sent as soon as the head of the request is there, and what follows it.
    case early(String, status: Int, Ending)
  }

  /// What it does after a response.
  enum Ending: CaseIterable, Sendable {
    case nothing
    /// It refuses what is left of the request (RFC 9113, section 8.1).
    case resetsStream
    case closesConnection
  }

  private let channel: any Channel
  private let log = Locked<[Request]>([])
  private let bytes = Locked(0)
  private let open = Locked(0)

  var requests: [Request] { log.withLock { $0 } }
  /// How many bytes of endless bodies have left.
  var bytesSent: Int { bytes.withLock { $0 } }
  var connectionCount: Int { open.withLock { $0 } }
  var port: Int { channel.localAddress?.port ?? 0 }

  func url(_ host: String = "localhost", scheme: String) -> URL { URL(string: "\(scheme)://\(host):\(port)/graphql")! }

  private init(channel: any Channel) { self.channel = channel }

  /// - Parameters:
  ///   - tls: With `h2` among its protocols, clients may choose HTTP/2.
  ///   - onPart: Called for each part of a body that comes. The default does nothing.
  static func with(
    tls: NIOSSLContext? = nil, _ answer: Answer, onPart: @escaping @Sendable () -> Void = {},
    _ body: (NIOServer) async throws -> Void
  ) async throws {
    let shared = Shared()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        shared.server?.open.withLock { $0 += 1 }
        channel.closeFuture.whenComplete { _ in shared.server?.open.withLock { $0 -= 1 } }
        let handle: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Handler(shared, answer, onPart))
          }
        }
        guard let tls else {
          return channel.pipeline.configureHTTPServerPipeline().flatMap { handle(channel) }
        }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
        }.flatMap { channel.configureCommonHTTPServerPipeline(handle) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let server = NIOServer(channel: channel)
    shared.set(server)
    do {
      try await body(server)
      try await channel.close()
    } catch {
      try await channel.close()
      throw error
    }
  }

  /// The server, for the handlers of its connections, which come after it.
  private final class Shared: Sendable {
    private let state = Locked<NIOServer?>(nil)
    var server: NIOServer? { state.withLock { $0 } }
    func set(_ server: NIOServer) { state.withLock { $0 = server } }
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let shared: Shared
    private let answer: Answer
    private let onPart: @Sendable () -> Void
    private var request: Request?

    init(_ shared: Shared, _ answer: Answer, _ onPart: @escaping @Sendable () -> Void) {
      (self.shared, self.answer, self.onPart) = (shared, answer, onPart)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        request = Request(head: head, bodyLength: 0)
        if case .early(let text, let status, let ending) = answer {
          respond(context, early: text, status: status, ending)
        }
      case .body(let part):
        request?.bodyLength += part.readableBytes
        onPart()
      case .end:
        if case .early = answer { return }
        if let request { shared.server?.log.withLock { $0.append(request) } }
        respond(context)
      }
    }

    private func respond(_ context: ChannelHandlerContext) {
      var head = HTTPResponseHead(version: .http1_1, status: .ok)
      switch answer {
      case .body(let text, let fields):
        for (name, value) in fields { head.headers.add(name: name, value: value) }
        head.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
        head.headers.replaceOrAdd(name: "Content-Length", value: "\(text.utf8.count)")
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      case .endless:
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        writeMore(context)
      case .early: break
      }
    }

    private func respond(_ context: ChannelHandlerContext, early text: String, status: Int, _ ending: Ending) {
      let head = HTTPResponseHead(
        version: .http1_1, status: HTTPResponseStatus(statusCode: status),
        headers: ["Content-Type": "application/json"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
      let channel = context.channel
      context.writeAndFlush(wrapOutboundOut(.end(nil))).whenSuccess {
        switch ending {
        case .nothing: break
        case .resetsStream: channel.close(promise: nil)
        case .closesConnection: channel.parent?.close(promise: nil)
        }
      }
    }

    /// Writes a piece when the one before has left.
    private func writeMore(_ context: ChannelHandlerContext) {
      let part = ByteBuffer(repeating: 0x20, count: 1 << 16)
      let written = context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part))))
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      written.whenSuccess {
        let (handler, context) = bound.value
        handler.shared.server?.bytes.withLock { $0 += 1 << 16 }
        context.eventLoop.execute { bound.value.0.writeMore(bound.value.1) }
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
