public import Foundation
import Apollo

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

// Declarations of Apollo iOS 1 that this package does not have. The compiler says what to write instead. If an app
// would be less safe without noticing, using the declaration is an error.

extension WebSocket {
  /// Makes a socket. Deprecated: leave out `writeQueueQOS`, because there is no queue for writing.
  @available(*, deprecated, message: "There is no queue to write on: leave out 'writeQueueQOS'.")
  public convenience init(url: URL, writeQueueQOS: QualityOfService, protocol: WSProtocol) {
    self.init(url: url, protocol: `protocol`)
  }

  /// Makes a socket. Deprecated: leave out `writeQueueQOS`, because there is no queue for writing.
  @available(*, deprecated, message: "There is no queue to write on: leave out 'writeQueueQOS'.")
  public convenience init(request: URLRequest, writeQueueQOS: QualityOfService, protocol: WSProtocol) {
    self.init(request: request, protocol: `protocol`)
  }

  /// Not available: pin certificates in the engine.
  @available(
    *, unavailable,
    message:
      "Pin certificates in the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(verify:))'."
  )
  public var security: Any? {
    get { nil }
    set {}
  }

  /// Not available: give the engine the client certificate.
  @available(
    *, unavailable,
    message:
      "Give the certificate to the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(certificateChain:privateKey:))'."
  )
  public var sslClientCertificate: Any? {
    get { nil }
    set {}
  }

  /// Not available: give the engine the certificates to trust.
  @available(
    *, unavailable,
    message:
      "Trust a server's certificate in the delegate of a URLSession: 'WebSocket(request:protocol:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(trustRoots:))'."
  )
  public var disableSSLCertValidation: Bool {
    get { false }
    set {}
  }

  /// Always false: messages are not compressed.
  @available(*, deprecated, message: "Messages are not compressed: leave it out.")
  public var enableCompression: Bool {
    get { false }
    set {}
  }

  /// Always true: pings are answered.
  @available(*, deprecated, message: "Pings are always answered: leave it out.")
  public var respondToPingWithPong: Bool {
    get { true }
    set {}
  }

  /// Always nil, and never called.
  @available(
    *, deprecated,
    message:
      "It is never called. The status of a handshake that failed is in 'WebSocketError.ErrorKind.upgradeError(code:)'."
  )
  public var onHttpResponseHeaders: (([String: String]) -> Void)? {
    get { nil }
    set {}
  }

  /// An error of a socket in Apollo iOS 1. It is never thrown.
  @available(
    *, deprecated,
    message:
      "Errors are a WebSocketError; its 'kind' has the code: '.upgradeError(code:)', '.closed(code:reason:)', '.secureConnection(reason:)'."
  )
  public struct WSError: LocalizedError {
    /// What failed, in Apollo iOS 1.
    public enum ErrorType: Hashable, Sendable {
      case outputStreamWriteError, compressionError, invalidSSLError, writeTimeoutError, protocolError, upgradeError
      case closeError
    }

    /// What failed.
    public let type: ErrorType
    /// A description of the error.
    public let message: String
    /// A code for the error.
    public let code: Int

    /// Makes an error.
    public init(type: ErrorType, message: String, code: Int) {
      (self.type, self.message, self.code) = (type, message, code)
    }

    /// The description of the error.
    public var errorDescription: String? { message }
  }
}

extension WebSocketTransport {
  /// Always false: the system's proxy settings, or those of a URLSession, are used.
  @available(
    *, deprecated,
    message:
      "There is no SOCKS proxy of the transport's own. Apple's systems use that of the system, or the 'connectionProxyDictionary' of a URLSession: 'WebSocketTransport(url:engine: URLSessionWebSocketEngine(session:))'."
  )
  public var enableSOCKSProxy: Bool {
    get { false }
    set {}
  }

  /// Not available: pin certificates in the engine.
  @available(
    *, unavailable,
    message:
      "Pin certificates in the delegate of a URLSession: 'WebSocketTransport(url:engine: URLSessionWebSocketEngine(session:))'; on Linux with 'NIOWebSocketEngine(tls: WebSocketTLS(verify:))'."
  )
  public var security: Any? {
    get { nil }
    set {}
  }
}
