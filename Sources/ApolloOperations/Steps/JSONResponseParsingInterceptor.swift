public import ApolloTransport
public import ApolloAPI
import ApolloCache
public import Foundation
import Logging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Parses the body of a response: it reads typed data, and records for the cache, in one pass.
public struct JSONResponseParsingInterceptor: ChainStep {
  /// Why a body cannot be parsed.
  public enum JSONResponseParsingError: ApolloError {
    /// No interceptor before this one has fetched a response.
    case noResponseToParse
    /// The body is not a JSON object.
    case couldNotParseToJSON(data: Data)

    /// The kind of this error: ``ApolloErrorCode/configuration`` or ``ApolloErrorCode/invalidResponse``.
    public var code: ApolloErrorCode {
      switch self {
      case .noResponseToParse: .configuration
      case .couldNotParseToJSON: .invalidResponse
      }
    }

    /// One sentence that says what went wrong.
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

  /// How objects are identified; nil for the rules of the store that the result is written to.
  private let identity: ObjectIdentity?
  private let maximumDepth: Int

  /// Makes an interceptor.
  ///
  /// - Parameters:
  ///   - cacheKeyForObject: Makes the keys under which the cache keeps objects. nil, the default: the rules of the
  ///     store that the result is written to; see `ApolloStore.cacheKeyForObject`.
  ///   - maximumDepth: How many objects and lists of a response may be nested, at most 2,048. The default is 512.
  public init(
    cacheKeyForObject: (@Sendable (JSONObject) -> JSONValue?)? = nil,
    maximumDepth: Int = ResponseReader.defaultMaximumDepth
  ) {
    identity = cacheKeyForObject.map { ObjectIdentity(cacheKeyForObject: $0) }
    self.maximumDepth = maximumDepth
  }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw JSONResponseParsingError.noResponseToParse }
    if response.hasUnreadParts {
      throw OperationError(
        .configuration,
        "The response comes in parts, which no interceptor before this one reads: MultipartResponseParsingInterceptor does.",
        operationName: Operation.operationName, httpStatus: response.status?.statusCode)
    }
    let bytes = response.bytes
    do throws(ResponseDecodingError) {
      passage.options.answer?.take(bytes)
      let answer = try OperationPipeline(store: passage.store).read(
        bytes, of: passage.operation, makesRecords: passage.writesCache || passage.options.answer != nil,
        identity: identity,
        maximumDepth: maximumDepth, httpResponse: response.status, times: passage.sentAt.map { ($0, passage.date) })
      response.parsedResponse = answer.result
      if passage.writesCache {
        response.records = answer.records
      } else {
        // A store takes them once, so they are either for the steps that follow or for a caller that writes them later.
        passage.options.answer?.take(answer.records, for: identity == nil ? passage.store : nil)
      }
      response.asked = passage.asked
      if Operation.operationType == .subscription, passage.isOverHTTP,
        let hint = Self.hint(about: answer.result, of: Operation.self)
      {
        Self.logger.warning("\(hint)")
      }
    } catch {
      // If the body is an object, but not of the form that the operation selects, the error that names the field is the
      // better one.
      guard (try? ResponseReader.jsonValue(bytes)) is JSONObject else {
        throw JSONResponseParsingError.couldNotParseToJSON(data: Data(bytes.array))
      }
      throw error
    }
    return .proceed(response)
  }

  private static let logger = Logger(label: "apollo")

  /// What to look at where a subscription got one response, and that is a refusal; nil for others.
  static func hint<Operation: GraphQLOperation>(
    about result: GraphQLResult<Operation.Data>, of operation: Operation.Type
  ) -> String? {
    guard Operation.operationType == .subscription, result.data == nil, let error = result.errors?.first else {
      return nil
    }
    let place = result.httpResponse?.url?.placeDescription ?? "the server"
    return "The subscription \(Operation.operationName) was sent to \(place) over HTTP, and refused "
      + "(\(error.message ?? "for no reason")). If the server has subscriptions over a WebSocket, make the client with "
      + "ApolloClient(url:webSocketURL:) of ApolloWebSocket."
  }
}
