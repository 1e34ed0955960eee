public import Apollo
package import ApolloAPI
package import ApolloCache
public import Foundation

/// Sends subscriptions over a WebSocket and everything else over HTTP.
///
///     let http = RequestChainNetworkTransport(…)
///     let socket = WebSocketTransport(url: URL(string: "wss://example.com/graphql")!, store: store)
///     let client = ApolloClient(
///       networkTransport: SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: socket),
///       store: store)
public final class SplitNetworkTransport: UploadingNetworkTransport, RoutingTransport, Sendable {
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

  package func transport<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> any NetworkTransport {
    // Files go over HTTP, whatever the operation.
    if call.files != nil { return http }
    return usesWebSocket(Operation.operationType, Operation.operationName) ? webSocket : http
  }

  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(
      OperationCall(
        sent: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context), over: self
    ).send(on: callbackQueue, to: completionHandler)
  }

  /// Files go over HTTP, whatever the operation.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil,
    callbackQueue: DispatchQueue = .main, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(
      OperationCall(sent: operation, context: context, files: files), over: self
    ).send(on: callbackQueue, to: completionHandler)
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

extension SplitNetworkTransport: StoreUsing {
  /// The cache that either of the two transports has.
  package var store: ApolloStore? {
    [http, webSocket].lazy.compactMap { ($0 as? any StoreUsing)?.store }.first
  }

  package func use(_ store: ApolloStore) {
    for transport in [http, webSocket] { (transport as? any StoreUsing)?.use(store) }
  }
}
