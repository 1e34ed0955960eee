import Apollo
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Subclasses of apps that override the initializer of their base class, in the forms of several releases.

/// As of releases 0.34 to 1.21.
public nonisolated final class NamedTransport: RequestChainNetworkTransport {
  public override init(
    interceptorProvider: InterceptorProvider, endpointURL: URL, additionalHeaders: [String: String] = [:],
    autoPersistQueries: Bool = false, requestBodyCreator: RequestBodyCreator = ApolloRequestBodyCreator(),
    useGETForQueries: Bool = false, useGETForPersistedQueryRetry: Bool = false
  ) {
    super.init(
      interceptorProvider: interceptorProvider, endpointURL: endpointURL,
      additionalHeaders: additionalHeaders.merging(["X-App": "pieces"]) { given, _ in given },
      autoPersistQueries: autoPersistQueries, requestBodyCreator: requestBodyCreator,
      useGETForQueries: useGETForQueries, useGETForPersistedQueryRetry: useGETForPersistedQueryRetry)
  }
}

/// As of releases 0.45 to 1.25.
public nonisolated final class LoggedProvider: DefaultInterceptorProvider {
  public override init(
    client: URLSessionClient = PlainSessionClient(), shouldInvalidateClientOnDeinit: Bool = true, store: ApolloStore
  ) {
    super.init(client: client, shouldInvalidateClientOnDeinit: shouldInvalidateClientOnDeinit, store: store)
  }
}

/// As of releases 0.34 to 0.41.
public nonisolated final class OlderProvider: LegacyInterceptorProvider {
  public override init(
    client: URLSessionClient = PlainSessionClient(), shouldInvalidateClientOnDeinit: Bool = true,
    store: ApolloStore = ApolloStore()
  ) {
    super.init(client: client, shouldInvalidateClientOnDeinit: shouldInvalidateClientOnDeinit, store: store)
  }
}

/// As of releases 0.27 to 0.53.
public nonisolated final class PlainSessionClient: URLSessionClient {
  public override init(
    sessionConfiguration: URLSessionConfiguration = .ephemeral, callbackQueue: OperationQueue? = nil
  ) {
    super.init(sessionConfiguration: sessionConfiguration, callbackQueue: callbackQueue)
  }
}

/// As of releases 1.0 to 1.25.
public nonisolated final class DescribedSessionClient: URLSessionClient {
  public override init(
    sessionConfiguration: URLSessionConfiguration = .ephemeral, callbackQueue: OperationQueue? = nil,
    sessionDescription: String? = "pieces"
  ) {
    super.init(
      sessionConfiguration: sessionConfiguration, callbackQueue: callbackQueue, sessionDescription: sessionDescription)
  }
}
