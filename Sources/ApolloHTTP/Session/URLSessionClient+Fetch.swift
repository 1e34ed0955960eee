import ApolloOperations
import ApolloTransport
import ApolloConcurrency
import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionClient {
  /// Sends a request and waits for the response: for all of it, or for the beginning of one that comes in parts.
  ///
  /// It calls ``sendRequest(_:taskDescription:rawTaskCompletionHandler:completion:)``, which subclasses override.
  ///
  /// If a kept connection is lost before anything was received, as when a server restarts, a request that may be
  /// repeated is sent a second time (RFC 9110, section 9.2.2).
  func fetch(_ exchange: HTTPExchange) async throws -> FetchedResponse {
    do {
      return try await fetchFollowingRedirects(exchange)
    } catch let error as URLSessionClientError
      where exchange.mayRepeat && error.isLossBeforeResponse && exchange.request.httpBodyStream == nil
    {
      try Task.checkCancellation()
      return try await fetchFollowingRedirects(exchange)
    }
  }

  private func fetchFollowingRedirects(_ exchange: HTTPExchange) async throws -> FetchedResponse {
    var exchange = exchange
    for _ in 0...Self.maximumRedirects {
      let (fetched, isToFollow) = try await fetchOnce(exchange)
      guard isToFollow,
        let next = try (exchange.rules.origins ?? origins).redirected(exchange.request, by: fetched.response)
      else { return fetched }
      // What was read from a stream is gone. Apple's systems end a request in this way, too.
      guard exchange.request.httpBodyStream == nil else {
        throw URLSessionClientError.networkError(
          data: Data(), response: fetched.response, underlying: URLError(.requestBodyStreamExhausted, url: next.url))
      }
      exchange.request = next
    }
    throw URLSessionClientError.networkError(
      data: Data(), response: nil, underlying: URLError(.httpTooManyRedirects, url: exchange.request.url))
  }

  /// - Returns: The response, and whether it is a redirect that the client has not let Foundation follow.
  private func fetchOnce(_ exchange: HTTPExchange) async throws -> (FetchedResponse, isToFollow: Bool) {
    let request = exchange.request, description = exchange.description
    let redirection = ExchangeRules.Redirection(of: request)
    var rules = exchange.rules
    rules.beginsWithoutFile = exchange.file == nil
    rules.redirection = redirection
    let receiver = Receiver(limit: (rules.limits ?? limits).waitingSize) { [weak self] task in
      if let self { cancelOnce(task) } else { task.cancel() }
    }
    let fetched = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard receiver.start(continuation) else { return }
        // When neither of the two can be called any more, because the task was cleared or a subclass gave up, the fetch
        // ends.
        let end = CompletionToken { receiver.end(throwing: URLError(.cancelled)) }
        let raw: RawCompletion = { _, _, error in
          withExtendedLifetime(end) { if error == nil { receiver.endOfPieces() } }
        }
        let completion: Completion = { result in withExtendedLifetime(end) { receiver.receive(result) } }
        let task = ExchangeRules.$current.withValue(rules) {
          if let file = exchange.file {
            // (What an override of another request has started may have the values of that one.)
            Description.$current.withValue(nil) {
              sendRequest(
                request, fromFile: file, taskDescription: description, rawTaskCompletionHandler: raw,
                completion: completion)
            }
          } else {
            sendRequest(
              request, taskDescription: description, rawTaskCompletionHandler: raw, completion: completion)
          }
        }
        redirection.note(task)
        if let onProgress = exchange.onProgress { observe(task, onProgress) }
        receiver.attach(task)
      }
    } onCancel: {
      receiver.cancel()
    }
    if redirection.isToFollow { return (fetched, isToFollow: true) }
    if let lost = receiver.lostOperation(of: request) { throw lost }
    return (fetched, isToFollow: false)
  }
}

/// Connects the callbacks of a URL session task with the task that waits for the response.
private final class Receiver: Sendable {
  private struct State {
    var waiting: CheckedContinuation<FetchedResponse, any Error>?
    var pieces: WaitingPieces?
    var task: URLSessionTask?
    var isCancelled = false
  }

  private let limit: Int
  private let cancelTask: @Sendable (URLSessionTask) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - limit: How many bytes of a body in parts may wait to be read.
  ///   - cancelTask: Cancels the task of the session.
  init(limit: Int, cancelTask: @escaping @Sendable (URLSessionTask) -> Void) {
    self.limit = limit
    self.cancelTask = cancelTask
  }

  /// - Returns: False if the waiting task was cancelled.
  func start(_ continuation: CheckedContinuation<FetchedResponse, any Error>) -> Bool {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
    return !isCancelled
  }

  func attach(_ task: URLSessionTask) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    // Cancelled while it was being started.
    if isCancelled { cancelTask(task) }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    // The URL session task then ends with an error, which is ignored. It is not awaited, because a subclass may have
    // returned a task that never runs.
    if let task { cancelTask(task) }
    take()?.resume(throwing: CancellationError())
  }

  /// The error for a redirect on which the session sent a `GET` without the body of the request: a subclass may decide so.
  /// nil if there was none.
  func lostOperation(of request: URLRequest) -> NetworkFetchInterceptor.RedirectError? {
    // (A subclass may have returned a task that has nothing to do with the request.)
    guard request.httpMethod == "POST", let task = state.withLock({ $0.task }),
      task.originalRequest?.httpMethod == "POST", let last = task.currentRequest, last.httpMethod == "GET",
      let from = request.url, let to = last.url
    else { return nil }
    cancel()
    return NetworkFetchInterceptor.RedirectError(from: from, to: to, status: nil, .lostOperation)
  }

  func receive(_ result: Result<(Data, HTTPURLResponse), any Error>) {
    switch result {
    case .failure(let error): end(throwing: error)
    case .success((let data, let response)):
      guard response.isStream else {
        take()?.resume(returning: FetchedResponse(response: response, body: .whole(data)))
        return
      }
      if let waiting = take() {
        let (stream, pieces) = WaitingPieces.make(limit: limit, of: response) { [weak self] in self?.cancel() }
        state.withLock { $0.pieces = pieces }
        pieces.add(data)
        waiting.resume(returning: FetchedResponse(response: response, body: .pieces(stream)))
      } else {
        state.withLock { $0.pieces }?.add(data)
      }
    }
  }

  func endOfPieces() { state.withLock { $0.pieces }?.finish(throwing: nil) }

  func end(throwing error: any Error) {
    take()?.resume(throwing: error)
    state.withLock { $0.pieces }?.finish(throwing: error)
  }

  private func take() -> CheckedContinuation<FetchedResponse, any Error>? {
    state.withLock { state in
      let waiting = state.waiting
      state.waiting = nil
      return waiting
    }
  }
}
