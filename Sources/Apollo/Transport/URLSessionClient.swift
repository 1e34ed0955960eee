import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests through one long-lived `URLSession`, of which it is the delegate.
///
/// A session per request would cost a new connection each time, and on Linux the parsing of all root certificates.
open class URLSessionClient: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // Sendable: what changes is behind `state`'s lock. Subclasses that add state have to protect it themselves.

  public enum URLSessionClientError: ApolloError {
    case noHTTPResponse(request: URLRequest?)
    case sessionBecameInvalidWithoutUnderlyingError
    case dataForRequestNotFound(request: URLRequest?)
    case networkError(data: Data, response: HTTPURLResponse?, underlying: any Error)
    case sessionInvalidated

    public var code: ApolloErrorCode {
      if case .networkError(_, _, let error as URLError) = self, error.code == .cancelled { return .cancelled }
      return .network
    }

    public var httpStatus: Int? {
      if case .networkError(_, let response, _) = self { return response?.statusCode }
      return nil
    }

    public var cause: (any Error)? {
      if case .networkError(_, _, let error) = self { return error }
      return nil
    }

    public var message: String {
      switch self {
      case .noHTTPResponse(let request): "The response is not one of HTTP\(Self.place(request))."
      case .sessionBecameInvalidWithoutUnderlyingError: "The URL session became invalid."
      case .dataForRequestNotFound(let request): "There is no record of the request\(Self.place(request))."
      case .networkError(_, _, let error): (error as? URLError)?.explanation ?? "\(error)"
      case .sessionInvalidated: "The URL session was invalidated before the request."
      }
    }

    private static func place(_ request: URLRequest?) -> String {
      request?.url.map { " (\($0.absoluteString))" } ?? ""
    }
  }

  /// Called with what came, on an error too.
  public typealias RawCompletion = @Sendable (Data?, HTTPURLResponse?, (any Error)?) -> Void
  public typealias Completion = @Sendable (Result<(Data, HTTPURLResponse), any Error>) -> Void

  private struct PendingTask {
    var data = Data()
    var response: HTTPURLResponse?
    var rawCompletion: RawCompletion?
    var completion: Completion
  }

  private struct State {
    var tasks: [Int: PendingTask] = [:]
    var session: URLSession?
    var isInvalidated = false
  }

  private let state = Locked(State())
  private let configuration: URLSessionConfiguration
  private let callbackQueue: OperationQueue?

  /// - Parameter callbackQueue: Where delegate methods and completions are called; nil for a queue of the session.
  public init(sessionConfiguration: URLSessionConfiguration = .default, callbackQueue: OperationQueue? = nil) {
    self.configuration = sessionConfiguration
    self.callbackQueue = callbackQueue
  }

  /// The session, which is made when it is first needed.
  private func session() -> URLSession? {
    state.withLock { state in
      if state.isInvalidated { return nil }
      if let session = state.session { return session }
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: callbackQueue)
      state.session = session
      return session
    }
  }

  /// Cancels all requests. Later ones fail with `sessionInvalidated`.
  open func invalidate() {
    let session = state.withLock { state in
      state.isInvalidated = true
      let session = state.session
      state.session = nil
      return session
    }
    session?.invalidateAndCancel()
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - taskDescription: A name for the task, for logs.
  ///   - rawTaskCompletionHandler: Called first, with whatever came.
  ///   - completion: Called once, unless the task is cancelled by ``cancel(task:)``.
  /// - Returns: The task; nil if the client was invalidated.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
    completion: @escaping Completion
  ) -> URLSessionTask? {
    guard let session = session() else {
      completion(.failure(URLSessionClientError.sessionInvalidated))
      return nil
    }
    let task = session.dataTask(with: request)
    task.taskDescription = taskDescription
    state.withLock {
      $0.tasks[task.taskIdentifier] = PendingTask(rawCompletion: rawTaskCompletionHandler, completion: completion)
    }
    task.resume()
    return task
  }

  /// Stops a task; its completion is not called.
  open func cancel(task: URLSessionTask) {
    _ = take(task)
    task.cancel()
  }

  private func take(_ task: URLSessionTask) -> PendingTask? {
    state.withLock { $0.tasks.removeValue(forKey: task.taskIdentifier) }
  }

  /// Sends a request and waits for the whole response.
  func data(for request: URLRequest, description: String) async throws -> (Data, HTTPURLResponse) {
    let running = Locked<(task: URLSessionTask?, isCancelled: Bool)>((nil, false))
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = sendRequest(request, taskDescription: description) { continuation.resume(with: $0) }
        let isCancelled = running.withLock { running in
          running.task = task
          return running.isCancelled
        }
        // Cancelled while it was being started. The task's own cancellation does call the completion.
        if isCancelled { task?.cancel() }
      }
    } onCancel: {
      let task = running.withLock { running in
        running.isCancelled = true
        return running.task
      }
      task?.cancel()
    }
  }

  // MARK: URLSessionDelegate

  open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    let tasks = state.withLock { state in
      state.isInvalidated = true
      let tasks = state.tasks
      state.tasks = [:]
      return tasks
    }
    let error = error ?? URLSessionClientError.sessionBecameInvalidWithoutUnderlyingError
    for task in tasks.values { task.completion(.failure(error)) }
  }

  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    state.withLock { $0.tasks[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse }
    completionHandler(.allow)
  }

  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    state.withLock { $0.tasks[dataTask.taskIdentifier]?.data.append(data) }
  }

  open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let pending = take(task) else { return }
    let response = pending.response ?? task.response as? HTTPURLResponse
    pending.rawCompletion?(pending.data, response, error)
    if let error {
      pending.completion(
        .failure(URLSessionClientError.networkError(data: pending.data, response: response, underlying: error)))
    } else if let response {
      pending.completion(.success((pending.data, response)))
    } else {
      pending.completion(.failure(URLSessionClientError.noHTTPResponse(request: task.originalRequest)))
    }
  }
}
