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
  var redirects = 0
  /// The error with which the client itself stopped the task; nil if it did not.
  var failure: (any Error)?
  var deadline: Task<Void, Never>?
  var onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)?
  let handlers: Handlers

  /// - Returns: Whom to tell that a body in parts begins.
  mutating func begin(_ response: HTTPURLResponse, _ isStream: Bool) -> Handlers? {
    self.response = response
    // Data that came before belongs to a response that Foundation answered with credentials.
    data = Data()
    self.isStream = isStream
    return isStream ? handlers : nil
  }

  /// - Returns: To whom this piece of a body goes at once.
  mutating func take(_ piece: Data) -> (Handlers, HTTPURLResponse)? {
    if isStream, let response { return (handlers, response) }
    // (Most bodies come in one piece, which need not be copied.)
    if data.isEmpty { data = piece } else { data.append(piece) }
    return nil
  }

  /// Calls the completions at the end of the task.
  func finish(_ error: (any Error)?, of task: URLSessionTask) {
    let error = failure ?? error
    let response = response ?? task.response as? HTTPURLResponse
    handlers.raw?(data, response, error)
    if let error {
      handlers.completion(
        .failure(
          URLSessionClient.URLSessionClientError.networkError(data: data, response: response, underlying: error)))
    } else if let response {
      if !isStream { handlers.completion(.success((data, response))) }
    } else {
      handlers.completion(
        .failure(URLSessionClient.URLSessionClientError.noHTTPResponse(request: task.originalRequest)))
    }
  }
}
