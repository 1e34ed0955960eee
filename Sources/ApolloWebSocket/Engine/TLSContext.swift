#if canImport(NIOCore) && !canImport(Darwin)
  import Apollo
  import ApolloAPI
  import NIOCore

  #if WebSocketTLS
    import Foundation
    import NIOSSL
  #endif

  /// The settings that secure connections share. They are made once, because reading the system's certificates takes
  /// some 50 ms.
  final class TLSContext: Sendable {
    private let settings: WebSocketTLS

    init(_ settings: WebSocketTLS) { self.settings = settings }

    #if WebSocketTLS
      private let context = Locked<NIOSSLContext?>(nil)

      /// Makes a handler that encrypts a connection and checks that the server is `host`.
      func makeHandler(for host: String) throws -> NIOSSLClientHandler {
        do {
          let context = try context.withLock { context in
            let made = try context ?? NIOSSLContext(configuration: configuration())
            context = made
            return made
          }
          // A server of which only the address is known is asked for a certificate of that address.
          let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
          return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host)
        } catch {
          throw WebSocketError.wrap(error, as: .secureConnection(reason: Self.reason(error)))
        }
      }

      private func configuration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion =
          switch settings.minimumVersion {
          case .v1_2: .tlsv12
          case .v1_3: .tlsv13
          }
        if let roots = settings.trustRoots { configuration.trustRoots = .certificates(try Self.certificates(roots)) }
        if let chain = settings.certificateChain {
          configuration.certificateChain = try Self.certificates(chain).map { .certificate($0) }
        }
        if let key = settings.privateKey { configuration.privateKey = .privateKey(try Self.key(key)) }
        return configuration
      }

      private static func certificates(_ pem: WebSocketTLS.PEM) throws -> [NIOSSLCertificate] {
        let certificates =
          switch pem {
          case .file(let path): try reading(path) { try NIOSSLCertificate.fromPEMFile(path) }
          case .bytes(let bytes): try NIOSSLCertificate.fromPEMBytes(bytes)
          }
        guard !certificates.isEmpty else {
          throw WebSocketError(.secureConnection(reason: "there is no certificate in what the app gives as one"))
        }
        return certificates
      }

      private static func key(_ pem: WebSocketTLS.PEM) throws -> NIOSSLPrivateKey {
        switch pem {
        case .file(let path): try reading(path) { try NIOSSLPrivateKey(file: path, format: .pem) }
        case .bytes(let bytes): try NIOSSLPrivateKey(bytes: bytes, format: .pem)
        }
      }

      private static func reading<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
        do {
          return try read()
        } catch {
          throw WebSocketError(.secureConnection(reason: "the file \(path) cannot be used"), error: error)
        }
      }

      /// Lets the app decide about a server.
      ///
      /// - Throws: ``WebSocketError`` if the app does not accept it.
      func verify(_ certificate: NIOSSLCertificate?, of host: String) throws {
        guard let verify = settings.verify else { return }
        do {
          guard let certificate else {
            throw WebSocketError(.secureConnection(reason: "the server has no certificate"))
          }
          try verify(
            WebSocketTLS.ServerCertificate(
              host: host, bytes: certificate.toDERBytes(), publicKey: certificate.extractPublicKey().toSPKIBytes()))
        } catch {
          throw WebSocketError(
            .secureConnection(reason: "the app does not accept the server's certificate (\(error))"), error: error)
        }
      }

      /// The error for one of TLS; nil for an error of the network below it.
      static func failure(_ error: any Error) -> WebSocketError? {
        if let error = error as? WebSocketError { return error }
        return isFailure(error) ? WebSocketError(.secureConnection(reason: reason(error)), error: error) : nil
      }

      private static func isFailure(_ error: any Error) -> Bool {
        switch error {
        case NIOSSLError.uncleanShutdown: false
        // This text is the only sign that the other side ended the connection.
        case NIOSSLError.handshakeFailed(let reason) where "\(reason)".contains("EOF during handshake"): false
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: true
        default: false
        }
      }

      /// The reason in words, followed by the library's own name for it.
      static func reason(_ error: any Error) -> String {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
          return "the server's certificate is for another host"
        }
        let text = String(describing: error)
        let name =
          text.range(of: "OPENSSL_internal:").map { range in
            String(text[range.upperBound...].prefix { $0.isUppercase || $0.isNumber || $0 == "_" })
          } ?? text
        return meanings[name].map { "\($0) (\(name))" } ?? name
      }

      private static let meanings = [
        "CERTIFICATE_VERIFY_FAILED":
          "the server's certificate has expired, or comes from an issuer that is not trusted",
        "WRONG_VERSION_NUMBER": "the server does not speak TLS at this address",
        "TLSV1_ALERT_CERTIFICATE_REQUIRED": "the server asks for a certificate of the client",
        "TLSV1_CERTIFICATE_REQUIRED": "the server asks for a certificate of the client",
        "TLSV1_ALERT_UNKNOWN_CA": "the server does not trust the client's certificate",
        "TLSV1_ALERT_BAD_CERTIFICATE": "the server does not take the client's certificate",
        "UNSUPPORTED_PROTOCOL": "the server speaks only versions of TLS that are too old",
        "TLSV1_ALERT_PROTOCOL_VERSION": "the server speaks only versions of TLS that are too old",
        "KEY_VALUES_MISMATCH": "the key is not the one of the certificate",
        "failedToLoadPrivateKey": "the key is not the one of the certificate, or cannot be read",
        "failedToLoadCertificate": "there is no certificate in what the app gives as one",
      ]
    #endif
  }
#endif
