public import Apollo
public import Foundation

extension ApolloClient {
  /// Makes a client that sends subscriptions over a WebSocket and everything else over HTTP, with one cache in memory.
  ///
  ///     let client = ApolloClient(
  ///       url: URL(string: "https://example.com/graphql")!, webSocketURL: URL(string: "wss://example.com/graphql")!)
  ///
  /// - Parameters:
  ///   - url: The address for queries, mutations and uploads.
  ///   - webSocketURL: The address for subscriptions. `https` is read as `wss`, and `http` as `ws`.
  ///   - webSocket: How the WebSocket connects. By default it connects with the first subscription.
  public convenience init(
    url: URL, webSocketURL: URL, webSocket: WebSocketTransport.Configuration = .init(connectOnInit: false)
  ) {
    self.init(configuration: Configuration(url: url), webSocketURL: webSocketURL, webSocket: webSocket)
  }

  /// Makes a client that sends subscriptions over a WebSocket and everything else over HTTP, with one cache for both.
  ///
  /// The WebSocket uses the configuration's `authenticator`, client name and version, unless `webSocket` sets its own.
  /// The configuration's `http.additionalHeaders` are sent over HTTP only.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the client, except for those of the WebSocket.
  ///   - webSocketURL: The address for subscriptions. `https` is read as `wss`, and `http` as `ws`.
  ///   - webSocketHeaders: Header fields of the handshake of each connection. The default is none.
  ///   - webSocket: How the WebSocket connects. By default it connects with the first subscription.
  ///   - engine: Opens the connections. nil, the default: one that trusts the servers that `http` trusts. On Apple's
  ///     systems it uses `http.session` if that is a URL session or a `URLSessionClient`, whose delegate then answers
  ///     challenges for both, and otherwise a session with `http.sessionConfiguration`. If `http.session` is of another
  ///     type that may refuse servers, a secure connection needs this argument, and fails with an error that says so.
  public convenience init(
    configuration: Configuration, webSocketURL: URL, webSocketHeaders: [String: String] = [:],
    webSocket: WebSocketTransport.Configuration = .init(connectOnInit: false), engine: (any WebSocketEngine)? = nil
  ) {
    self.init(configuration) { http, store in
      let socket = WebSocketTransport(
        url: webSocketURL, headers: webSocketHeaders, store: store,
        configuration: webSocket.filled(from: configuration),
        engine: engine ?? configuration.http.webSocketEngine(webSocket.limits))
      http.own(webSocketURL)
      return SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: socket)
    }
  }
}

extension WebSocketTransport.Configuration {
  /// The configuration with settings of the client in place of defaults, for settings that both transports have.
  fileprivate func filled(from client: ApolloClient.Configuration) -> Self {
    var filled = self
    filled.authenticator = authenticator ?? client.authenticator
    if clientName == WebSocketTransport.defaultClientName { filled.clientName = client.http.clientName ?? clientName }
    if clientVersion == WebSocketTransport.defaultClientVersion {
      filled.clientVersion = client.http.clientVersion ?? clientVersion
    }
    return filled
  }
}
