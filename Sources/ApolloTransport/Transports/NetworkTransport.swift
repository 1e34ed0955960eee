public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends operations to a server and delivers their results.
///
/// A client calls its transport from any thread. A transport need not be `Sendable`, because it was not in Apollo iOS
/// 0.x and 1.
public protocol NetworkTransport: AnyObject {
  /// Sends an operation.
  ///
  /// - Parameters:
  ///   - operation: The operation to send, with its variables.
  ///   - cachePolicy: Where the data may come from.
  ///   - contextIdentifier: Identifies the writer, because a watcher is not told of its own writes. nil: none.
  ///   - context: A value of the app for transports and interceptors. nil: none.
  ///   - callbackQueue: Where `completionHandler` must be called. It must not be called anywhere else, because it may
  ///     be a closure of the main actor.
  ///   - completionHandler: To be called with each result: once for most operations, many times for a subscription.
  /// - Returns: Cancels the operation; the handler must not be called after that.
  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable

  /// Sends an operation: the form of Apollo iOS 0.34 to 1.2, without a context. A transport implements this form or the
  /// other one.
  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable

  /// The name of the app, which each request tells the server; an empty text is not sent.
  var clientName: String { get }
  /// The version of the app, which each request tells the server; an empty text is not sent.
  var clientVersion: String { get }
}

extension NetworkTransport {
  /// The default of ``clientName``: the bundle identifier followed by `-apollo-swift`, or `apollo-swift-client` without
  /// a bundle.
  public static var defaultClientName: String { ClientAwarenessMetadata.defaultClientName }

  /// The default of ``clientVersion``: the version and the build of the app, joined by `+`, or `(unknown)` without a
  /// bundle.
  public static var defaultClientVersion: String { ClientAwarenessMetadata.defaultClientVersion }

  /// The header field with the name of the app: `apollographql-client-name`.
  public static var headerFieldNameApolloClientName: String { "apollographql-client-name" }
  /// The header field with the version of the app: `apollographql-client-version`.
  public static var headerFieldNameApolloClientVersion: String { "apollographql-client-version" }

  /// Adds the header fields with the name and the version of the app to a request.
  public func addApolloClientHeaders(to request: inout URLRequest) {
    ClientAwarenessMetadata(clientApplicationName: clientName, clientApplicationVersion: clientVersion)
      .applyHeaders(to: &request)
  }

  /// ``defaultClientName``.
  public var clientName: String { Self.defaultClientName }
  /// ``defaultClientVersion``.
  public var clientVersion: String { Self.defaultClientVersion }
}

/// A transport that can send files with an operation.
public protocol UploadingNetworkTransport: NetworkTransport {
  /// Sends an operation with files.
  ///
  /// - Parameters:
  ///   - operation: The operation to send, with its variables.
  ///   - files: The files. Each names the variable whose value it is.
  ///   - context: A value of the app for transports and interceptors. nil: none.
  ///   - callbackQueue: Where `completionHandler` must be called.
  ///   - completionHandler: To be called with the result.
  /// - Returns: Cancels the operation; the handler must not be called after that.
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable

  /// Sends an operation with files: the form of Apollo iOS 0.34 to 1.2, without a context. A transport implements this
  /// form or the other one.
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable
}

/// Called with each result of an operation, or with the error that ended it, on the queue that the caller names. By
/// default that is the main queue.
///
/// It is a plain closure, as in every release of Apollo iOS: it may capture values that are not `Sendable`, and, if it
/// is made on the main actor, it may change what belongs to the main actor. So a closure that is isolated to the main
/// actor must be called on the main queue. Neither the compiler nor the process checks that: on another queue the
/// closure races. Name another queue only for a closure that is made outside of any actor, or that is `@Sendable`.
public typealias GraphQLResultHandler<Data: SelectionSet> = (Result<GraphQLResult<Data>, any Error>) -> Void
