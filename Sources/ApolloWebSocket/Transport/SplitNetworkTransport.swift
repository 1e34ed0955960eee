public import Apollo
package import ApolloAPI
public import ApolloCache
public import Foundation

/// Sends subscriptions over a WebSocket and everything else over HTTP.
///
///     let http = RequestChainNetworkTransport(…)
///     let socket = WebSocketTransport(url: URL(string: "wss://example.com/graphql")!, store: store)
///     let client = ApolloClient(
///       networkTransport: SplitNetworkTransport(uploadingNetworkTransport: http, webSocketNetworkTransport: socket),
///       store: store)
public final class SplitNetworkTransport: UploadingNetworkTransport, RoutingTransport, Sendable {
  // Safe: two objects of an app (see Handoff).
  nonisolated(unsafe) private let transports: (http: any NetworkTransport, webSocket: any NetworkTransport)
  private let usesWebSocket: @Sendable (GraphQLOperationType, String) -> Bool

  /// Makes a transport of two others.
  ///
  /// - Parameters:
  ///   - uploadingNetworkTransport: The transport over HTTP, which also sends files.
  ///   - webSocketNetworkTransport: The transport over a WebSocket.
  ///   - usesWebSocket: Decides by the type and the name of an operation whether it uses the WebSocket. By default,
  ///     subscriptions do.
  public init(
    uploadingNetworkTransport: any NetworkTransport, webSocketNetworkTransport: any NetworkTransport,
    usesWebSocket: @escaping @Sendable (GraphQLOperationType, String) -> Bool = { type, _ in type == .subscription }
  ) {
    transports = (uploadingNetworkTransport, webSocketNetworkTransport)
    self.usesWebSocket = usesWebSocket
  }

  private var http: any NetworkTransport { transports.http }
  private var webSocket: any NetworkTransport { transports.webSocket }

  package func transport<Operation: GraphQLOperation>(for call: OperationCall<Operation>) -> any NetworkTransport {
    // Files are sent over HTTP, whatever the operation.
    if call.files != nil { return http }
    return usesWebSocket(Operation.operationType, Operation.operationName) ? webSocket : http
  }

  /// Sends an operation over one of the two transports, and calls a handler with each result or with the error that
  /// ended it.
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

  /// Sends an operation with files over HTTP, and calls a handler with the result or with the error.
  public func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil,
    callbackQueue: DispatchQueue = .main, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(
      OperationCall(sent: operation, context: context, files: files), over: self
    ).send(on: callbackQueue, to: completionHandler)
  }

  /// The name of the app: that of both transports if they agree, and otherwise a text with both names.
  public var clientName: String {
    http.clientName == webSocket.clientName
      ? http.clientName : "SPLIT_HTTPNAME_\(http.clientName)_WEBSOCKETNAME_\(webSocket.clientName)"
  }

  /// The version of the app: that of both transports if they agree, and otherwise a text with both versions.
  public var clientVersion: String {
    http.clientVersion == webSocket.clientVersion
      ? http.clientVersion
      : "SPLIT_HTTPVERSION_\(http.clientVersion)_WEBSOCKETVERSION_\(webSocket.clientVersion)"
  }
}

extension SplitNetworkTransport: ClientAwareTransport {
  package var clientAwarenessMetadata: ClientAwarenessMetadata {
    get {
      (http as? any ClientAwareTransport)?.clientAwarenessMetadata
        ?? ClientAwarenessMetadata(clientApplicationName: clientName, clientApplicationVersion: clientVersion)
    }
    set {
      for transport in [http, webSocket] {
        (transport as? any ClientAwareTransport)?.clientAwarenessMetadata = newValue
      }
    }
  }

  package func endLibraryAwareness() {
    for transport in [http, webSocket] { (transport as? any ClientAwareTransport)?.endLibraryAwareness() }
  }
}

extension SplitNetworkTransport: UserForgetting {
  /// Has both transports forget the user, as far as they can.
  public func forgetUser() async throws {
    var failure: (any Error)?
    for transport in [http, webSocket] {
      do { try await (transport as? any UserForgetting)?.forgetUser() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}

extension SplitNetworkTransport: ClientTransport {
  /// The cache of the first of the two transports that has one.
  package var store: ApolloStore? {
    [http, webSocket].lazy.compactMap { ($0 as? any ClientTransport)?.store }.first
  }

  package func join(_ client: ExchangePolicies, _ store: ApolloStore) {
    for transport in [http, webSocket] { (transport as? any ClientTransport)?.join(client, store) }
  }
}
