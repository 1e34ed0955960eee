public import Apollo
public import Foundation

extension ApolloClient {
  /// A client that sends subscriptions over a WebSocket and everything else over HTTP, with one cache in memory.
  ///
  ///     let client = ApolloClient(
  ///       url: URL(string: "https://example.com/graphql")!, webSocketURL: URL(string: "wss://example.com/graphql")!)
  ///
  /// - Parameters:
  ///   - url: Where queries, mutations and uploads go.
  ///   - webSocketURL: Where subscriptions go; `https` means `wss`, and `http` means `ws`.
  ///   - webSocket: How the WebSocket connects. By default it does so with the first subscription.
  public convenience init(
    url: URL, webSocketURL: URL, webSocket: WebSocketTransport.Configuration = .init(connectOnInit: false)
  ) {
    self.init(configuration: Configuration(url: url), webSocketURL: webSocketURL, webSocket: webSocket)
  }

  /// A client that sends subscriptions over a WebSocket and everything else over HTTP, with one cache for both.
  ///
  /// The configuration's `authenticator`, client name and version are those of the WebSocket as well, unless `webSocket` has
  /// some itself. Its `http.additionalHeaders` are sent over HTTP only.
  ///
  /// - Parameters:
  ///   - configuration: All settings but those of the WebSocket.
  ///   - webSocketURL: Where subscriptions go; `https` means `wss`, and `http` means `ws`.
  ///   - webSocketHeaders: Sent with the handshake of each connection. By default there are none.
  ///   - webSocket: How the WebSocket connects. By default it does so with the first subscription.
  ///   - engine: Opens the connections; nil for ``WebSocketTransport/defaultEngine``.
  public convenience init(
    configuration: Configuration, webSocketURL: URL, webSocketHeaders: [String: String] = [:],
    webSocket: WebSocketTransport.Configuration = .init(connectOnInit: false), engine: (any WebSocketEngine)? = nil
  ) {
    let store = configuration.cache.makeStore()
    let socket = WebSocketTransport(
      url: webSocketURL, headers: webSocketHeaders, store: store, configuration: webSocket.filled(from: configuration),
      engine: engine)
    self.init(
      SplitNetworkTransport(
        uploadingNetworkTransport: configuration.makeTransport(store: store), webSocketNetworkTransport: socket),
      store, configuration.defaultRequestConfiguration, configuration.exchangePolicies)
  }
}

extension WebSocketTransport.Configuration {
  /// With what the client's configuration says for both transports, where this one has the default.
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
