public import Foundation
import Apollo

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// What releases 1.x of Apollo iOS have and this one has not: what the compiler says is what to write instead. Where an app
// would be less safe than before without noticing, it is an error.

extension WebSocket {
  @available(*, deprecated, message: "There is no queue to write on: leave out 'writeQueueQOS'.")
  public convenience init(url: URL, writeQueueQOS: QualityOfService, protocol: WSProtocol) {
    self.init(url: url, protocol: `protocol`)
  }

  @available(*, deprecated, message: "There is no queue to write on: leave out 'writeQueueQOS'.")
  public convenience init(request: URLRequest, writeQueueQOS: QualityOfService, protocol: WSProtocol) {
    self.init(request: request, protocol: `protocol`)
  }

  @available(
    *, unavailable,
    message:
      "Pin certificates in the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(trustRoots:))'."
  )
  public var security: Any? {
    get { nil }
    set {}
  }

  @available(
    *, unavailable,
    message:
      "Give the certificate to the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(certificateChain:privateKey:))'."
  )
  public var sslClientCertificate: Any? {
    get { nil }
    set {}
  }

  @available(
    *, unavailable,
    message:
      "Trust a server's certificate in the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(trustRoots:))'."
  )
  public var disableSSLCertValidation: Bool {
    get { false }
    set {}
  }

  @available(*, deprecated, message: "Messages are not compressed: leave it out.")
  public var enableCompression: Bool {
    get { false }
    set {}
  }

  @available(*, deprecated, message: "Pings are always answered: leave it out.")
  public var respondToPingWithPong: Bool {
    get { true }
    set {}
  }

  @available(
    *, deprecated,
    message:
      "It is never called. The status of a handshake that failed is in 'WebSocketError.ErrorKind.upgradeError(code:)'."
  )
  public var onHttpResponseHeaders: (([String: String]) -> Void)? {
    get { nil }
    set {}
  }

  /// The errors of the socket in releases 1.x of Apollo iOS. None is ever thrown.
  @available(
    *, deprecated,
    message:
      "Errors are a WebSocketError; its 'kind' has the code: '.upgradeError(code:)', '.closed(code:reason:)', '.secureConnection(reason:)'."
  )
  public struct WSError: LocalizedError {
    /// What failed.
    public enum ErrorType: Hashable, Sendable {
      case outputStreamWriteError, compressionError, invalidSSLError, writeTimeoutError, protocolError, upgradeError
      case closeError
    }

    public let type: ErrorType
    public let message: String
    public let code: Int

    public init(type: ErrorType, message: String, code: Int) {
      (self.type, self.message, self.code) = (type, message, code)
    }

    public var errorDescription: String? { message }
  }
}

extension WebSocketTransport {
  @available(
    *, deprecated,
    message:
      "There is no SOCKS proxy of the transport's own. Apple's systems use that of the system, or the 'connectionProxyDictionary' of a URLSession: 'WebSocketTransport(url:engine: URLSessionWebSocketEngine(session:))'."
  )
  public var enableSOCKSProxy: Bool {
    get { false }
    set {}
  }

  @available(
    *, unavailable,
    message:
      "Pin certificates in the delegate of a URLSession: 'WebSocketTransport(url:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(trustRoots:))'."
  )
  public var security: Any? {
    get { nil }
    set {}
  }
}
