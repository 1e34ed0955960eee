public import ApolloAPI
import ApolloCache
public import Foundation

/// Reads the body: typed data, and records for the cache, in one pass.
public struct JSONResponseParsingInterceptor: ChainStep {
  public enum JSONResponseParsingError: ApolloError {
    case noResponseToParse
    /// The body is not JSON, or not an object.
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
      case .couldNotParseToJSON(let data): Self.problem(of: data)
      }
    }

    private static func problem(of data: Data) -> String {
      let first = data.first { !" \t\r\n".utf8.contains($0) }
      guard let first else { return "The response is empty." }
      guard first == UInt8(ascii: "{") else { return "The response is not a JSON object: \(data.excerpt)" }
      do throws(ResponseDecodingError) {
        _ = try ResponseReader.jsonValue(ResponseBytes(data))
        return "The response could not be read: \(data.excerpt)"
      } catch {
        return error.message
      }
    }
  }

  /// Nil for that of the store that the result is for.
  private let identity: ObjectIdentity?
  private let maximumDepth: Int

  /// - Parameters:
  ///   - cacheKeyForObject: Makes the keys under which the cache keeps objects, in place of the rules of the store that the
  ///     result is written to; see `ApolloStore.cacheKeyForObject`.
  ///   - maximumDepth: How many objects and lists of a response may be nested, at most 2,048.
  public init(
    cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)? = nil,
    maximumDepth: Int = ResponseReader.defaultMaximumDepth
  ) {
    identity = cacheKeyForObject.map { ObjectIdentity(cacheKeyForObject: $0) }
    self.maximumDepth = maximumDepth
  }

  package func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw JSONResponseParsingError.noResponseToParse }
    guard response.pieces == nil else {
      throw OperationError(
        .configuration,
        "The response comes in parts, which no interceptor before this one reads: MultipartResponseParsingInterceptor does.",
        operationName: Operation.operationName, httpStatus: response.httpResponse.statusCode)
    }
    let body = response.body
    do throws(ResponseDecodingError) {
      let answer = try OperationPipeline(store: request.store).read(
        ResponseBytes(body), of: request.operation, makesRecords: request.writesCache, identity: identity,
        maximumDepth: maximumDepth, httpResponse: response.httpResponse)
      response.parsedResponse = answer.result
      response.records = answer.records
    } catch {
      // What is an object, but not what the operation selects, is the error that tells the field.
      guard (try? ResponseReader.jsonValue(ResponseBytes(body))) is JSONObject else {
        throw JSONResponseParsingError.couldNotParseToJSON(data: body)
      }
      throw error
    }
    return .proceed(response)
  }
}
