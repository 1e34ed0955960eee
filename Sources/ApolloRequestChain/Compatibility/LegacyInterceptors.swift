public import ApolloHTTP
public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Names of the first releases of Apollo iOS with a request chain, for what has been renamed since.

/// Makes the cache key of an object of a response. nil for an object without a key, which belongs to the field that has
/// it.
public typealias CacheKeyForObject = @Sendable (JSONObject) -> JSONValue?

/// The name of ``RequestBodyCreator`` in Apollo iOS 0.x.
public typealias RequestCreator = RequestBodyCreator
/// The name of ``ApolloRequestBodyCreator`` in Apollo iOS 0.x.
public typealias ApolloRequestCreator = ApolloRequestBodyCreator

/// The name of ``CacheReadInterceptor`` in Apollo iOS 0.3x and 0.4x.
public typealias LegacyCacheReadInterceptor = CacheReadInterceptor
/// The name of ``CacheWriteInterceptor`` in Apollo iOS 0.3x and 0.4x.
public typealias LegacyCacheWriteInterceptor = CacheWriteInterceptor

extension CacheWriteInterceptor {
  /// The name of ``CacheWriteError`` in Apollo iOS 0.3x and 0.4x.
  public typealias LegacyCacheWriteError = CacheWriteError
}

/// Reads the body of a response. ``JSONResponseParsingInterceptor`` does the work.
public struct LegacyParsingInterceptor: StepInterceptor {
  /// Why a body cannot be read.
  public enum LegacyParsingError: ApolloError {
    /// No interceptor before this one has fetched a response.
    case noResponseToParse
    /// The body is not JSON.
    case couldNotParseToLegacyJSON(data: Data)

    /// The kind of this error: ``ApolloErrorCode/configuration`` or ``ApolloErrorCode/invalidResponse``.
    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse: .configuration
      case .couldNotParseToLegacyJSON: .invalidResponse
      }
    }

    /// One sentence that says what went wrong.
    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .couldNotParseToLegacyJSON(let data): "The response is not JSON: \(data.excerpt)"
      }
    }
  }

  /// Makes the keys under which the cache keeps objects; nil: the keys of the schema.
  public var cacheKeyForObject: CacheKeyForObject? {
    didSet { parser = JSONResponseParsingInterceptor(cacheKeyForObject: cacheKeyForObject) }
  }
  private var parser: JSONResponseParsingInterceptor

  /// Makes an interceptor.
  ///
  /// - Parameter cacheKeyForObject: Makes the keys under which the cache keeps objects. nil, the default: the keys of
  ///   the schema.
  public init(cacheKeyForObject: CacheKeyForObject? = nil) {
    self.cacheKeyForObject = cacheKeyForObject
    parser = JSONResponseParsingInterceptor(cacheKeyForObject: cacheKeyForObject)
  }

  package func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw LegacyParsingError.noResponseToParse }
    do {
      return try await parser.intercept(passage, response)
    } catch JSONResponseParsingInterceptor.JSONResponseParsingError.couldNotParseToJSON(let data) {
      throw LegacyParsingError.couldNotParseToLegacyJSON(data: data)
    }
  }
}

/// The name of ``DefaultInterceptorProvider`` in Apollo iOS 0.3x and 0.4x.
open class LegacyInterceptorProvider: DefaultInterceptorProvider {
  /// Makes a provider.
  ///
  /// - Parameters:
  ///   - client: Sends the requests.
  ///   - shouldInvalidateClientOnDeinit: Whether the client is invalidated when the provider is released. The default
  ///     is true.
  ///   - store: The cache. By default a new one in memory.
  public override init(
    client: URLSessionClient = URLSessionClient(), shouldInvalidateClientOnDeinit: Bool = true,
    store: ApolloStore = ApolloStore()
  ) {
    super.init(client: client, shouldInvalidateClientOnDeinit: shouldInvalidateClientOnDeinit, store: store)
  }
}

extension RequestChainNetworkTransport {
  /// Makes a transport. `requestBodyCreator` is called `requestCreator` here, as in Apollo iOS 0.x.
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
  /// Why a chain cannot run an operation; see ``InterceptorRequestChain/ChainError``.
  public typealias ChainError = InterceptorRequestChain.ChainError

  /// True until the chain is cancelled.
  public var isNotCancelled: Bool { !isCancelled }
}
