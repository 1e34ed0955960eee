public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A response on its way down the chain of interceptors.
public final class HTTPResponse<Operation: GraphQLOperation>: @unchecked Sendable {
  // One interceptor after the other has it, never two at once.

  /// Status and headers.
  public var httpResponse: HTTPURLResponse
  /// The body. Of a body that comes in parts, it is one part, behind ``MultipartResponseParsingInterceptor``.
  public var rawData: Data
  /// The result, once the body is parsed.
  public var parsedResponse: GraphQLResult<Operation.Data>?
  /// The objects of the result, to be written to the cache.
  package var records: RecordBatchTransfer?
  /// A body that comes in parts, as long as nobody has read it.
  var pieces: AsyncThrowingStream<Data, any Error>?
  /// The redirect on which the request lost its body, if there was one.
  var redirect: BodylessRedirect?

  public init(response: HTTPURLResponse, rawData: Data, parsedResponse: GraphQLResult<Operation.Data>?) {
    self.httpResponse = response
    self.rawData = rawData
    self.parsedResponse = parsedResponse
  }
}
