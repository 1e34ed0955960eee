import Apollo
import NIOCore
import NIOPosix
import Waiting

/// A path to a server that can stop passing anything on, in both directions, while the connections stay open.
final class BlackHole: Sendable {
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let isSwallowing: Locked<Bool>

  let port: Int

  private init(_ channel: any Channel, _ group: MultiThreadedEventLoopGroup, _ isSwallowing: Locked<Bool>) {
    self.channel = channel
    self.group = group
    self.isSwallowing = isSwallowing
    port = channel.localAddress?.port ?? 0
  }

  func swallowEverything() { isSwallowing.withLock { $0 = true } }

  static func with(before port: Int, _ body: (BlackHole) async throws -> Void) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let isSwallowing = Locked(false)
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { near in
        ClientBootstrap(group: near.eventLoop)
          .connect(host: "127.0.0.1", port: port)
          .flatMapThrowing { far in
            try near.pipeline.syncOperations.addHandler(Passage(to: far, isSwallowing))
            try far.pipeline.syncOperations.addHandler(Passage(to: near, isSwallowing))
          }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let hole = BlackHole(channel, group, isSwallowing)
    let outcome = await catching { try await body(hole) }
    try await channel.close()
    try await group.shutdownGracefully()
    try outcome.get()
  }

  private final class Passage: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let isSwallowing: Locked<Bool>

    init(to other: any Channel, _ isSwallowing: Locked<Bool>) {
      self.other = other
      self.isSwallowing = isSwallowing
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if !isSwallowing.withLock({ $0 }) { other.writeAndFlush(unwrapInboundIn(data), promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
      if !isSwallowing.withLock({ $0 }) { other.close(promise: nil) }
    }
  }
}
