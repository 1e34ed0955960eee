public import ApolloAPI
public import Foundation

/// Reads the body of an operation with `@defer`, under the name of release 1.10 of Apollo iOS.
///
/// ``JSONResponseParsingInterceptor`` reads every body: the parts of a response are put together before, by
/// ``MultipartResponseParsingInterceptor``.
public struct IncrementalJSONResponseParsingInterceptor: ChainStep {
  /// Why a body cannot be read.
  public enum ParsingError: ApolloError {
    /// No interceptor before this one has fetched a response.
    case noResponseToParse
    /// The body is not JSON, or not an object.
    case couldNotParseToJSON(data: Data)
    /// Not thrown here: a part is put together with what came before it, whatever that was.
    case mismatchedCurrentResultType
    /// Not thrown here: ``IncrementalDeliveryError`` tells which part does not fit, and why.
    case couldNotParseIncrementalJSON(json: JSONValue)

    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse, .mismatchedCurrentResultType: .configuration
      case .couldNotParseToJSON, .couldNotParseIncrementalJSON: .invalidResponse
      }
    }

    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .couldNotParseToJSON(let data): "The response is not a JSON object: \(data.excerpt)"
      case .mismatchedCurrentResultType: "The part belongs to a result of another type."
      case .couldNotParseIncrementalJSON(let json): "The part is not of the form of an incremental response: \(json)"
      }
    }
  }

  private let parser: JSONResponseParsingInterceptor

  /// - Parameter cacheKeyForObject: Makes the keys under which the cache keeps objects; see `ApolloStore.cacheKeyForObject`.
  public init(cacheKeyForObject: CacheKeyForObject? = nil) {
    parser = JSONResponseParsingInterceptor(cacheKeyForObject: cacheKeyForObject)
  }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw ParsingError.noResponseToParse }
    do {
      return try await parser.intercept(request: request, response: response)
    } catch JSONResponseParsingInterceptor.JSONResponseParsingError.couldNotParseToJSON(let data) {
      throw ParsingError.couldNotParseToJSON(data: data)
    }
  }
}
