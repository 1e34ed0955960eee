/// What secure connections (`wss`) demand of a server, and the certificate with which the client identifies itself.
///
/// It is for ``NIOWebSocketEngine``, and needs the package's trait `WebSocketTLS`, which adds SwiftNIO's TLS to the
/// build. A server's certificate is always checked: its signatures, its dates and its host.
public struct WebSocketTLS: Sendable {
  /// Certificates or a key in the format PEM (RFC 7468).
  public enum PEM: Hashable, Sendable {
    /// The path of a file.
    case file(String)
    /// The contents of a file.
    case bytes([UInt8])
  }

  /// A version of TLS. Older ones are not supported (RFC 8996).
  public enum Version: Hashable, Sendable {
    /// TLS 1.2 (RFC 5246).
    case v1_2
    /// TLS 1.3 (RFC 8446).
    case v1_3
  }

  /// The certificate of a server, whose signatures, dates and host were found right.
  public struct ServerCertificate: Hashable, Sendable {
    /// The host of the address that the client connects to.
    public let host: String
    /// The certificate (X.509) in the encoding DER.
    public let bytes: [UInt8]
    /// Its public key: the `SubjectPublicKeyInfo` of the certificate, in the encoding DER. It stays the same when a
    /// certificate is renewed with the same key.
    public let publicKey: [UInt8]
  }

  /// The certificates of the authorities that may sign a server's certificate. nil, the default: those that the system
  /// trusts.
  public var trustRoots: PEM?
  /// The client's certificate, followed by those that signed it, for servers that ask for it. nil, the default: none.
  public var certificateChain: PEM?
  /// The private key of the client's certificate. nil, the default: none.
  public var privateKey: PEM?
  /// The oldest version of TLS that is spoken. The default is TLS 1.2.
  public var minimumVersion: Version
  /// Decides about a server that is trusted otherwise: it throws to refuse it. Use it to accept known keys only (pinning).
  /// nil, the default: such a server is accepted.
  ///
  /// It is called for each connection, before anything of a request is sent. It is called on a thread of the network, so
  /// it must not wait.
  public var verify: (@Sendable (ServerCertificate) throws -> Void)?

  /// Makes a choice.
  ///
  /// - Parameters:
  ///   - trustRoots: The certificates of trusted authorities. nil, the default: those of the system.
  ///   - certificateChain: The client's certificate and those that signed it. nil, the default: none.
  ///   - privateKey: The private key of the client's certificate. nil, the default: none.
  ///   - minimumVersion: The oldest version of TLS that is spoken. The default is TLS 1.2.
  ///   - verify: Throws to refuse a server that is trusted otherwise. nil, the default: it is accepted.
  public init(
    trustRoots: PEM? = nil, certificateChain: PEM? = nil, privateKey: PEM? = nil, minimumVersion: Version = .v1_2,
    verify: (@Sendable (ServerCertificate) throws -> Void)? = nil
  ) {
    self.trustRoots = trustRoots
    self.certificateChain = certificateChain
    self.privateKey = privateKey
    self.minimumVersion = minimumVersion
    self.verify = verify
  }
}
