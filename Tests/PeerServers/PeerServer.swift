import Foundation

/// The GraphQL servers of other projects, which the tests talk to.
///
/// Their programs stand in the reference folder beside the project; `scripts/bootstrap.sh peers` installs what they need.
public enum Peer: String, CaseIterable, Sendable {
  case strawberry, ariadne, graphene

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  static let programs: URL = {
    let shared = ProcessInfo.processInfo.environment["APOLLO_SHARED"].map { URL(fileURLWithPath: $0) }
    return (shared ?? root.appendingPathComponent("../shared")).standardizedFileURL.appendingPathComponent("peers")
  }()

  var python: URL { Self.root.appendingPathComponent(".venv/peers/\(rawValue)/bin/python") }

  /// The file of its schema.
  public var schemaPath: String { Self.programs.appendingPathComponent("\(rawValue).graphql").path }

  /// False where the programs, or what they need, are not there.
  public var isInstalled: Bool {
    let manager = FileManager.default
    return manager.isExecutableFile(atPath: python.path)
      && manager.fileExists(atPath: Self.programs.appendingPathComponent("\(rawValue)_app.py").path)
  }

  /// True if all of them are there.
  public static let areInstalled = allCases.allSatisfy(\.isInstalled)
}

/// A running server, which ends with the program that started it.
public final class PeerServer: @unchecked Sendable {
  // Written once, before `start` returns.

  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  public let peer: Peer
  public private(set) var port = 0
  private let process = Process()
  /// The server's shell waits for its end, and so notices when this program is gone.
  private let leash = Pipe()
  private let errors = Pipe()

  /// `http://127.0.0.1:<port>/`
  public var address: String { "http://127.0.0.1:\(port)/" }
  /// `ws://127.0.0.1:<port>/`
  public var webSocketAddress: String { "ws://127.0.0.1:\(port)/" }

  private init(_ peer: Peer) { self.peer = peer }

  /// Starts a server on the loopback interface.
  ///
  /// - Parameters:
  ///   - port: 0 for one that is free.
  ///   - isGuarded: True to refuse WebSockets whose `connection_init` has not the payload `{"token": "second"}`.
  public static func start(_ peer: Peer, port: Int = 0, isGuarded: Bool = false) async throws -> PeerServer {
    let server = PeerServer(peer)
    try server.launch(app: isGuarded ? "guarded" : peer.rawValue, port: port)
    // Reading waits, so it has a thread of its own.
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread { continuation.resume(with: Result { try server.awaitStart() }) }
    }
    return server
  }

  private func launch(app: String, port: Int) throws {
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", #""$@" & cat >/dev/null; kill -9 $! 2>/dev/null; wait"#, "sh", peer.python.path, "-m",
      "uvicorn", "\(app)_app:app", "--host", "127.0.0.1", "--port", "\(port)", "--ws", "websockets", "--no-access-log",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      [
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PEER": peer.rawValue,
        "PYTHONPATH": "\(Peer.programs.path):\(Peer.root.path)/Tests/PeerServers",
      ]) { $1 }
    process.standardInput = leash
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  /// Reads what the server says until it says where it listens, and then goes on reading, so that it never waits.
  private func awaitStart() throws {
    var output = ""
    while port == 0 {
      let data = errors.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failure(description: "\(peer) did not start: \(output)") }
      output += String(decoding: data, as: UTF8.self)
      if let match = output.firstMatch(of: /running on http:\/\/127.0.0.1:([0-9]+)/) { port = Int(match.1) ?? 0 }
    }
    errors.fileHandleForReading.readabilityHandler = { handle in
      if handle.availableData.isEmpty { handle.readabilityHandler = nil }
    }
  }

  /// Ends the server at once, as if its machine had failed.
  ///
  /// Not with SIGTERM: threads of a test block it, and their children have that from them.
  public func kill() {
    try? leash.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// A server that all tests of this program share.
  public static func shared(_ peer: Peer) async throws -> PeerServer { try await SharedPeers.instance.server(peer) }
}

private actor SharedPeers {
  static let instance = SharedPeers()
  private var servers: [Peer: Task<PeerServer, any Error>] = [:]

  func server(_ peer: Peer) async throws -> PeerServer {
    let task = servers[peer] ?? Task { try await PeerServer.start(peer) }
    servers[peer] = task
    return try await task.value
  }
}
