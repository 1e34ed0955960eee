import ApolloTransport
import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The state of a request that a ``URLSessionClient`` has sent.
struct PendingTask {
  /// The completions of the request.
  struct Handlers: @unchecked Sendable {
    // The closures are the app's. They are called one at a time: by the session, on the queue of its delegate.

    let raw: URLSessionClient.RawCompletion?
    let completion: URLSessionClient.Completion
  }

  var data = Data()
  var response: HTTPURLResponse?
  /// Whether pieces of the body are delivered as they arrive.
  var isStream = false
  /// nil for a request that is not that of an operation.
  var rules: ExchangeRules?
  var meter: BodyMeter?
  var redirects = 0
  /// The error with which the client itself stopped the task; nil if it did not.
  var failure: (any Error)?
  var deadline: Task<Void, Never>?
  var onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)?
  let handlers: Handlers

  /// Begins a response.
  ///
  /// - Parameters:
  ///   - response: Status and header fields.
  ///   - limits: How much may come, if the rules of the request do not say it.
  /// - Returns: Whom to tell that a body in parts begins.
  /// - Throws: ``ResponseLimits/Exceeded``, if the server announces too much.
  mutating func begin(
    _ response: HTTPURLResponse, limits: ResponseLimits
  ) throws(ResponseLimits.Exceeded) -> Handlers? {
    self.response = response
    // Data that came before belongs to a response that Foundation answered with credentials.
    data = Data()
    isStream = response.isStream
    meter = try BodyMeter(response, rules?.limits ?? limits, isEndless: rules?.isEndless ?? true)
    return isStream ? handlers : nil
  }

  /// Takes a piece of a body.
  ///
  /// - Returns: The handlers that the piece goes to at once; a failure if the body is too large.
  mutating func take(_ piece: Data) -> Result<(Handlers, HTTPURLResponse)?, any Error> {
    // What still comes of a body that was too large.
    guard failure == nil else { return .success(nil) }
    do {
      try meter?.add(piece.count)
    } catch {
      data = Data()
      failure = error
      return .failure(error)
    }
    if isStream, let response { return .success((handlers, response)) }
    // (Most bodies come in one piece, which need not be copied.)
    if data.isEmpty { data = piece } else { data.append(piece) }
    return .success(nil)
  }

  /// Calls the completions at the end of the task.
  func finish(_ error: (any Error)?, of task: URLSessionTask) {
    let error = (failure ?? error).map { ($0 as? URLError)?.naming(task.originalRequest) ?? $0 }
    let response = response ?? task.response as? HTTPURLResponse
    handlers.raw?(data, response, error)
    if let error {
      let failure =
        error is any ApolloError
        ? error
        : URLSessionClient.URLSessionClientError.networkError(data: data, response: response, underlying: error)
      handlers.completion(.failure(failure))
    } else if let response {
      if !isStream { handlers.completion(.success((data, response))) }
    } else {
      handlers.completion(
        .failure(URLSessionClient.URLSessionClientError.noHTTPResponse(request: task.originalRequest)))
    }
  }
}

/// A task that has not ended.
struct RunningTask {
  let task: URLSessionTask
  var isBeingCancelled = false
}
