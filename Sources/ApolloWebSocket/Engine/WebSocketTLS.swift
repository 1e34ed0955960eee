/// Whom a secure connection (`wss`) trusts, and how this side proves who it is.
///
/// For ``NIOWebSocketEngine``. It needs the package's trait `WebSocketTLS`, which adds SwiftNIO's TLS to the build.
public struct WebSocketTLS: Hashable, Sendable {
  /// Certificates, or a key, in the format PEM.
  public enum PEM: Hashable, Sendable {
    case file(String)
    case bytes([UInt8])
  }

  /// Who may vouch for a server; nil, the default, for the authorities that the system trusts.
  public var trustRoots: PEM?
  /// What this side shows a server that asks for it: its certificate, followed by those that vouch for it.
  public var certificateChain: PEM?
  /// The key of that certificate.
  public var privateKey: PEM?

  public init(trustRoots: PEM? = nil, certificateChain: PEM? = nil, privateKey: PEM? = nil) {
    self.trustRoots = trustRoots
    self.certificateChain = certificateChain
    self.privateKey = privateKey
  }
}
