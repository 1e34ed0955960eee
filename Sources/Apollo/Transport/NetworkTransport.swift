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

  /// The results as a sequence that ends after the last one. Ending its task stops the operation.
  ///
  /// A transport that has only ``send(operation:cachePolicy:contextIdentifier:context:callbackQueue:completionHandler:)``
  /// gets this one from it: its subscriptions then end only by an error or by their task.
  func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error>

  /// The last result, for callers who want no other one. Ending its task stops the operation.
  ///
  /// A transport that does not have it gets it from ``results(of:cachePolicy:contextIdentifier:context:)``.
  ///
  /// - Returns: nil if the transport ended without a result.
  func lastResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
  ) async throws -> GraphQLResult<Operation.Data>?

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

  public func results<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    AsyncThrowingStream(until: { $0.isLast(of: Operation.operationType, under: cachePolicy) }) { handler in
      send(
        operation: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context,
        callbackQueue: .global(), completionHandler: handler)
    }
  }
}

extension NetworkTransport {
  public func lastResult<Operation: GraphQLOperation>(
    of operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?
  ) async throws -> GraphQLResult<Operation.Data>? {
    try await results(
      of: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context
    ).last()
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  func last() async throws -> Element? {
    var last: Element?
    for try await element in self { last = element }
    return last
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

  /// The results of an upload as a sequence. Ending its task stops the upload.
  func results<Operation: GraphQLOperation>(
    ofUploading operation: Operation, files: [GraphQLFile], context: (any RequestContext)?
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error>
}

extension UploadingNetworkTransport {
  public func results<Operation: GraphQLOperation>(
    ofUploading operation: Operation, files: [GraphQLFile], context: (any RequestContext)?
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    AsyncThrowingStream(until: { _ in true }) { handler in
      upload(
        operation: operation, files: files, context: context, callbackQueue: .global(), completionHandler: handler)
    }
  }
}

extension GraphQLResult {
  /// True if no further result can follow.
  func isLast(of type: GraphQLOperationType, under policy: CachePolicy) -> Bool {
    switch type {
    case .subscription: false
    case .query, .mutation: !hasNext && (policy != .returnCacheDataAndFetch || source == .server)
    }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// What a handler is called with, up to an error or the last result. Ending the task of the stream stops what runs.
  ///
  /// - Parameter start: Starts something that calls a handler.
  init<Data>(
    until isLast: @escaping @Sendable (Element) -> Bool,
    _ start: (@escaping GraphQLResultHandler<Data>) -> any Cancellable
  ) where Element == GraphQLResult<Data> {
    self.init { continuation in
      let running = start { result in
        continuation.yield(with: result)
        if case .success(let value) = result, isLast(value) { continuation.finish() }
      }
      let handle = Handoff(running)
      continuation.onTermination = { reason in
        if case .cancelled = reason { handle.value.cancel() }
      }
    }
  }

  /// Calls a handler with each result, for the callers that have no task.
  package func deliver<Data>(
    on queue: DispatchQueue, to handler: GraphQLResultHandler<Data>?
  ) -> any Cancellable where Element == GraphQLResult<Data> {
    let stream = Handoff(self)
    let handler = Handoff(handler)
    let isCancelled = Locked(false)
    let task = Task {
      do {
        for try await result in stream.value {
          queue.async { if !isCancelled.withLock({ $0 }) { handler.value?(.success(result)) } }
        }
      } catch {
        queue.async { if !isCancelled.withLock({ $0 }) { handler.value?(.failure(OperationError.unwrap(error))) } }
      }
    }
    return CallbackCancellable {
      isCancelled.withLock { $0 = true }
      task.cancel()
    }
  }
}

/// Calls a closure to stop.
final class CallbackCancellable: Cancellable, Sendable {
  private let onCancel: @Sendable () -> Void

  init(_ onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  func cancel() { onCancel() }
}
