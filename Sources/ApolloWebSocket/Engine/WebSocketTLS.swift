/// The certificates that secure connections (`wss`) trust, and those with which the client identifies itself.
///
/// It is for ``NIOWebSocketEngine``, and needs the package's trait `WebSocketTLS`, which adds SwiftNIO's TLS to the
/// build.
public struct WebSocketTLS: Hashable, Sendable {
  /// Certificates or a key in the format PEM (RFC 7468).
  public enum PEM: Hashable, Sendable {
    /// The path of a file.
    case file(String)
    /// The contents of a file.
    case bytes([UInt8])
  }

  /// The certificates of the authorities that may sign a server's certificate. nil, the default: those that the system
  /// trusts.
  public var trustRoots: PEM?
  /// The client's certificate, followed by those that signed it, for servers that ask for it. nil, the default: none.
  public var certificateChain: PEM?
  /// The private key of the client's certificate. nil, the default: none.
  public var privateKey: PEM?

  /// Makes a choice of certificates.
  ///
  /// - Parameters:
  ///   - trustRoots: The certificates of trusted authorities. nil, the default: those of the system.
  ///   - certificateChain: The client's certificate and those that signed it. nil, the default: none.
  ///   - privateKey: The private key of the client's certificate. nil, the default: none.
  public init(trustRoots: PEM? = nil, certificateChain: PEM? = nil, privateKey: PEM? = nil) {
    self.trustRoots = trustRoots
    self.certificateChain = certificateChain
    self.privateKey = privateKey
  }
}
