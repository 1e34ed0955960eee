public import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends operations somewhere and brings back their results.
///
/// A client calls its transport from any thread. A plain class conforms, as in releases 0.x and 1.x of Apollo iOS; it need
/// not be `Sendable`.
public protocol NetworkTransport: AnyObject {
  /// - Parameters:
  ///   - contextIdentifier: Tells whose request it is; a watcher is not told of its own writes.
  ///   - callbackQueue: Where `completionHandler` is called, and nowhere else: it may be a closure of the main actor.
  ///   - completionHandler: Called with each result: once for most operations, many times for a subscription.
  /// - Returns: Stops the operation; the handler is not called afterwards.
  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
    callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable

  /// Sends an operation, as of releases 0.34 to 1.2, which know no context. A transport implements this form or the other.
  func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable

  /// Sent with each request, for statistics of the server.
  var clientName: String { get }
  var clientVersion: String { get }
}

extension NetworkTransport {
  public static var defaultClientName: String {
    Bundle.main.bundleIdentifier.map { $0 + "-apollo-swift" } ?? "apollo-swift-client"
  }

  /// The version and the build of the app; `(unknown)` without a bundle.
  public static var defaultClientVersion: String {
    let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
    let build = Bundle.main.infoDictionary?["CFBundleVersion"] as? String
    let known = [version, build].compactMap { $0 }
    return known.isEmpty ? "(unknown)" : known.joined(separator: "+")
  }

  public static var headerFieldNameApolloClientName: String { "apollographql-client-name" }
  public static var headerFieldNameApolloClientVersion: String { "apollographql-client-version" }

  /// Adds the header fields with which a server tells clients apart.
  public func addApolloClientHeaders(to request: inout URLRequest) {
    request.setValue(clientName, forHTTPHeaderField: Self.headerFieldNameApolloClientName)
    request.setValue(clientVersion, forHTTPHeaderField: Self.headerFieldNameApolloClientVersion)
  }

  public var clientName: String { Self.defaultClientName }
  public var clientVersion: String { Self.defaultClientVersion }
}

// MARK: For `async` code

extension NetworkTransport {
  /// The results of an operation as a sequence that ends after the last one. Ending its task stops the operation.
  ///
  /// - Throws: ``OperationError``.
  public func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    OperationRun(
      OperationCall(
        operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context), over: self
    ).stream()
  }

  /// The last result of an operation, for callers who want no other one. Ending its task stops the operation.
  ///
  /// - Returns: nil if the transport ended without a result.
  /// - Throws: ``OperationError``.
  public func lastResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> GraphQLResult<Operation.Data>? {
    try await OperationRun(
      OperationCall(
        operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context), over: self
    ).last()
  }

  /// The events of a subscription, and how it stands.
  public func subscribe<Subscription: GraphQLSubscription>(
    to subscription: Subscription, context: (any RequestContext)? = nil
  ) -> SubscriptionStream<GraphQLResult<Subscription.Data>> {
    OperationRun(OperationCall(subscription, cachePolicy: .default, context: context), over: self).subscription()
  }
}

/// A transport that can send files with an operation.
public protocol UploadingNetworkTransport: NetworkTransport {
  /// - Parameters:
  ///   - files: Each names the variable that it is the value of.
  ///   - callbackQueue: Where `completionHandler` is called.
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], context: (any RequestContext)?, callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable

  /// Sends files, as of releases 0.34 to 1.2, which know no context. A transport implements this form or the other.
  func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], callbackQueue: DispatchQueue,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable
}

extension UploadingNetworkTransport {
  /// The results of an upload as a sequence. Ending its task stops the upload.
  ///
  /// - Parameter files: Each names the variable that it is the value of.
  /// - Throws: ``OperationError``.
  public func results<Operation: GraphQLOperation>(
    ofUploading operation: Operation, files: [GraphQLFile], context: (any RequestContext)? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    OperationRun(OperationCall(operation, cachePolicy: .default, context: context, files: files), over: self).stream()
  }
}
