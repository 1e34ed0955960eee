public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads the body: typed data, and records for the cache, in one pass.
public struct JSONResponseParsingInterceptor: AsyncInterceptor {
  public enum JSONResponseParsingError: ApolloError {
    case noResponseToParse
    case couldNotParseToJSON(data: Data)

    public var code: ApolloErrorCode { .invalidResponse }

    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .couldNotParseToJSON(let data):
        "The response is not JSON: \(String(decoding: data.prefix(120), as: UTF8.self))"
      }
    }
  }

  private let maximumDepth: Int

  /// - Parameter maximumDepth: How many objects and lists of a response may be nested, at most 2,048.
  public init(maximumDepth: Int = ResponseReader.defaultMaximumDepth) { self.maximumDepth = maximumDepth }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw JSONResponseParsingError.noResponseToParse }
    do throws(ResponseDecodingError) {
      let contents = try ResponseParser.parse(
        response.rawData, of: request.operation, makesRecords: request.cachePolicy != .fetchIgnoringCacheCompletely,
        maximumDepth: maximumDepth)
      response.parsedResponse = contents.result
      response.records = contents.records
    } catch {
      throw OperationError(
        .invalidResponse, error.message, operationName: Operation.operationName, path: error.path,
        httpStatus: response.httpResponse.statusCode, cause: error)
    }
    return .proceed(response)
  }
}
