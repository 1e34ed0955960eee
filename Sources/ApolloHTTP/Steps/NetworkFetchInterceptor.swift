public import ApolloOperations
public import ApolloTransport
package import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends the request and waits for the response.
///
/// A response in parts is passed on as soon as it begins; ``MultipartResponseParsingInterceptor`` reads the parts.
public final class NetworkFetchInterceptor: ChainStep {
  /// Sends the requests; nil for the engine of the transport.
  private let engine: (any HTTPEngine)?
  private let interceptors: [any HTTPInterceptor]
  private let deduplicator: RequestDeduplicator?
  private let batcher: RequestBatcher?
  /// Whether they are used for an operation whose configuration does not decide it.
  private let (deduplicates, batches): (Bool, Bool)

  /// Makes an interceptor.
  ///
  /// - Parameters:
  ///   - client: Sends the requests.
  ///   - interceptors: Interceptors around each exchange over HTTP, from the outermost to the innermost. The default is
  ///     none.
  ///   - deduplicator: Sends identical queries that are under way at a time once. nil, the default: each query is sent.
  ///   - batcher: Sends operations that start at about one moment in one request. nil, the default: each operation is
  ///     sent by itself.
  public init(
    client: URLSessionClient, interceptors: [any HTTPInterceptor] = [],
    deduplicator: RequestDeduplicator? = nil,
    batcher: RequestBatcher? = nil
  ) {
    engine = client
    self.interceptors = interceptors
    self.deduplicator = deduplicator
    self.batcher = batcher
    (deduplicates, batches) = (true, true)
  }

  /// Makes an interceptor for a provider of this package.
  ///
  /// - Parameters:
  ///   - sender: Sends the requests. nil: the sender of the transport.
  ///   - interceptors: Interceptors around each exchange over HTTP, from the outermost to the innermost.
  ///   - deduplicator: Sends identical queries once.
  ///   - deduplicates: Whether the deduplicator is used for operations whose configuration does not decide it.
  ///   - batcher: Sends several operations in one request.
  ///   - batches: Whether the batcher is used for operations whose configuration does not decide it.
  package init(
    sender: HTTPSender? = nil, interceptors: [any HTTPInterceptor],
    deduplicator: RequestDeduplicator? = nil,
    deduplicates: Bool = false, batcher: RequestBatcher? = nil, batches: Bool = false
  ) {
    engine = sender?.engine
    self.interceptors = interceptors
    self.deduplicator = deduplicator
    self.batcher = batcher
    (self.deduplicates, self.batches) = (deduplicates, batches)
  }

  package nonisolated(nonsending) func intercept<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, _ response: OperationResponse<Operation>?
  ) async throws -> NextStep<Operation> {
    let request = try passage.overHTTP(for: Self.self)
    guard let engine = engine ?? (request.transport as? any SenderHolding)?.sender.engine else {
      throw OperationError(
        .configuration, "NetworkFetchInterceptor has no client, and the request comes from no transport that has one.",
        operationName: Operation.operationName)
    }
    request.isSent()
    do {
      let response = HTTPResponse<Operation>(try await fetch(request, by: engine))
      request.received(response)
      return .proceed(response)
    } catch {
      // (Checked here and not before, because the check takes longer than everything else that is done for a request
      // with a good address.)
      guard error is CancellationError || request.hasHTTPAddress else {
        throw OperationError(
          .invalidRequest,
          "The address of the server, '\(request.graphQLEndpoint.placeDescription)', is not one of HTTP with a host.",
          operationName: Operation.operationName, cause: error)
      }
      throw error
    }
  }

  /// Makes what is sent, and sends it through the interceptors.
  private nonisolated(nonsending) func fetch<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, by engine: any HTTPEngine
  ) async throws -> FetchedResponse {
    let mayAnswerInParts = Operation.operationType == .subscription || Operation.hasDeferredFragments
    let mayRepeat = request.mayRunTwice
    let transfer = request.transfer, onProgress = transfer.onProgress
    let rules = request.rules, count = request.sendingCount
    let batches = transfer.batches ?? batches
    let batcher = mayAnswerInParts || !batches ? nil : batcher, clock = request.clock
    let sendAlone: @Sendable (URLRequest, URL?) async throws -> FetchedResponse = { request, file in
      count?.add(mayRepeat: mayRepeat)
      return try await engine.fetch(
        HTTPExchange(
          request: request, file: file, description: Operation.requestDescription, mayRepeat: mayRepeat,
          onProgress: onProgress, rules: rules))
    }
    if request.form == .upload, let response = try await fetchFiles(request, by: engine, batcher, sendAlone) {
      return response
    }
    let isBatchable = request.form == .json
    // (How far a transfer is can be told to the operation that it is made for.)
    let isDeduplicable =
      Operation.operationType == .query && !mayAnswerInParts && onProgress == nil
      && transfer.deduplicates ?? deduplicates
    let deduplicator = isDeduplicable ? deduplicator : nil
    let sharing = deduplicator.map { _ in SharingKey(request) }
    let made = try request.toURLRequest()
    return try await exchange(made, of: request, rules) { request in
      // An interceptor of the app may not have looked.
      try Task.checkCancellation()
      let send: @Sendable () async throws -> FetchedResponse =
        if isBatchable, let batcher, let body = request.httpBody, request.hasBody(of: made), !request.isPacked {
          {
            try await batcher.fetch(
              request, body: body, mayRepeat: mayRepeat, with: engine, rules, clock, counting: count,
              onProgress: onProgress)
          }
        } else {
          { try await sendAlone(request, nil) }
        }
      guard let deduplicator, let sharing else { return try await send() }
      return try await deduplicator.fetch(request, over: engine, sharing, rules.limits ?? ResponseLimits(), send)
    }
  }

  /// Sends a request with files.
  ///
  /// - Returns: nil for a request without files.
  @inline(never) private nonisolated(nonsending) func fetchFiles<Operation: GraphQLOperation>(
    _ request: HTTPRequest<Operation>, by engine: any HTTPEngine, _ batcher: RequestBatcher?,
    _ sendAlone: @escaping @Sendable (URLRequest, URL?) async throws -> FetchedResponse
  ) async throws -> FetchedResponse? {
    guard let upload = request.asUpload else { return nil }
    let mayRepeat = request.mayRunTwice, rules = request.rules, clock = request.clock, count = request.sendingCount
    let onProgress = request.requestConfiguration.onProgress
    // A subclass may make another form.
    if let batcher, type(of: upload) == UploadRequest<Operation>.self {
      let (body, files) = try upload.parts()
      let head = try upload.toRequestHead()
      return try await exchange(head, of: request, rules) { request in
        guard request.hasBody(of: head) else { return try await sendAlone(request, nil) }
        return try await batcher.fetch(
          request, body: body, files: files, mayRepeat: mayRepeat, with: engine, rules, clock, counting: count,
          onProgress: onProgress)
      }
    }
    return try await TemporaryFile.with { file -> FetchedResponse? in
      let (made, isInFile) = try upload.toRequest(in: file)
      return try await exchange(made, of: request, rules) { request in
        // An interceptor of the app may not have looked.
        try Task.checkCancellation()
        return try await sendAlone(request, isInFile ? file.url : nil)
      }
    }
  }

  /// Sends a request through the interceptors.
  private nonisolated(nonsending) func exchange<Operation: GraphQLOperation>(
    _ urlRequest: URLRequest, of request: HTTPRequest<Operation>, _ rules: ExchangeRules,
    _ send: @escaping @Sendable (URLRequest) async throws -> FetchedResponse
  ) async throws -> FetchedResponse {
    // An interceptor may have changed the address. The authenticator's credentials do not follow.
    let sendGuarded: @Sendable (URLRequest) async throws -> FetchedResponse = { urlRequest in
      let urlRequest = urlRequest.withoutCredentials(request.credentials, unless: request.isForOwnOrigin)
      urlRequest.warnOfPlainCredentials(request.credentials)
      return try await send(urlRequest)
    }
    guard !interceptors.isEmpty else { return try await sendGuarded(urlRequest) }
    var next: HTTPInterceptor.NextHTTPInterceptorFunction = {
      ChunkedHTTPResponse(try await sendGuarded($0.checked(of: Operation.operationName)))
    }
    for interceptor in interceptors.reversed() {
      next = { [next] in try await interceptor.intercept(request: $0, next: next) }
    }
    return try await next(urlRequest).fetched(rules.limits ?? ResponseLimits())
  }
}

extension HTTPRequest {
  /// Whether its address is one of HTTP, with a host.
  fileprivate var hasHTTPAddress: Bool {
    (try? URLRequest(url: graphQLEndpoint).checked(of: Operation.operationName)) != nil
  }
}

extension URLRequest {
  /// Whether its body is that of the request that was given to the interceptors. A body that one of them has made cannot
  /// be an element of a batch.
  fileprivate func hasBody(of made: URLRequest) -> Bool {
    httpBody == made.httpBody && (httpBodyStream == nil) == (made.httpBodyStream == nil)
  }

  /// Whether a header field says that its body is packed, as the body of a batch is not.
  fileprivate var isPacked: Bool { value(forHTTPHeaderField: "Content-Encoding") != nil }
}

extension GraphQLOperation {
  /// The type and the name of the operation, as the description of the task that sends it.
  fileprivate static var requestDescription: String { operationType.rawValue + " " + operationName }
}

extension NetworkFetchInterceptor: Cancellable {
  /// Does nothing: what is sent ends with its chain. An interceptor that has this one do its work may call it.
  public func cancel() {}
}
