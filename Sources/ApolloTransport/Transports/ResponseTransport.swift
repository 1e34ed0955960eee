public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A transport that sends operations and delivers the bytes of their responses.
///
/// The client does everything else, for every such transport: cache policies, the parts of a response, typed data, the
/// keys of objects, and writing to the cache. A `WebSocketTransport` is such a transport. An app can make its own,
/// for example for a test:
///
///     final class CannedTransport: ResponseTransport {
///       func exchange<Operation: GraphQLOperation>(
///         _ request: OperationRequest<Operation>,
///         receive: @escaping @Sendable (TransportResponse) async throws -> Void
///       ) async throws {
///         try await receive(TransportResponse(Data(#"{"data": {"hero": null}}"#.utf8)))
///       }
///     }
public protocol ResponseTransport: NetworkTransport, Sendable {
  /// Sends an operation, and delivers one response after the other. It must stop and throw when its task is cancelled.
  ///
  /// - Parameters:
  ///   - request: The operation to send.
  ///   - receive: To be called with each response, one call after the other. It returns when the response has been read
  ///     and written to the cache. If it throws, further responses are useless, and this function must throw its error.
  /// - Throws: The error that ended the operation, or the error that `receive` threw.
  func exchange<Operation: GraphQLOperation>(
    _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
  ) async throws
}

/// What a ``ResponseTransport`` sends.
public struct OperationRequest<Operation: GraphQLOperation>: Sendable {
  /// The operation, with its variables.
  public let operation: Operation
  // Safe: an app's object (see Handoff).
  /// The value that the app passed with the operation for its interceptors and transports; nil if there is none.
  nonisolated(unsafe) public let context: (any RequestContext)?
  /// What is different for this operation. The client itself handles the deadline, the buffering and the writing to the
  /// cache.
  public let configuration: RequestConfiguration
  private let onState: @Sendable (SubscriptionState) -> Void

  package init(
    _ operation: Operation, context: (any RequestContext)?, _ configuration: RequestConfiguration,
    onState: @escaping @Sendable (SubscriptionState) -> Void
  ) {
    self.operation = operation
    self.context = context
    self.configuration = configuration
    self.onState = onState
  }

  /// Tells the client the state of the operation, for user interfaces. The transport must report when it sends an
  /// operation again after the connection broke, because the response then starts again.
  public func report(_ state: SubscriptionState) { onState(state) }
}

/// A response of a server, or a part of one.
public struct TransportResponse: Sendable {
  /// A GraphQL response: a JSON object in UTF-8.
  package let bytes: ResponseBytes
  package let httpResponse: HTTPURLResponse?

  /// Makes a response.
  ///
  /// - Parameters:
  ///   - body: A GraphQL response: a JSON object in UTF-8.
  ///   - httpResponse: Status and header fields. nil, the default: there are none.
  public init(_ body: Data, httpResponse: HTTPURLResponse? = nil) {
    bytes = ResponseBytes(body)
    self.httpResponse = httpResponse
  }

  package init(_ bytes: ResponseBytes) {
    self.bytes = bytes
    httpResponse = nil
  }
}
