public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A response on its way down the chain of interceptors.
public final class HTTPResponse<Operation: GraphQLOperation>: @unchecked Sendable {
  // Interceptors have it one after the other, never two at once; see HTTPRequest.

  /// Status and header fields of the response.
  @exclusivity(unchecked) public var httpResponse: HTTPURLResponse
  /// The body. After ``MultipartResponseParsingInterceptor`` it is one part of a body in parts, as the server sent it.
  @exclusivity(unchecked) public var rawData: Data
  /// The result; nil until the body is parsed.
  @exclusivity(unchecked) public var parsedResponse: GraphQLResult<Operation.Data>?
  /// The objects of the result that will be written to the cache.
  @exclusivity(unchecked) var records: OperationPipeline.Records?
  /// When the operation was asked for; nil until the body is parsed.
  @exclusivity(unchecked) var asked: StoreEpoch?
  /// The pieces of a body in parts, until an interceptor reads them.
  @exclusivity(unchecked) var pieces: AsyncThrowingStream<Data, any Error>?

  /// The part whose bytes are in ``rawData``.
  @exclusivity(unchecked) var part: ResponsePart?
  /// The JSON that is parsed. For a part, it is the response so far. If an interceptor has replaced ``rawData``, it is
  /// that.
  var body: Data {
    if let part, part.bytes == rawData { part.response } else { rawData }
  }

  /// Makes a response.
  ///
  /// - Parameters:
  ///   - response: Status and header fields.
  ///   - rawData: The body.
  ///   - parsedResponse: The result; nil if the body is not parsed yet.
  public init(response: HTTPURLResponse, rawData: Data, parsedResponse: GraphQLResult<Operation.Data>?) {
    self.httpResponse = response
    self.rawData = rawData
    self.parsedResponse = parsedResponse
  }

  convenience init(_ fetched: FetchedResponse) {
    self.init(response: fetched.response, rawData: Data(), parsedResponse: nil)
    switch fetched.body {
    case .whole(let data): rawData = data
    case .pieces(let pieces): self.pieces = pieces
    }
  }
}
