import Apollo
import ApolloWebSocket
import Foundation
import NIOCore
import NIOSSL
import ScriptedWebSocketServer
import Testing

@Suite("Secure WebSockets", .timeLimit(.minutes(5)))
struct SecureWebSocketTests {
  private let certificates: Certificates

  init() async throws { certificates = try await Certificates.shared.value }

  // MARK: The server

  /// Encrypts a channel with the certificate of that name.
  private func encryption(
    _ name: String = "server", asksForCertificate: Bool = false, versions: ClosedRange<Int> = 10...13,
    greeting: String = ""
  ) throws -> ScriptedWebSocketServer.Preparation {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.path("\(name).pem")).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: certificates.path("\(name).key"), format: .pem)))
    if asksForCertificate {
      configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(certificates.path("ca.pem")))
      configuration.certificateVerification = .noHostnameVerification
    }
    let version: [Int: TLSVersion] = [10: .tlsv1, 11: .tlsv11, 12: .tlsv12, 13: .tlsv13]
    configuration.minimumTLSVersion = try #require(version[versions.lowerBound])
    configuration.maximumTLSVersion = version[versions.upperBound]
    let context = try NIOSSLContext(configuration: configuration)
    return .init { channel in
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
      if !greeting.isEmpty { try channel.pipeline.syncOperations.addHandler(Greeting(text: greeting)) }
    }
  }

  /// One event for one subscription.
  private static let oneEvent: ScriptedWebSocketServer.Script = { connection in
    try await connection.acknowledge()
    let id = try await connection.subscription()
    connection.send(next(id, review(5)))
    connection.send(complete(id))
  }

  private func transport(
    _ server: ScriptedWebSocketServer, host: String = "localhost", _ tls: WebSocketTLS? = nil
  ) throws -> WebSocketTransport {
    let address = server.address.replacingOccurrences(of: "ws://127.0.0.1", with: "wss://\(host)")
    return WebSocketTransport(
      url: try #require(URL(string: address)), configuration: .init(reconnection: fastReconnection),
      engine: NIOWebSocketEngine(tls: tls ?? WebSocketTLS(trustRoots: .file(certificates.path("ca.pem")))))
  }

  /// The reason why there is no secure connection; the server must not have seen a request.
  private func refusal(
    of certificate: String = "server", host: String = "localhost", asksForCertificate: Bool = false,
    versions: ClosedRange<Int> = 10...13, greeting: String = "", _ tls: WebSocketTLS? = nil
  ) async throws -> String {
    try await ScriptedWebSocketServer.with(
      beneath: encryption(
        certificate, asksForCertificate: asksForCertificate, versions: versions, greeting: greeting), Self.oneEvent
    ) { server in
      let error = try await transport(server, host: host, tls).failure(of: ReviewAdded())
      guard case .secureConnection(let reason) = error.kind else { throw error }
      let place = try #require(error.url)
      #expect(error.message == "There is no secure connection: \(reason) (\(place.absoluteString)).")
      #expect(error.code == .network)
      #expect(server.connections.isEmpty)
      return reason
    }
  }

  // MARK: What works

  @Test(
    "A server is trusted by a root of the app's own, by its name and by its address",
    arguments: ["localhost", "127.0.0.1"])
  func trusted(host: String) async throws {
    try await ScriptedWebSocketServer.with(beneath: encryption(), Self.oneEvent) { server in
      let results = try await transport(server, host: host).all(ReviewAdded())
      #expect(results.map { $0.data?.reviewAdded?.stars } == [5])
    }
  }

  @Test("Roots, certificate and key may be bytes")
  func bytes() async throws {
    func bytes(_ file: String) throws -> WebSocketTLS.PEM {
      .bytes(Array(try Data(contentsOf: URL(fileURLWithPath: certificates.path(file)))))
    }
    let tls = try WebSocketTLS(
      trustRoots: bytes("ca.pem"), certificateChain: bytes("client.pem"), privateKey: bytes("client.key"))
    try await ScriptedWebSocketServer.with(beneath: encryption(asksForCertificate: true), Self.oneEvent) {
      server async throws in
      #expect(try await transport(server, tls).all(ReviewAdded()).count == 1)
    }
  }

  @Test("A client shows its certificate to a server that asks for it")
  func clientCertificate() async throws {
    let tls = WebSocketTLS(
      trustRoots: .file(certificates.path("ca.pem")), certificateChain: .file(certificates.path("client.pem")),
      privateKey: .file(certificates.path("client.key")))
    try await ScriptedWebSocketServer.with(beneath: encryption(asksForCertificate: true), Self.oneEvent) {
      server async throws in
      #expect(try await transport(server, tls).all(ReviewAdded()).count == 1)
    }
  }

  @Test("A secure connection that breaks is opened again, and large messages come whole")
  func reconnection() async throws {
    let text = String(repeating: "a", count: 1 << 20)
    try await ScriptedWebSocketServer.with(beneath: encryption()) { connection in
      try await connection.acknowledge()
      let id = try await connection.subscription()
      connection.send(next(id, review(1, id: text)))
      if connection.headers["second"] == nil { connection.drop() } else { connection.send(complete(id)) }
    } _: { server in
      let transport = try transport(server)
      var lengths: [Int?] = []
      for try await result in transport.results(of: ReviewAdded(), cachePolicy: .default) {
        lengths.append(result.data?.reviewAdded?.id.count)
        transport.updateHeaderValues(["second": "1"], reconnectIfConnected: false)
      }
      // (On a busy machine the connection may be opened again before the header is changed, and breaks once more.)
      #expect(lengths.count >= 2 && lengths.allSatisfy { $0 == 1 << 20 })
    }
  }

  @Test("TLS 1.2 is spoken, and nothing older than an app demands", arguments: [WebSocketTLS.Version.v1_2, .v1_3])
  func versions(minimum: WebSocketTLS.Version) async throws {
    let tls = WebSocketTLS(trustRoots: .file(certificates.path("ca.pem")), minimumVersion: minimum)
    let server = minimum == .v1_2 ? 10...12 : 10...13
    try await ScriptedWebSocketServer.with(beneath: encryption(versions: server), Self.oneEvent) {
      server async throws in
      #expect(try await transport(server, tls).all(ReviewAdded()).count == 1)
    }
  }

  /// Trusts the app's own root, and the key of one certificate only.
  private func pinning(_ name: String, _ seen: Noted = Noted()) throws -> WebSocketTLS {
    let file = try NIOSSLCertificate.fromPEMFile(certificates.path("\(name).pem"))
    let (key, bytes) = try (file[0].extractPublicKey().toSPKIBytes(), file[0].toDERBytes())
    return WebSocketTLS(trustRoots: .file(certificates.path("ca.pem"))) { certificate in
      seen.add(certificate.host)
      guard certificate.publicKey == key, certificate.bytes == bytes else { throw UnknownKey() }
    }
  }

  private struct UnknownKey: Error {}

  @Test("An app accepts the servers whose key it knows", arguments: ["localhost", "127.0.0.1"])
  func pinned(host: String) async throws {
    let seen = Noted()
    let tls = try pinning("server", seen)
    try await ScriptedWebSocketServer.with(beneath: encryption(), Self.oneEvent) { server async throws in
      #expect(try await transport(server, host: host, tls).all(ReviewAdded()).count == 1)
    }
    #expect(seen.values == [host])
  }

  // MARK: What does not, and why

  @Test("A server whose key the app does not know, though its certificate is right; it does not see the request")
  func otherKey() async throws {
    #expect(
      try await refusal(pinning("client")) == "the app does not accept the server's certificate (UnknownKey())")
  }

  @Test("Such a server that answers before it was asked")
  func otherKeyWithAnswer() async throws {
    let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    let reason = try await refusal(greeting: answer, pinning("client"))
    #expect(reason == "the app does not accept the server's certificate (UnknownKey())")
  }

  @Test("A certificate that is not right is refused before the app is asked")
  func wrongBeforePinned() async throws {
    let seen = Noted()
    #expect(try await refusal(of: "elsewhere", pinning("elsewhere", seen)).contains("for another host"))
    #expect(seen.values.isEmpty)
  }

  @Test(
    "Versions of TLS before 1.2, or before the one that an app demands",
    arguments: [(10...10, WebSocketTLS.Version.v1_2), (10...11, .v1_2), (10...12, .v1_3)])
  func oldVersions(server: ClosedRange<Int>, minimum: WebSocketTLS.Version) async throws {
    let tls = WebSocketTLS(trustRoots: .file(certificates.path("ca.pem")), minimumVersion: minimum)
    let reason = try await refusal(versions: server, tls)
    #expect(reason.contains("the server speaks only versions of TLS that are too old"))
  }

  @Test("The system's authorities do not know the server")
  func untrusted() async throws {
    let reason = try await refusal(WebSocketTLS())
    #expect(reason.contains("comes from an issuer that is not trusted (CERTIFICATE_VERIFY_FAILED)"))
  }

  @Test("A certificate that has expired")
  func expired() async throws {
    #expect(try await refusal(of: "expired").contains("has expired"))
  }

  @Test("A certificate for another host", arguments: ["localhost", "127.0.0.1"])
  func otherHost(host: String) async throws {
    #expect(try await refusal(of: "elsewhere", host: host) == "the server's certificate is for another host")
  }

  @Test("A server that asks for a certificate of a client that has none")
  func missingClientCertificate() async throws {
    let reason = try await refusal(asksForCertificate: true)
    #expect(reason.contains("the server asks for a certificate of the client"))
  }

  @Test("A client whose certificate the server does not trust")
  func unknownClientCertificate() async throws {
    let tls = WebSocketTLS(
      trustRoots: .file(certificates.path("ca.pem")), certificateChain: .file(certificates.path("stranger.pem")),
      privateKey: .file(certificates.path("stranger.key")))
    let reason = try await refusal(asksForCertificate: true, tls)
    #expect(reason.contains("client's certificate"))
  }

  @Test("A server that does not speak TLS")
  func plainServer() async throws {
    try await ScriptedWebSocketServer.with(Self.oneEvent) { server in
      let error = try await transport(server).failure(of: ReviewAdded())
      #expect(error.message.contains("the server does not speak TLS at this address"))
    }
  }

  @Test("A server that hangs up during the handshake is a matter of the network, and tried again")
  func hangsUp() async throws {
    let attempts = Attempts()
    try await ScriptedWebSocketServer.with(
      beneath: .init { channel in
        attempts.add()
        channel.close(promise: nil)
      }, Self.oneEvent
    ) { server in
      let error = try await transport(server).failure(of: ReviewAdded())
      #expect(error.kind == .retriesExhausted(attempts: 4))
      #expect(attempts.count == 4)
    }
  }

  @Test("A file that is not there, that has no certificate, or the key of another certificate")
  func settings() async throws {
    let missing = try await refusal(WebSocketTLS(trustRoots: .file("/no/such/file.pem")))
    #expect(missing == "the file /no/such/file.pem cannot be used")
    let empty = try await refusal(WebSocketTLS(trustRoots: .bytes(Array("nothing".utf8))))
    #expect(!empty.isEmpty)
    let mismatch = try await refusal(
      WebSocketTLS(
        trustRoots: .file(certificates.path("ca.pem")), certificateChain: .file(certificates.path("client.pem")),
        privateKey: .file(certificates.path("server.key"))))
    #expect(mismatch.contains("the key is not the one of the certificate"))
  }
}

/// Notes values, from any thread.
private final class Noted: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: [String] = []

  var values: [String] { lock.withLock { noted } }
  func add(_ value: String) { lock.withLock { noted.append(value) } }
}

/// Says something before it is asked.
private final class Greeting: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let text: String

  init(text: String) { self.text = text }

  func channelActive(context: ChannelHandlerContext) {
    context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
    context.fireChannelActive()
  }
}

/// Counts, from any thread.
private final class Attempts: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0

  var count: Int { lock.withLock { value } }
  func add() { lock.withLock { value += 1 } }
}
