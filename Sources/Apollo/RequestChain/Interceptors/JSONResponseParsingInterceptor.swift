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

    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse: .configuration
      case .couldNotParseToJSON: .invalidResponse
      }
    }

    public var message: String {
      switch self {
      case .noResponseToParse: "There is no response to parse: an interceptor that fetches it must come before."
      case .couldNotParseToJSON(let data): "The response is not JSON: \(data.excerpt)"
      }
    }
  }

  private let identity: ObjectIdentity
  private let maximumDepth: Int

  /// - Parameters:
  ///   - cacheKeyForObject: Makes the keys under which the cache keeps objects; see `ApolloStore.cacheKeyForObject`.
  ///   - maximumDepth: How many objects and lists of a response may be nested, at most 2,048.
  public init(
    cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)? = nil,
    maximumDepth: Int = ResponseReader.defaultMaximumDepth
  ) {
    identity = ObjectIdentity(cacheKeyForObject: cacheKeyForObject)
    self.maximumDepth = maximumDepth
  }

  public func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw JSONResponseParsingError.noResponseToParse }
    try check(response)
    do throws(ResponseDecodingError) {
      let contents = try ResponseParser.parse(
        response.rawData, of: request.operation, makesRecords: request.cachePolicy != .fetchIgnoringCacheCompletely,
        identity: identity, maximumDepth: maximumDepth)
      response.parsedResponse = contents.result
      response.records = contents.records
    } catch {
      throw OperationError(
        .invalidResponse, error.message + Self.place(response.httpResponse), operationName: Operation.operationName,
        path: error.path, httpStatus: response.httpResponse.statusCode, cause: error)
    }
    return .proceed(response)
  }

  /// Refuses what cannot be a GraphQL response, before it is a mere syntax error (GraphQL over HTTP, section 6).
  private func check<Operation: GraphQLOperation>(_ response: HTTPResponse<Operation>) throws {
    if response.rawData.first == UInt8(ascii: "{"), response.pieces == nil { return }
    let http = response.httpResponse
    let problem: String
    let firstByte = response.rawData.prefix(1024).first { !" \t\r\n".utf8.contains($0) && $0 < 0x80 }
    if response.pieces != nil {
      problem =
        "The response comes in parts, which no interceptor before this one reads: MultipartResponseParsingInterceptor does."
    } else if firstByte == nil, response.rawData.count < 1024 {
      problem = "The server answered with HTTP status \(http.statusCode) and an empty body"
    } else if firstByte != UInt8(ascii: "{"), let type = http.mediaType, !type.isJSON, !http.isStream {
      // Some servers label JSON as text, so what looks like JSON is read as JSON.
      problem = "The server answered with \(type.type), not with JSON: \(response.rawData.excerpt)"
    } else {
      return
    }
    throw OperationError(
      .invalidResponse, problem + Self.place(http), operationName: Operation.operationName,
      httpStatus: http.statusCode, cause: JSONResponseParsingError.couldNotParseToJSON(data: response.rawData))
  }

  private static func place(_ response: HTTPURLResponse) -> String {
    response.url.map { " [\($0.placeDescription)]" } ?? ""
  }
}
