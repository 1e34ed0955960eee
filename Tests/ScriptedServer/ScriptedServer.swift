import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import ResponseStyles
public import Testing
public import Waiting

/// An HTTP server that does exactly what a test says: what it answers, in which pieces, and when it hangs up.
public final class ScriptedServer: Sendable {
  /// A request as it came.
  public struct Request: Sendable {
    public var method: String
    public var path: String
    /// By lower-case name.
    public var headers: [String: String]
    public var body: String
  }

  /// What to do about a request, in order.
  public enum Step: Sendable {
    case write(String)
    case writeBytes([UInt8])
    case pause(milliseconds: Int)
    case wait(Gate)
    /// Do what a task finds out.
    case later(@Sendable () async -> [Step])
    /// Tell the test that all before this was handed to the network.
    case tell(Event)
    /// Hang up.
    case close
  }

  /// What a server waits for before it goes on, so that a test need not guess how long something takes.
  public final class Gate: Sendable {
    private let state = NIOLockedValueBox<(isOpen: Bool, waiting: [@Sendable () -> Void])>((false, []))

    public init() {}

    public func open() {
      let waiting = state.withLockedValue { state in
        defer { state = (true, []) }
        return state.waiting
      }
      for goOn in waiting { goOn() }
    }

    /// Calls a body when the gate is open.
    fileprivate func whenOpen(_ body: @escaping @Sendable () -> Void) {
      let isOpen = state.withLockedValue { state in
        if !state.isOpen { state.waiting.append(body) }
        return state.isOpen
      }
      if isOpen { body() }
    }
  }

  public typealias Handler = @Sendable (Request) -> [Step]

  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private struct Connections {
    var opened = 0, open = 0
  }

  private let connections: Awaited<Connections>

  /// `http://127.0.0.1:<port>/graphql`
  public let address: String

  /// How many connections are open.
  public var connectionCount: Int { connections.value.open }

  /// How many connections there were.
  public var openedConnectionCount: Int { connections.value.opened }

  /// Waits until so many connections are open.
  public func until(connectionCount count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await connections.until(sourceLocation: sourceLocation) { $0.open == count }
  }

  /// Waits until there was a connection, and none is open.
  public func untilAllAreClosed(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await connections.until(sourceLocation: sourceLocation) { $0.opened > 0 && $0.open == 0 }
  }

  private init(channel: any Channel, group: MultiThreadedEventLoopGroup, connections: Awaited<Connections>) {
    self.channel = channel
    self.group = group
    self.connections = connections
    address = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/graphql"
  }

  /// Starts on the loopback interface: on a free port, unless one is named.
  ///
  /// What the handler makes is in the style of JSON that is current here.
  public static func start(port: Int = 0, _ handler: @escaping Handler) async throws -> ScriptedServer {
    let style = ResponseStyle.current
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let connections = Awaited(Connections())
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(ChannelOptions.backlog, value: 1024)
      .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        connections.change { connections in
          connections.opened += 1
          connections.open += 1
        }
        channel.closeFuture.whenComplete { _ in connections.change { $0.open -= 1 } }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            RequestHandler { request in ResponseStyle.$current.withValue(style) { handler(request) } })
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    return ScriptedServer(channel: channel, group: group, connections: connections)
  }

  /// Starts a server, runs `body` and stops the server.
  public static func with<Result>(
    _ handler: @escaping Handler, _ body: (ScriptedServer) async throws -> Result
  ) async throws -> Result {
    let server = try await start(handler)
    let outcome = await catching { try await body(server) }
    try await server.stop()
    return try outcome.get()
  }

  public func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }
}

extension ScriptedServer.Step {
  /// A whole response; if it is JSON, in the current style.
  public static func respond(
    _ body: String, status: Int = 200, contentType: String? = "application/json", headers: [String: String] = [:]
  ) -> ScriptedServer.Step {
    .respond(Array(body.restyled.utf8), status: status, contentType: contentType, headers: headers)
  }

  public static func respond(
    _ body: [UInt8], status: Int = 200, contentType: String? = "application/json", headers: [String: String] = [:]
  ) -> ScriptedServer.Step {
    .writeBytes(
      head(status, contentType, headers.merging(["Content-Length": "\(body.count)"]) { first, _ in first }) + body)
  }

  /// The beginning of a response that ends when the server hangs up.
  public static func begin(
    status: Int = 200, contentType: String?, headers: [String: String] = [:]
  ) -> ScriptedServer.Step {
    .writeBytes(head(status, contentType, headers.merging(["Connection": "close"]) { first, _ in first }))
  }

  private static func head(_ status: Int, _ contentType: String?, _ headers: [String: String]) -> [UInt8] {
    var head = "HTTP/1.1 \(status) Status\r\n"
    if let contentType { head += "Content-Type: \(contentType)\r\n" }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8)
  }
}

/// Collects bytes until there is a request, and then plays its script. It is on one event loop, as NIO's handlers are.
private final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let handler: ScriptedServer.Handler
  private var received = ByteBuffer()
  /// The request whose body has not all come yet.
  private var head: (request: ScriptedServer.Request, length: Int)?

  init(_ handler: @escaping ScriptedServer.Handler) { self.handler = handler }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var data = unwrapInboundIn(data)
    received.writeBuffer(&data)
    while let request = nextRequest() { play(handler(request)[...], on: context.channel) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func play(_ steps: ArraySlice<ScriptedServer.Step>, on channel: any Channel) {
    var steps = steps
    while let step = steps.popFirst() {
      switch step {
      case .write(let text): channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
      case .writeBytes(let bytes): channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
      case .close: channel.close(promise: nil)
      case .later(let find):
        let rest = NIOLoopBound((self, steps), eventLoop: channel.eventLoop)
        // What is found out only then comes after the client has taken what was sent before, so that an endless answer
        // takes no memory here.
        let isTaken = channel.writeAndFlush(ByteBuffer())
        isTaken.flatMap { channel.eventLoop.makeFutureWithTask(find) }.whenSuccess { found in
          if channel.isActive { rest.value.0.play(found + rest.value.1, on: channel) }
        }
        return
      case .tell(let event): event.happen()
      case .pause(let milliseconds):
        let rest = NIOLoopBound((self, steps), eventLoop: channel.eventLoop)
        channel.eventLoop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { Self.goOn(rest, on: channel) }
        return
      case .wait(let gate):
        // (A copy: what waits for a gate that is never opened must not keep the gate.)
        let rest = NIOLoopBound((self, Array(steps)[...]), eventLoop: channel.eventLoop)
        gate.whenOpen { channel.eventLoop.execute { Self.goOn(rest, on: channel) } }
        return
      }
    }
  }

  private static func goOn(
    _ rest: NIOLoopBound<(RequestHandler, ArraySlice<ScriptedServer.Step>)>, on channel: any Channel
  ) {
    if channel.isActive { rest.value.0.play(rest.value.1, on: channel) }
  }

  private func nextRequest() -> ScriptedServer.Request? {
    if head == nil { head = nextHead() }
    guard case (var request, let length)? = head, received.readableBytes >= length else { return nil }
    request.body = received.readString(length: length) ?? ""
    received.discardReadBytes()
    head = nil
    return request
  }

  private func nextHead() -> (ScriptedServer.Request, Int)? {
    let view = received.readableBytesView
    guard let headEnd = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let text = received.readString(length: headEnd.upperBound - view.startIndex) ?? ""
    let lines = text.split(separator: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    let start = lines.first?.split(separator: " ") ?? []
    let request = ScriptedServer.Request(
      method: start.first.map(String.init) ?? "", path: start.dropFirst().first.map(String.init) ?? "",
      headers: headers, body: "")
    return (request, headers["content-length"].flatMap { Int($0) } ?? 0)
  }
}
