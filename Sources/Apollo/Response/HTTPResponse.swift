public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A response on its way down the chain of interceptors.
public final class HTTPResponse<Operation: GraphQLOperation>: @unchecked Sendable {
  // One interceptor after the other has it, never two at once.

  /// Status and headers.
  public var httpResponse: HTTPURLResponse
  /// The body. Behind ``MultipartResponseParsingInterceptor``, it is one part of a body that comes in parts, as the server
  /// sent it.
  public var rawData: Data
  /// The result, once the body is parsed.
  public var parsedResponse: GraphQLResult<Operation.Data>?
  /// The objects of the result, to be written to the cache.
  var records: OperationPipeline.Records?
  /// A body that comes in parts, as long as nobody has read it.
  var pieces: AsyncThrowingStream<Data, any Error>?
  /// The redirect on which the request lost its body, if there was one.
  var redirect: BodylessRedirect?

  /// The part that ``rawData`` is.
  var part: ResponsePart?
  /// What is parsed: the body, or the response so far for a part of it, unless an interceptor has put another body in its
  /// place.
  var body: Data {
    if let part, part.bytes == rawData { part.response } else { rawData }
  }

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
    redirect = fetched.redirect
  }
}
