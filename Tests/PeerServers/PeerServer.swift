import Foundation
import Waiting

/// The GraphQL servers of other projects, which the tests talk to. Their programs stand in `Servers`, and
/// `scripts/bootstrap.sh peers` installs what they need.
public enum Peer: String, CaseIterable, Sendable {
  case strawberry, ariadne, graphene, django

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  static let folder = root.appendingPathComponent("Tests/PeerServers/Servers")

  var python: URL { Self.root.appendingPathComponent(".venv/peers/\(rawValue)/bin/python") }

  /// The file of its schema.
  public var schemaPath: String { Self.folder.appendingPathComponent("\(rawValue).graphql").path }

  /// False where what its program needs is not there.
  public var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

  /// True if all of them are there.
  public static let areInstalled = allCases.allSatisfy(\.isInstalled)
}

/// How requests reach a server.
public enum Way: String, CaseIterable, Sendable {
  case direct
  /// Through nginx, which compresses, cuts into chunks and ends kept connections early.
  case nginx

  /// All of them, or only the direct one where nginx is not installed.
  public static let installed = ReverseProxy.isInstalled ? allCases : [.direct]
}

/// Where a server listens.
public struct Endpoint: Sendable {
  public let port: Int

  /// `http://127.0.0.1:<port>/`
  public var address: String { "http://127.0.0.1:\(port)/" }
  /// `ws://127.0.0.1:<port>/`
  public var webSocketAddress: String { "ws://127.0.0.1:\(port)/" }
}

/// A running server, which ends with the program that started it.
public final class PeerServer: Sendable {
  public let endpoint: Endpoint
  private let process: LeashedProcess

  private init(_ process: LeashedProcess, port: Int) {
    self.process = process
    endpoint = Endpoint(port: port)
  }

  /// Starts a server on the loopback interface.
  ///
  /// - Parameters:
  ///   - port: 0 for one that is free.
  ///   - isGuarded: True to refuse WebSockets whose `connection_init` has not the payload `{"token": "second"}`.
  public static func start(_ peer: Peer, port: Int = 0, isGuarded: Bool = false) async throws -> PeerServer {
    let app = isGuarded ? "guarded" : peer.rawValue
    let process = try LeashedProcess(
      [
        peer.python.path, "-m", "uvicorn", "\(app)_app:app", "--host", "127.0.0.1", "--port", "\(port)", "--ws",
        "websockets", "--no-access-log",
      ],
      environment: [
        "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PEER": peer.rawValue, "PYTHONPATH": Peer.folder.path,
      ])
    return try await onOwnThread {
      let (port, said) = process.read { said in
        said.firstMatch(of: /running on http:\/\/127.0.0.1:([0-9]+)/).flatMap { Int($0.1) }
      }
      guard let port else { throw StartFailure(description: "\(peer) did not start: \(said)") }
      return PeerServer(process, port: port)
    }
  }

  /// Ends the server at once, as if its machine had failed.
  public func kill() { process.kill() }

  /// Ends the server at once, and waits until its port is free.
  public func end() async throws { try await process.end() }

  /// Where a server listens that all tests of this program share.
  public static func shared(_ peer: Peer, by way: Way = .direct) async throws -> Endpoint {
    try await SharedPeers.instance.endpoint(of: peer, by: way)
  }
}

private actor SharedPeers {
  static let instance = SharedPeers()
  private var servers: [Peer: Task<PeerServer, any Error>] = [:]
  private var proxies: [Peer: Task<ReverseProxy, any Error>] = [:]

  func endpoint(of peer: Peer, by way: Way) async throws -> Endpoint {
    let server = servers[peer] ?? Task { try await PeerServer.start(peer) }
    servers[peer] = server
    guard way == .nginx else { return try await server.value.endpoint }
    let proxy = proxies[peer] ?? Task { try await ReverseProxy.start(to: server.value.endpoint) }
    proxies[peer] = proxy
    return try await proxy.value.endpoint
  }
}
