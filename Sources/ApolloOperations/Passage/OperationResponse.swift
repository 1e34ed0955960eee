public import ApolloTransport
public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A response on its way through the steps of its operation. One over HTTP is an ``HTTPResponse``.
public class OperationResponse<Operation: GraphQLOperation>: @unchecked Sendable {
  // Steps have it one after the other, never two at once; see OperationPassage.

  /// The result; nil until the body is parsed.
  @exclusivity(unchecked) public final var parsedResponse: GraphQLResult<Operation.Data>?
  /// The objects of the result that will be written to the cache.
  @exclusivity(unchecked) final var records: OperationPipeline.Records?
  /// What has the objects in place of ``records``, if they are made when they are written.
  @exclusivity(unchecked) package final var unmadeRecords: (any UnmadeRecords)?
  /// When the operation was asked for; nil until the body is parsed.
  @exclusivity(unchecked) final var asked: StoreEpoch?

  init(parsedResponse: GraphQLResult<Operation.Data>?) { self.parsedResponse = parsedResponse }

  /// What is parsed: a GraphQL response, or all that has come of one in parts.
  var bytes: ResponseBytes { ResponseBytes(Data()) }

  /// Status and header fields; nil if the transport has none.
  var status: HTTPURLResponse? { nil }

  /// Whether it comes in parts, which no step has read yet.
  var hasUnreadParts: Bool { false }

  /// What came last, and was perhaps joined to what came before: for logs.
  var received: Data { Data() }

  /// The response, if it came over HTTP. (Asked for in this way, because a cast to a generic class takes long.)
  package var asHTTP: HTTPResponse<Operation>? { nil }
}

/// A response of a ``ResponseTransport``.
final class TransportedResponse<Operation: GraphQLOperation>: OperationResponse<Operation>, @unchecked Sendable {
  // What it adds never changes; for the rest, see its superclass.

  private let whole: ResponseBytes
  private let response: TransportResponse

  /// - Parameters:
  ///   - response: What the transport has given.
  ///   - whole: All that has come of a response in parts.
  init(_ response: TransportResponse, whole: ResponseBytes) {
    self.response = response
    self.whole = whole
    super.init(parsedResponse: nil)
  }

  override var bytes: ResponseBytes { whole }
  override var status: HTTPURLResponse? { response.httpResponse }
  override var received: Data { Data(response.bytes.array) }
}

/// A response on its way down the chain of interceptors.
public final class HTTPResponse<Operation: GraphQLOperation>: OperationResponse<Operation>, @unchecked Sendable {
  // As in its superclass, interceptors have it one after the other, never two at once.

  /// Status and header fields of the response.
  @exclusivity(unchecked) public var httpResponse: HTTPURLResponse
  /// The body. After ``MultipartResponseParsingInterceptor`` it is one part of a body in parts, as the server sent it.
  @exclusivity(unchecked) public var rawData: Data
  /// The pieces of a body in parts, until an interceptor reads them.
  @exclusivity(unchecked) package var pieces: AsyncThrowingStream<Data, any Error>?
  /// The part whose bytes are in ``rawData``.
  @exclusivity(unchecked) package var part: ResponsePart?

  /// The JSON that is parsed. For a part, it is the response so far. If an interceptor has replaced ``rawData``, it is
  /// that.
  package var body: Data {
    if let part, part.bytes == rawData { part.response } else { rawData }
  }

  override var bytes: ResponseBytes { ResponseBytes(body) }
  package override var status: HTTPURLResponse? { httpResponse }
  override var received: Data { rawData }
  override var hasUnreadParts: Bool { pieces != nil }
  package override var asHTTP: HTTPResponse<Operation>? { self }

  /// Makes a response.
  ///
  /// - Parameters:
  ///   - response: Status and header fields.
  ///   - rawData: The body.
  ///   - parsedResponse: The result; nil if the body is not parsed yet.
  public init(response: HTTPURLResponse, rawData: Data, parsedResponse: GraphQLResult<Operation.Data>?) {
    self.httpResponse = response
    self.rawData = rawData
    super.init(parsedResponse: parsedResponse)
  }

  /// Makes a response whose body comes in pieces.
  package init(_ response: HTTPURLResponse, _ pieces: AsyncThrowingStream<Data, any Error>) {
    self.httpResponse = response
    self.rawData = Data()
    self.pieces = pieces
    super.init(parsedResponse: nil)
  }
}

/// A part of a response as the server sent it, and the response so far, which it completes.
package struct ResponsePart: Sendable {
  package let bytes: Data
  let response: Data

  package init(bytes: Data, response: Data) {
    self.bytes = bytes
    self.response = response
  }
}
