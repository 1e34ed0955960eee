#if AsyncHTTP
  import Apollo
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2
  import NIOHTTPCompression
  import NIOPosix
  import NIOSSL

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Translates the errors of the libraries to those of Foundation, which the rules for retries know.
  enum TransferError {
    /// The error of Foundation for an error of a library.
    ///
    /// - Parameters:
    ///   - error: The error of a library.
    ///   - url: The address that the request was sent to.
    /// - Returns: A `URLError`, a `CancellationError`, or the error itself.
    static func described(_ error: any Error, url: URL?) -> any Error {
      let meaning: Meaning
      switch error {
      case let error as URLError: meaning = (error.code, nil)
      case let error as HTTPClientError where error == .cancelled: return CancellationError()
      case let error as HTTPClientError where error == .alreadyShutdown:
        return URLSessionClient.URLSessionClientError.sessionInvalidated
      case let error as HTTPClientError: meaning = Self.meaning(of: error)
      case let error as NIOConnectionError: meaning = Self.meaning(of: error)
      case ChannelError.connectTimeout: meaning = (.timedOut, nil)
      case is ChannelError, is any NIOHTTP2Error: meaning = (.networkConnectionLost, nil)
      case let error as IOError: meaning = (isRefusal(error) ? .cannotConnectToHost : .networkConnectionLost, nil)
      case let error as HTTPParserError where error == .invalidEOFState: meaning = (.networkConnectionLost, nil)
      case is HTTPParserError: meaning = (.cannotParseResponse, "What the server sent is not HTTP (\(error))")
      case NIOHTTPDecompression.DecompressionError.limit:
        meaning = (.dataLengthExceedsMaximum, "The compressed response is larger than the client's limit")
      case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
        meaning = (.cannotDecodeContentData, "The compressed response cannot be decompressed (\(error))")
      case let error as ServerRefusal:
        meaning = (.serverCertificateUntrusted, "The app does not accept the server's certificate: \(error.reason)")
      case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: meaning = meaningOfTLS(error)
      default: return error
      }
      var userInfo: [String: Any] = [NSUnderlyingErrorKey: error]
      if let url { userInfo[NSURLErrorFailingURLErrorKey] = url }
      if let text = meaning.text { userInfo[NSLocalizedDescriptionKey] = text }
      return URLError(meaning.code, userInfo: userInfo)
    }

    private typealias Meaning = (code: URLError.Code, text: String?)

    private static func meaning(of error: HTTPClientError) -> Meaning {
      switch error {
      case .readTimeout, .writeTimeout, .connectTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
        .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
        (.timedOut, nil)
      case .remoteConnectionClosed, .requestStreamCancelled: (.networkConnectionLost, nil)
      case .redirectLimitReached, .redirectCycleDetected: (.httpTooManyRedirects, nil)
      case .proxyAuthenticationRequired: (.userAuthenticationRequired, "The proxy wants a name and a password")
      case .invalidProxyResponse: (.cannotConnectToHost, nil)
      case .invalidURL, .emptyHost, .emptyScheme, .missingSocketPath: (.badURL, "The address is not one of HTTP")
      case _ where error.shortDescription == "Unsupported scheme": (.unsupportedURL, "The address is not one of HTTP")
      default: (.unknown, "\(error)")
      }
    }

    private static func meaning(of error: NIOConnectionError) -> Meaning {
      if error.connectionErrors.isEmpty { return (.cannotFindHost, nil) }
      let isLate = error.connectionErrors.contains { failure in
        if case ChannelError.connectTimeout = failure.error { true } else { false }
      }
      return (isLate ? .timedOut : .cannotConnectToHost, nil)
    }

    private static func isRefusal(_ error: IOError) -> Bool {
      [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, ENOENT].contains(error.errnoCode)
    }

    private static func meaningOfTLS(_ error: any Error) -> Meaning {
      let text = "\(error)"
      switch error {
      case NIOSSLError.uncleanShutdown: return (.networkConnectionLost, nil)
      // This text is the only sign that the server closed the connection.
      case NIOSSLError.handshakeFailed where text.contains("EOF during handshake"):
        return (.networkConnectionLost, nil)
      case let error as NIOSSLExtraError where error == .failedToValidateHostname:
        return (.serverCertificateUntrusted, "The server's certificate is for another host")
      case _ where text.contains("CERTIFICATE_VERIFY_FAILED"):
        let reason = "The server's certificate has expired, or comes from an issuer that is not trusted"
        return (.serverCertificateUntrusted, "\(reason) (CERTIFICATE_VERIFY_FAILED)")
      case _ where text.contains("WRONG_VERSION_NUMBER"):
        return (.secureConnectionFailed, "The server does not speak TLS at this address (WRONG_VERSION_NUMBER)")
      case _ where text.contains("UNSUPPORTED_PROTOCOL") || text.contains("ALERT_PROTOCOL_VERSION"):
        return (.secureConnectionFailed, "The server speaks only versions of TLS that are too old")
      default: return (.secureConnectionFailed, "There is no secure connection: \(text)")
      }
    }
  }
#endif
