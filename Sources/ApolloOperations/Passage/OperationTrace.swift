import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells the listeners of a client what happens to one operation. There is one only while something listens.
final class OperationTrace: Sendable {
  private struct State {
    var attempts = 0
    var sentAt: ContinuousClock.Instant?
    var failure: (any Error)?
    var hasStarted = false, hasLastResult = false, isOver = false
    /// Where the first value would be that the cache lacks.
    var missing: String?
  }

  private let hub: EventHub
  private let operation: ClientEvent.Operation
  /// What the listeners want to have.
  private let details: ClientEvent.Details
  private let state = Locked(State())

  init<Operation: GraphQLOperation>(_ hub: EventHub, _ type: Operation.Type) {
    self.hub = hub
    details = hub.details
    operation = ClientEvent.Operation(
      id: hub.takeNumber(), name: Operation.operationName, type: Operation.operationType)
  }

  var now: ContinuousClock.Instant { hub.clock.now }

  func record(_ kind: ClientEvent.Kind) { hub.record(kind, of: operation) }

  // MARK: The operation

  /// The operation begins.
  ///
  /// - Returns: False if it has begun before: a transport of an app has passed it on to one of this package.
  func start<Operation: GraphQLOperation>(_ call: OperationCall<Operation>) -> Bool {
    let hasStarted = state.withLock { state in
      defer { state.hasStarted = true }
      return state.hasStarted
    }
    if hasStarted { return false }
    let json = details.contains(.variables) ? Data(call.operation.variables.json) : nil
    record(.operationStarted(ClientEvent.Start(cachePolicy: call.cachePolicy, json: json)))
    return true
  }

  /// Notes what the caller gets.
  ///
  /// - Parameters:
  ///   - outcome: A result, or the error that ends the operation.
  ///   - isLast: Whether nothing has to follow.
  func note<Data>(_ outcome: Result<GraphQLResult<Data>, any Error>, isLast: Bool) {
    switch outcome {
    case .success(let result):
      let isOver = state.withLock { state in
        if isLast { state.hasLastResult = true }
        return state.isOver
      }
      if !isOver { record(.result(ClientEvent.Result(result))) }
    case .failure(let error): state.withLock { $0.failure = error }
    }
  }

  /// The operation is over, unless it was before. A consumer that has the last result cancels what is left.
  func end(isCancelled: Bool) {
    let (wasOver, failure, isCut) = state.withLock { state in
      defer { state.isOver = true }
      return (state.isOver, state.failure, isCancelled && !state.hasLastResult)
    }
    if wasOver { return }
    record(.operationEnded(failure.map { .failed($0) } ?? (isCut ? .cancelled : .finished)))
  }

  func end(with error: any Error) {
    state.withLock { $0.failure = error }
    end(isCancelled: false)
  }

  // MARK: On its way

  func sent<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>) {
    let now = now
    let attempt = state.withLock { state in
      state.attempts += 1
      state.sentAt = now
      return state.attempts
    }
    record(.requestSent(ClientEvent.Request(passage, attempt: attempt, details)))
  }

  /// A try has failed, if one was sent.
  func failed(_ error: any Error) {
    let wasSent = state.withLock { $0.sentAt.take() != nil }
    if wasSent { record(.tryFailed(error)) }
  }

  func received<Operation: GraphQLOperation>(_ response: HTTPResponse<Operation>) {
    received(response.httpResponse, response.pieces == nil ? response.rawData : nil)
  }

  func received(_ response: HTTPURLResponse?, _ body: Data?) {
    let now = now, duration = now - (state.withLock { $0.sentAt } ?? now)
    record(.responseReceived(ClientEvent.Response(response, body, after: duration, details)))
  }

  // MARK: The cache

  /// Notes what the cache lacks.
  func note(_ miss: ResponseDecodingError?) { state.withLock { $0.missing = miss?.place } }

  /// Tells how the cache was read.
  ///
  /// - Parameters:
  ///   - options: What was asked of the operation.
  ///   - body: Reads the cache.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  func read<Data>(
    _ options: OperationOptions, _ body: (OperationOptions) async throws -> OperationPipeline.CacheAnswer<Data>
  ) async throws -> OperationPipeline.CacheAnswer<Data> {
    let start = now
    var options = options, outcome = ClientEvent.CacheRead.Outcome.miss
    options.isTold = true
    state.withLock { $0.missing = nil }
    defer {
      record(
        .cacheRead(
          ClientEvent.CacheRead(outcome: outcome, missing: state.withLock { $0.missing }, duration: now - start)))
    }
    let answer = try await body(options)
    switch answer {
    case .none: break
    case .first(let result), .only(let result):
      outcome = result.cacheInfo.isPartial ? .partial : result.cacheInfo.isStale ? .stale : .hit
    }
    return answer
  }

  /// Tells how the cache was written.
  ///
  /// - Parameters:
  ///   - options: What was asked of the operation.
  ///   - body: Writes to the cache.
  /// - Returns: What the body returns.
  func write(
    _ options: OperationOptions, _ body: (OperationOptions) async -> OperationPipeline.Writing
  ) async -> OperationPipeline.Writing {
    let start = now
    var options = options
    options.isTold = true
    let writing = await body(options)
    record(.cacheWritten(ClientEvent.CacheWrite(duration: now - start, error: writing.error)))
    return writing
  }
}

extension EventHub {
  /// Tells what happens to an operation; nil: nothing listens.
  func trace<Operation: GraphQLOperation>(_ type: Operation.Type) -> OperationTrace? {
    heard.map { OperationTrace($0, type) }
  }
}

extension ResponseDecodingError {
  /// The path as text, without arguments, in which there may be values of variables.
  fileprivate var place: String { path.map { "\($0)" }.joined(separator: ".") }
}

extension ClientEvent.Result {
  init<Data>(_ result: GraphQLResult<Data>) {
    self.init(
      isFromCache: result.source == .cache, errors: result.errors ?? [], nullRequiredFields: result.loggedNulls,
      byteCount: result.byteCount, hasNext: result.hasNext)
  }
}

extension ClientEvent.Request {
  init<Operation: GraphQLOperation>(
    _ passage: OperationPassage<Operation>, attempt: Int, _ details: ClientEvent.Details
  ) {
    let body = details.contains(.bodies) ? passage.bodyForEvents : nil
    self.init(
      attempt: attempt, address: passage.placeDescription,
      headerFields: details.contains(.headerFields) ? passage.asHTTP?.additionalHeaders : nil,
      body: body.flatMap { try? RequestBody.json($0) }.map { Data($0) },
      credentialNames: passage.asHTTP.map { Set($0.credentials.keys) } ?? [])
  }
}

extension ClientEvent.Response {
  init(_ response: HTTPURLResponse?, _ body: Data?, after duration: Duration, _ details: ClientEvent.Details) {
    var fields: [String: String]?
    if details.contains(.headerFields), let response {
      fields = Dictionary(response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }) { first, _ in first }
    }
    self.init(
      status: response?.statusCode, byteCount: body?.count, duration: duration, headerFields: fields,
      body: details.contains(.bodies) ? body : nil)
  }
}

extension OperationPassage {
  /// What is sent as JSON; nil if it is sent in another form.
  fileprivate var bodyForEvents: JSONEncodableDictionary? {
    guard let request = asHTTP else {
      return ApolloRequestBodyCreator().requestBody(for: operation, sendQueryDocument: false)
    }
    return (request as? any JSONBodied)?.body
  }
}
