package import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import Foundation

/// Reads the body of a response to an operation with `@defer`. A name of Apollo iOS 1.10 and later.
///
/// ``JSONResponseParsingInterceptor`` does the work. ``MultipartResponseParsingInterceptor`` has joined the parts of
/// the response before.
public struct IncrementalJSONResponseParsingInterceptor: StepInterceptor {
  /// Why a body cannot be read.
  public enum ParsingError: ApolloError {
    /// No interceptor before this one has fetched a response.
    case noResponseToParse
    /// The body is not JSON, or not an object.
    case couldNotParseToJSON(data: Data)
    /// Never thrown: a part is joined to what came before it, whatever its type.
    case mismatchedCurrentResultType
    /// Never thrown: ``IncrementalResponse/DeliveryError`` tells which part does not fit, and why.
    case couldNotParseIncrementalJSON(json: JSONValue)

    /// The kind of this error: ``ApolloErrorCode/configuration`` or ``ApolloErrorCode/invalidResponse``.
    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse, .mismatchedCurrentResultType: .configuration
      case .couldNotParseToJSON, .couldNotParseIncrementalJSON: .invalidResponse
      }
    }

    /// One sentence that says what went wrong.
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

  /// Makes an interceptor.
  ///
  /// - Parameter cacheKeyForObject: Makes the keys under which the cache keeps objects. nil, the default: the keys of
  ///   the schema.
  public init(cacheKeyForObject: CacheKeyForObject? = nil) {
    parser = JSONResponseParsingInterceptor(cacheKeyForObject: cacheKeyForObject)
  }

  package func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw ParsingError.noResponseToParse }
    do {
      return try await parser.intercept(passage, response)
    } catch JSONResponseParsingInterceptor.JSONResponseParsingError.couldNotParseToJSON(let data) {
      throw ParsingError.couldNotParseToJSON(data: data)
    }
  }
}
