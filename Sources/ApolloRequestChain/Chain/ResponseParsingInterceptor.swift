public import ApolloHTTP
public import ApolloOperations
import ApolloTransport
import ApolloAPI
import Foundation

/// Reads the body of a response. Part of the API of Apollo iOS 2.
///
/// ``InterceptorProvider/responseParser(for:)`` returns one, for providers that do not implement `interceptors(for:)`.
/// The default is ``JSONResponseParsingInterceptor``.
public protocol ResponseParsingInterceptor: Sendable {
  /// Reads the results in a response.
  ///
  /// - Parameters:
  ///   - response: The response, whose body may come in parts.
  ///   - request: The request that it answers.
  ///   - includeCacheRecords: Whether the results are to be written to the cache.
  /// - Returns: A result for each GraphQL response in the body.
  /// - Throws: The error that ends the operation.
  func parse<Request: GraphQLRequest>(
    response: ChunkedHTTPResponse, for request: Request, includeCacheRecords: Bool
  ) async throws -> InterceptorResultStream<Request>
}

/// Passes responses to a ``ResponseParsingInterceptor`` of an app.
struct ResponseParsing: HTTPStep, StepInterceptor {
  let parser: any ResponseParsingInterceptor

  func intercept<Operation: GraphQLOperation>(
    request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    guard let response else { throw JSONResponseParsingInterceptor.JSONResponseParsingError.noResponseToParse }
    let status = response.httpResponse
    let chunked =
      if let pieces = response.pieces {
        ChunkedHTTPResponse(response: status, chunks: pieces)
      } else {
        ChunkedHTTPResponse(response: status, body: response.rawData)
      }
    let results = try await parser.parse(
      response: chunked, for: request, includeCacheRecords: request.writesCache
    ).getStream()
    return .proceedWithEach(
      AsyncThrowingStream(unfolding: { () async throws -> OperationResponse<Operation>? in
        // Each iterator of such a stream continues where the previous one stopped.
        var iterator = results.makeAsyncIterator()
        guard let parsed = try await iterator.next() else { return nil }
        let each = HTTPResponse<Operation>(response: status, rawData: Data(), parsedResponse: parsed.result)
        each.cacheRecords = parsed.cacheRecords
        return each
      }))
  }
}

extension JSONResponseParsingInterceptor: ResponseParsingInterceptor {
  /// Reads a body, in parts or whole: what ``MultipartResponseParsingInterceptor`` and this interceptor do in a chain.
  public func parse<Request: GraphQLRequest>(
    response: ChunkedHTTPResponse, for request: Request, includeCacheRecords: Bool
  ) async throws -> InterceptorResultStream<Request> {
    let request = HTTPRequest<Request.Operation>(parsing: request, writesCache: includeCacheRecords)
    let whole = try await response.answer(to: request)
    let parts: AsyncThrowingStream<OperationResponse<Request.Operation>, any Error> =
      if case .proceedWithEach(let each) = try await MultipartResponseParsingInterceptor().intercept(request, whole) {
        each
      } else {
        AsyncThrowingStream {
          $0.yield(whole)
          $0.finish()
        }
      }
    return InterceptorResultStream(
      stream: AsyncThrowingStream(unfolding: { () async throws -> ParsedResult<Request.Operation>? in
        // Each iterator of such a stream continues where the previous one stopped.
        var iterator = parts.makeAsyncIterator()
        while let part = try await iterator.next() {
          _ = try await intercept(request, part)
          if let result = part.parsedResponse { return ParsedResult(result, part.asHTTP) }
        }
        return nil
      }))
  }
}

extension HTTPRequest {
  /// What has to be known of a request to read its response.
  fileprivate convenience init<Request: GraphQLRequest<Operation>>(parsing request: Request, writesCache: Bool) {
    self.init(
      graphQLEndpoint: request.graphQLEndpoint, operation: request.operation, contentType: "", clientName: "",
      clientVersion: "", additionalHeaders: [:])
    store = (request as? HTTPRequest)?.store
    asked = (request as? HTTPRequest)?.asked ?? asked
    writeResultsToCache = writesCache
  }
}
