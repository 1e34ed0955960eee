#if AsyncHTTP
  import AsyncHTTPClient
  import NIOCore
  import NIOSSL

  extension TLSConfiguration {
    /// The configuration with TLS 1.2 as the oldest version, unless it demands more.
    var withoutObsoleteVersions: TLSConfiguration {
      var configuration = self
      switch minimumTLSVersion {
      case .tlsv1, .tlsv11: configuration.minimumTLSVersion = .tlsv12
      case .tlsv12, .tlsv13: break
      }
      return configuration
    }

    /// Whether both accept the certificates of the same servers.
    func trusts(like other: TLSConfiguration) -> Bool {
      trustRoots == other.trustRoots && additionalTrustRoots == other.additionalTrustRoots
        && certificateVerification == other.certificateVerification
    }
  }

  /// The app does not accept a server.
  struct ServerRefusal: Error {
    /// Why, as the app says it.
    let reason: String
  }

  extension HTTPClient.Configuration {
    /// Lets the app decide about each server, after its certificate was found right and before a request is sent.
    mutating func verifyServers(_ verify: @escaping @Sendable (NIOSSLCertificate) throws -> Void) {
      http1_1ConnectionDebugInitializer = Self.verification(verify, before: http1_1ConnectionDebugInitializer)
      http2ConnectionDebugInitializer = Self.verification(verify, before: http2ConnectionDebugInitializer)
    }

    private static func verification(
      _ verify: @escaping @Sendable (NIOSSLCertificate) throws -> Void,
      before next: (@Sendable (any Channel) -> EventLoopFuture<Void>)?
    ) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
      { channel in
        do {
          guard let certificate = try? channel.pipeline.syncOperations.nioSSL_peerCertificate() else {
            throw ServerRefusal(reason: "there is none")
          }
          try verify(certificate)
        } catch {
          // The client only forgets a connection that fails here.
          channel.close(promise: nil)
          return channel.eventLoop.makeFailedFuture(error as? ServerRefusal ?? ServerRefusal(reason: "\(error)"))
        }
        return next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
      }
    }
  }
#endif
