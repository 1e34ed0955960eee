public import ApolloAPI
public import ApolloCache
public import Foundation

// The names of the first releases with a request chain, for what has other names since.

/// Makes the key of an object of a response; nil for one that belongs to the field it stands in.
public typealias CacheKeyForObject = @Sendable (JSONObject) -> JSONValue?

public typealias RequestCreator = RequestBodyCreator
public typealias ApolloRequestCreator = ApolloRequestBodyCreator

public typealias LegacyCacheReadInterceptor = CacheReadInterceptor
public typealias LegacyCacheWriteInterceptor = CacheWriteInterceptor

/// Reads the body: see ``JSONResponseParsingInterceptor``.
public struct LegacyParsingInterceptor: ChainStep {
  public enum LegacyParsingError: ApolloError {
    case noResponseToParse
    case couldNotParseToLegacyJSON(data: Data)

    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse: .configuration
      case .couldNotParseToLegacyJSON: .invalidResponse
      }
    }

    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .couldNotParseToLegacyJSON(let data): "The response is not JSON: \(data.excerpt)"
      }
    }
  }

  private let parser: JSONResponseParsingInterceptor

  /// - Parameter cacheKeyForObject: Makes the keys under which the cache keeps objects.
  public init(cacheKeyForObject: CacheKeyForObject? = nil) {
    parser = JSONResponseParsingInterceptor(cacheKeyForObject: cacheKeyForObject)
  }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw LegacyParsingError.noResponseToParse }
    do {
      return try await parser.intercept(request: request, response: response)
    } catch JSONResponseParsingInterceptor.JSONResponseParsingError.couldNotParseToJSON(let data) {
      throw LegacyParsingError.couldNotParseToLegacyJSON(data: data)
    }
  }
}

/// The default interceptors under their earlier name.
open class LegacyInterceptorProvider: DefaultInterceptorProvider {
  public init(
    client: URLSessionClient = URLSessionClient(), shouldInvalidateClientOnDeinit: Bool = true,
    store: ApolloStore = ApolloStore()
  ) {
    super.init(client: client, shouldInvalidateClientOnDeinit: shouldInvalidateClientOnDeinit, store: store)
  }
}

extension RequestChainNetworkTransport {
  /// The initializer with the earlier name of `requestBodyCreator`.
  public convenience init(
    interceptorProvider: any InterceptorProvider, endpointURL: URL, additionalHeaders: [String: String] = [:],
    autoPersistQueries: Bool = false, requestCreator: any RequestCreator, useGETForQueries: Bool = false,
    useGETForPersistedQueryRetry: Bool = false
  ) {
    self.init(
      interceptorProvider: interceptorProvider, endpointURL: endpointURL, additionalHeaders: additionalHeaders,
      autoPersistQueries: autoPersistQueries, requestBodyCreator: requestCreator, useGETForQueries: useGETForQueries,
      useGETForPersistedQueryRetry: useGETForPersistedQueryRetry)
  }
}

extension RequestChain {
  public var isNotCancelled: Bool { !isCancelled }
}
