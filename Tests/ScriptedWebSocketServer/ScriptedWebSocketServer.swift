public import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import ResponseStyles
public import Testing
import Waiting

/// A WebSocket server that does exactly what a test says, down to the single frame.
public final class ScriptedWebSocketServer: Sendable {
  /// How it answers the handshake.
  public enum Handshake: Sendable {
    /// Choose the first subprotocol that the client offers.
    case accept
    /// Choose this one, offered or not; nil for none.
    case choose(String?)
    case refuse(status: Int)
    /// Say nothing.
    case hang
    /// Answer with this text, whatever it is.
    case raw(String)
    /// Accept, with these header fields in addition.
    case add([String: String])
  }

  /// Adds to a channel what has to stand beneath the protocol, such as encryption.
  public struct Preparation: Sendable {
    let prepare: @Sendable (any Channel) throws -> Void
    public init(_ prepare: @escaping @Sendable (any Channel) throws -> Void) { self.prepare = prepare }
  }

  /// What it does on a connection. The connection stays open when the script is over.
  public typealias Script = @Sendable (ScriptedConnection) async throws -> Void

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let registry: Registry

  public let port: Int

  /// `ws://127.0.0.1:<port>/graphql`
  public var address: String { "ws://127.0.0.1:\(port)/graphql" }

  private init(channel: any Channel, group: MultiThreadedEventLoopGroup, registry: Registry) {
    self.channel = channel
    self.group = group
    self.registry = registry
    port = channel.localAddress?.port ?? 0
  }

  /// The connections so far, in their order.
  public var connections: [ScriptedConnection] { registry.connections.value }

  /// Waits until so many connections have been opened.
  public func until(connectionCount count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await registry.connections.until(sourceLocation: sourceLocation) { $0.count >= count }
  }

  /// Waits until so many clients have asked for a connection.
  public func until(handshakeCount count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await registry.attempts.wait(for: count, sourceLocation: sourceLocation)
  }

  /// Starts on a free port of the loopback interface.
  ///
  /// The JSON that the script sends is in the style that is current here.
  ///
  /// - Parameters:
  ///   - handshakes: What to do about the first attempts; those that follow are accepted.
  ///   - beneath: For each channel.
  ///   - receiveBuffer: How many bytes the system keeps that the script does not read; nil: as many as it likes.
  public static func start(
    handshakes: [Handshake] = [], beneath: Preparation = Preparation { _ in }, receiveBuffer: Int? = nil,
    _ script: @escaping Script
  ) async throws -> ScriptedWebSocketServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let registry = Registry()
    let style = ResponseStyle.current
    var bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
    if let receiveBuffer {
      // (Connections have that of the socket which accepts them.)
      bootstrap = bootstrap.serverChannelOption(
        ChannelOptions.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
    }
    let channel =
      try await bootstrap
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try beneath.prepare(channel)
          _ = try Acceptance(
            registry: registry, handshakes: handshakes,
            script: { connection in
              try await ResponseStyle.$current.withValue(style) { try await script(connection) }
            }
          ).configure(channel)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return ScriptedWebSocketServer(channel: channel, group: group, registry: registry)
  }

  /// Starts a server, runs `body` and stops the server.
  ///
  /// An error that the script threw is thrown here: it is a failure of the test.
  public static func with<Result>(
    handshakes: [Handshake] = [], beneath: Preparation = Preparation { _ in }, receiveBuffer: Int? = nil,
    _ script: @escaping Script, _ body: (ScriptedWebSocketServer) async throws -> Result
  ) async throws -> Result {
    let server = try await start(
      handshakes: handshakes, beneath: beneath, receiveBuffer: receiveBuffer, script)
    let outcome = await catching { try await body(server) }
    // (Stopped twice, a server would wait for its threads, which are gone.)
    try await server.stop()
    if let error = await server.registry.error { throw error }
    return try outcome.get()
  }

  /// Waits until every script that has started is over.
  public func untilScriptsEnd() async throws { await registry.untilScriptsEnd() }

  public func stop() async throws {
    try? await channel.close()
    await registry.stopScripts()
    try await group.shutdownGracefully()
  }
}

/// What the server knows of its connections.
actor Registry {
  nonisolated let connections = Awaited<[ScriptedConnection]>([])
  /// How many handshakes have begun.
  nonisolated let attempts = Event()
  private(set) var error: (any Error)?
  private var scripts: [Task<Void, Never>] = []
  private var isStopped = false

  nonisolated func nextAttempt() -> Int {
    attempts.change { attempts in
      defer { attempts += 1 }
      return attempts
    }
  }

  func run(_ script: @escaping ScriptedWebSocketServer.Script, on connection: ScriptedConnection) {
    guard !isStopped else { return connection.drop() }
    connections.change { $0.append(connection) }
    scripts.append(
      Task {
        do {
          try await script(connection)
        } catch is CancellationError {
        } catch {
          self.error = self.error ?? error
        }
      })
  }

  func untilScriptsEnd() async {
    let scripts = scripts
    // A test that runs out of time must not wait for a script that waits for a frame.
    await withTaskCancellationHandler {
      for script in scripts { await script.value }
    } onCancel: {
      for script in scripts { script.cancel() }
    }
  }

  func stopScripts() async {
    isStopped = true
    for script in scripts { script.cancel() }
    // A script may wait for the network to take what it sends, which is no longer read.
    for connection in connections.value { connection.drop() }
    for script in scripts { await script.value }
  }
}

/// Answers handshakes.
private struct Acceptance: Sendable {
  let registry: Registry
  let handshakes: [ScriptedWebSocketServer.Handshake]
  let script: ScriptedWebSocketServer.Script

  func configure(_ channel: any Channel) throws -> EventLoopFuture<Void> {
    let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
      maxFrameSize: 1 << 25, enableAutomaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        switch answer(head) {
        case .headers(let headers): return channel.eventLoop.makeSucceededFuture(headers)
        case .status(let status):
          let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: ["Content-Length": "0"])
          channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
          channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
          return channel.close().map { nil }
        case .raw(let text):
          let context = try? channel.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
          context?.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
          fallthrough
        case .nothing:
          let end = channel.eventLoop.makePromise(of: HTTPHeaders?.self)
          channel.closeFuture.whenComplete { _ in end.succeed(nil) }
          return end.futureResult
        }
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let (frames, continuation) = AsyncStream<ScriptedConnection.Frame>.makeStream()
          try channel.pipeline.syncOperations.addHandler(FrameRecorder(frames: continuation))
          let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
          let connection = ScriptedConnection(
            channel: channel, path: head.uri, headers: headers, headerNames: head.headers.map(\.name), frames: frames)
          Task { await registry.run(script, on: connection) }
        }
      })
    let configuration = NIOUpgradableHTTPServerPipelineConfiguration<Void>(
      upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(upgraders: [upgrader]) { channel in
        channel.close(mode: .all)
      })
    return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(configuration: configuration)
  }

  private enum Answer: Sendable {
    case headers(HTTPHeaders)
    case status(Int)
    case raw(String)
    case nothing
  }

  private func answer(_ head: HTTPRequestHead) -> Answer {
    let attempt = registry.nextAttempt()
    switch attempt < handshakes.count ? handshakes[attempt] : .accept {
    case .accept:
      let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"].first.map(String.init)
      return .headers(offered.map { ["Sec-WebSocket-Protocol": $0] } ?? [:])
    case .choose(let subprotocol):
      return .headers(subprotocol.map { ["Sec-WebSocket-Protocol": $0] } ?? [:])
    case .refuse(let status): return .status(status)
    case .hang: return .nothing
    case .raw(let text): return .raw(text)
    case .add(let fields):
      let offered = head.headers[canonicalForm: "Sec-WebSocket-Protocol"].first.map(String.init)
      return .headers(
        HTTPHeaders((offered.map { [("Sec-WebSocket-Protocol", $0)] } ?? []) + fields.map { ($0.key, $0.value) }))
    }
  }
}
