import Apollo
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ApolloClient.Configuration.HTTP {
  /// The engine of a client that is given none: one that trusts the servers that the client trusts over HTTP.
  func webSocketEngine(_ limits: WebSocketLimits) -> any WebSocketEngine {
    #if canImport(Darwin)
      switch session {
      case nil: return URLSessionWebSocketEngine(.own(OwnSession(sessionConfiguration.forWebSockets)), limits)
      case let session as URLSession: return URLSessionWebSocketEngine(session: session, limits: limits)
      case let client as URLSessionClient: return URLSessionWebSocketEngine(client: client, limits: limits)
      case let session?: return engine(like: session, limits)
      }
    #else
      // Foundation on Linux has no choice of the servers that are trusted.
      guard let session, !(session is URLSession), !(session is URLSessionClient) else {
        return WebSocketTransport.defaultEngine(limits)
      }
      return engine(like: session, limits)
    #endif
  }

  private func engine(like session: any ApolloURLSession, _ limits: WebSocketLimits) -> any WebSocketEngine {
    if let session = session as? any TrustingSession, session.trustsAsTheSystem {
      return WebSocketTransport.defaultEngine(limits)
    }
    return PlainEngine(engine: WebSocketTransport.defaultEngine(limits), session: "\(type(of: session))")
  }
}

/// An engine for connections without TLS only, because over HTTP the app decides which servers are trusted.
private struct PlainEngine: WebSocketEngine {
  let engine: any WebSocketEngine
  /// The type that sends requests over HTTP.
  let session: String

  func connect(
    to url: URL, headers: [String: String], subprotocols: [String]
  ) async throws -> any WebSocketConnection {
    guard url.scheme != "wss" else {
      throw WebSocketError(
        .unsupportedURL(
          "'http.session' (\(session)) may refuse servers that the WebSocket would accept. Pass 'engine:' with "
            + "'webSocketURL:': \(Self.choices)."))
    }
    return try await engine.connect(to: url, headers: headers, subprotocols: subprotocols)
  }

  #if canImport(Darwin)
    private static let choices =
      "'URLSessionWebSocketEngine(session:)' with a delegate that refuses the same servers, or 'URLSessionWebSocketEngine()' "
      + "to trust what the system trusts"
  #else
    private static let choices =
      "'NIOWebSocketEngine(tls: WebSocketTLS(verify:))' to refuse the same servers, or 'NIOWebSocketEngine()' to trust "
      + "what the system trusts"
  #endif
}

#if canImport(Darwin)
  extension URLSessionConfiguration {
    /// The configuration, with times that suit a connection rather than a request.
    fileprivate var forWebSockets: URLSessionConfiguration {
      guard let copy = copy() as? URLSessionConfiguration else { return self }
      copy.timeoutIntervalForRequest = max(timeoutIntervalForRequest, 60)
      // Foundation's default.
      copy.timeoutIntervalForResource = max(timeoutIntervalForResource, 7 * 24 * 3600)
      return copy
    }
  }
#endif
