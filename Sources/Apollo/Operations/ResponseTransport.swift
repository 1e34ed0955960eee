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
  /// The value that the app passed with the operation for its interceptors and transports; nil if there is none.
  public var context: (any RequestContext)? { handedContext.value }
  private let handedContext: Handoff<(any RequestContext)?>
  /// What is different for this operation. The client itself handles the deadline, the buffering and the writing to the
  /// cache.
  public let configuration: RequestConfiguration
  private let onState: @Sendable (SubscriptionState) -> Void
  /// When the operation was asked for.
  let asked: StoreEpoch

  init(
    _ call: OperationCall<Operation>,
    onState: @escaping @Sendable (SubscriptionState) -> Void = { _ in }
  ) {
    operation = call.operation
    handedContext = Handoff(call.context)
    configuration = call.configuration
    asked = call.asked
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
  let httpResponse: HTTPURLResponse?

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

extension ResponseTransport {
  /// Sends an operation, and calls a handler with each result or with the error that ended it.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, cachePolicy: CachePolicy = .default, contextIdentifier: UUID? = nil,
    context: (any RequestContext)? = nil, callbackQueue: DispatchQueue = .main,
    completionHandler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    OperationRun(
      OperationCall(
        sent: operation, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, context: context), over: self
    ).deliver(on: callbackQueue, to: completionHandler)
  }
}

// MARK: The pipeline over it

extension OperationPipeline {
  /// Runs an operation over a transport of bytes, to its end.
  ///
  /// - Parameters:
  ///   - call: The operation, and what is different for it.
  ///   - transport: Sends the operation.
  ///   - policies: The client's rules for credentials and retries.
  ///   - status: Where the state of a subscription is shown. nil: nowhere.
  ///   - emit: Called with each result, and with the error that ended the operation.
  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, over transport: any ResponseTransport, _ policies: ExchangePolicies,
    reporting status: SubscriptionStatus?, emit: @escaping OperationRun<Operation>.Emit
  ) async {
    do {
      var cacheError: (any Error)?
      switch try await answerFromCache(call.operation, call.cachePolicy, call.configuration) {
      case .only(let result): return emit(.success(result))
      case .first(let result): emit(.success(result))
      case .none(let error): cacheError = error
      }
      let parts = Locked(IncrementalResponse())
      let comesInParts = Operation.mayAnswerInParts, sentAt = now
      // The event of a subscription counts as sent when it comes.
      let edits = ListEdits.of(call.operation)
      let ticket = Operation.operationType == .subscription ? nil : beginSending(call)
      let request = OperationRequest(call) { state in
        // An operation that is sent again is answered from the beginning.
        if comesInParts { parts.withLock { $0 = IncrementalResponse() } }
        status?.update(state)
      }
      let receive: @Sendable (TransportResponse) async throws -> Void = { [cacheError] response in
        var bytes = response.bytes
        if comesInParts {
          guard let whole = try parts.withLock({ parts in try parts.merge(response.bytes) }) else { return }
          bytes = whole
        }
        call.configuration.onResponse?(bytes)
        var answer = try read(
          bytes, of: call.operation, makesRecords: call.writesCache, httpResponse: response.httpResponse,
          sentAt: sentAt)
        let error =
          await write(
            answer, origin: call.contextIdentifier, call.configuration,
            sent: ticket ?? beginSending(call), edits)
          ?? cacheError
        if Operation.__hasLocalFields {
          answer.result = await completed(answer, of: call.operation, call.configuration)
        }
        if let error { answer.result.cacheInfo.error = error }
        emit(.success(answer.result))
      }
      try await policies.running.attempt(call.asked) {
        try await policies.exchange(request, over: transport, receive: receive)
      }
      try parts.withLock { try $0.finish() }
    } catch {
      if !Task.isCancelled { emit(.failure(error)) }
    }
  }
}

extension OperationPipeline {
  fileprivate func beginSending<Operation: GraphQLOperation>(_ call: OperationCall<Operation>) -> SendingTicket? {
    store?.beginSending(Operation.operationType, asked: call.asked)
  }
}

extension GraphQLOperation {
  /// The operation has `@defer` or `@stream`, so that parts of a response may follow it.
  static var mayAnswerInParts: Bool {
    hasDeferredFragments || operationDocument.text.contains("@defer") || operationDocument.text.contains("@stream")
  }
}
