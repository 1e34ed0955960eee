public import Apollo
import ApolloCache
public import Foundation

/// Sends subscriptions over a WebSocket and everything else over HTTP.
///
///     let http = RequestChainNetworkTransport(…)
///     let socket = WebSocketTransport(url: URL(string: "wss://example.com/graphql")!, store: store)
///     let client = ApolloClient(
///       networkTransport: SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: socket),
///       store: store)
public final class SplitNetworkTransport: SubscriptionNetworkTransport, UploadingNetworkTransport, Sendable {
  private let transports: Handoff<(http: any NetworkTransport, webSocket: any NetworkTransport)>
  private let usesWebSocket: @Sendable (GraphQLOperationType, String) -> Bool

  /// - Parameter usesWebSocket: Decides by the type and the name of an operation; by default for subscriptions.
  public init(
    uploadingNetworkTransport: any NetworkTransport, webSocketNetworkTransport: any NetworkTransport,
    usesWebSocket: @escaping @Sendable (GraphQLOperationType, String) -> Bool = { type, _ in type == .subscription }
  ) {
    transports = Handoff((uploadingNetworkTransport, webSocketNetworkTransport))
    self.usesWebSocket = usesWebSocket
  }

  private var http: any NetworkTransport { transports.value.http }
  private var webSocket: any NetworkTransport { transports.value.webSocket }

  private func transport<Operation: GraphQLOperation>(for _: Operation) -> any NetworkTransport {
    usesWebSocket(Operation.operationType, Operation.operationName) ? webSocket : http
  }

  public func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    transport(for: operation)
      .results(of: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
  }

  public func lastResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Operation.Data>? {
    try await transport(for: operation)
      .lastResult(of: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context)
  }

  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, context: (any RequestContext)? = nil
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    transport(for: subscription).subscriptionStream(to: subscription, context: context)
  }

  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    transport(for: operation)
      .send(
        operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
        callbackQueue: callbackQueue, completionHandler: completionHandler)
  }

  /// Files go over HTTP, whatever the operation.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil,
    callbackQueue: DispatchQueue = .main, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    results(ofUploading: operation, files: files, context: context)
      .deliver(on: callbackQueue, to: completionHandler)
  }

  public func results<Operation: GraphQLOperation>(
    ofUploading operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    guard let http = http as? any UploadingNetworkTransport else {
      return AsyncThrowingStream { $0.finish(throwing: ApolloClient.ApolloClientError.noUploadTransport) }
    }
    return http.results(ofUploading: operation, files: files, context: context)
  }

  /// The name that both transports have, or both names.
  public var clientName: String {
    http.clientName == webSocket.clientName
      ? http.clientName : "SPLIT_HTTPNAME_\(http.clientName)_WEBSOCKETNAME_\(webSocket.clientName)"
  }

  public var clientVersion: String {
    http.clientVersion == webSocket.clientVersion
      ? http.clientVersion
      : "SPLIT_HTTPVERSION_\(http.clientVersion)_WEBSOCKETVERSION_\(webSocket.clientVersion)"
  }
}

extension SplitNetworkTransport: ClientAwareTransport {
  package func endClientAwareness() {
    for transport in [http, webSocket] { (transport as? any ClientAwareTransport)?.endClientAwareness() }
  }
}
