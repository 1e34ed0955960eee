import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests through one long-lived `URLSession`, of which it is the delegate (on Linux, behind another object).
///
/// A session per request would cost a new connection each time, and on Linux the parsing of all root certificates.
///
/// Subclasses may override what they like, and call `super`: the two forms of `sendRequest`, through which every request
/// goes, and the methods of the session's delegate. What Foundation on Linux never calls says so.
open class URLSessionClient: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // Sendable: what changes is behind `state`'s lock. Subclasses that add state have to protect it themselves.

  /// Called with what came, on an error too.
  public typealias RawCompletion = (Data?, HTTPURLResponse?, (any Error)?) -> Void
  /// Called with the response, or with the error that took its place.
  public typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  private struct State {
    var tasks: [Int: PendingTask] = [:]
    var session: URLSession?
    var isInvalidated = false
  }

  /// How often a request may be sent elsewhere.
  static let maximumRedirects = 16

  private let state = Locked(State())
  private let configuration: URLSessionConfiguration
  private let callbackQueue: OperationQueue?
  private let sessionDescription: String?

  /// - Parameters:
  ///   - sessionConfiguration: `timeoutIntervalForResource`, which Foundation ignores on Linux, is kept here as well.
  ///   - callbackQueue: Where delegate methods and completions are called; nil for a queue of the session.
  ///   - sessionDescription: A name for the session, for logs.
  public init(
    sessionConfiguration: URLSessionConfiguration = .default, callbackQueue: OperationQueue? = nil,
    sessionDescription: String? = nil
  ) {
    self.configuration = sessionConfiguration.withTimeoutsFoundationKeeps.askingCacheOnlyForGET
    #if canImport(Darwin)
      self.callbackQueue = callbackQueue
    #else
      self.callbackQueue = callbackQueue ?? DelegateQueue()
    #endif
    self.sessionDescription = sessionDescription
  }

  /// The session, which is made when it is first needed; nil after ``invalidate()``.
  ///
  /// Implicitly unwrapped as in releases 0.27 to 1.25 of Apollo iOS; a client that may have been invalidated is asked with
  /// `if let session = client.session`.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var session: URLSession! {
    state.withLock { state -> URLSession? in
      if state.isInvalidated { return nil }
      if let session = state.session { return session }
      #if canImport(Darwin)
        let delegate = self
      #else
        let delegate = SessionDelegate(self)
      #endif
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: callbackQueue)
      session.sessionDescription = sessionDescription
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
  /// By default it calls ``sendRequest(_:rawTaskCompletionHandler:completion:)``, which subclasses of releases before 1.9
  /// override.
  ///
  /// - Parameters:
  ///   - taskDescription: A name for the task, for logs.
  ///   - rawTaskCompletionHandler: Called once, first, with whatever came.
  ///   - completion: Called once, unless the task is cancelled by ``cancel(task:)``. A body in parts
  ///     (`multipart/mixed`, `text/event-stream`) is handed on in pieces as they come, and its end is told to
  ///     `rawTaskCompletionHandler`.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
    completion: @escaping Completion
  ) -> URLSessionTask {
    // An override of the other form may come back to this one.
    guard Description.current == nil else {
      return start(request, taskDescription, rawTaskCompletionHandler, completion) { $0.dataTask(with: $1) }
    }
    return Description.$current.withValue(Description(text: taskDescription)) {
      sendRequest(request, rawTaskCompletionHandler: rawTaskCompletionHandler, completion: completion)
    }
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - rawTaskCompletionHandler: Called once, first, with whatever came.
  ///   - completion: As often as that of ``sendRequest(_:taskDescription:rawTaskCompletionHandler:completion:)``.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, rawTaskCompletionHandler: RawCompletion? = nil, completion: @escaping Completion
  ) -> URLSessionTask {
    start(request, Description.current?.text, rawTaskCompletionHandler, completion) { $0.dataTask(with: $1) }
  }

  /// Sends a request whose body is a file, which does not pass through memory.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, fromFile file: URL, taskDescription: String? = nil,
    rawTaskCompletionHandler: RawCompletion? = nil, completion: @escaping Completion
  ) -> URLSessionTask {
    start(request, taskDescription, rawTaskCompletionHandler, completion) {
      $0.uploadTask(with: $1, fromFile: file)
    }
  }

  private func start(
    _ request: URLRequest, _ description: String?, _ rawCompletion: RawCompletion?, _ completion: @escaping Completion,
    _ make: (URLSession, URLRequest) -> URLSessionTask
  ) -> URLSessionTask {
    guard let session else {
      completion(.failure(URLSessionClientError.sessionInvalidated))
      // Somebody has to be returned; it is never started.
      return URLSession.shared.dataTask(with: request)
    }
    let task = make(session, request.withTimeoutFoundationKeeps)
    task.taskDescription = description
    var pending = PendingTask(handlers: PendingTask.Handlers(raw: rawCompletion, completion: completion))
    pending.deadline = deadline(for: task)
    state.withLock { $0.tasks[task.taskIdentifier] = pending }
    task.resume()
    return task
  }

  /// Keeps the limit for whole requests where Foundation does not.
  private func deadline(for task: URLSessionTask) -> Task<Void, Never>? {
    #if canImport(Darwin)
      return nil
    #else
      let seconds = configuration.timeoutIntervalForResource
      // Seven days are the default.
      guard seconds < 7 * 24 * 3600 else { return nil }
      return Task { [weak self] in
        guard (try? await Task.sleep(for: .waiting(seconds))) != nil else { return }
        self?.stop(task, URLError(.timedOut, url: task.originalRequest?.url))
      }
    #endif
  }

  /// Tells how much of a task's bodies has been sent and has come, from now on.
  func observe(_ task: URLSessionTask, _ onProgress: @escaping @Sendable (TransferProgress) -> Void) {
    state.withLock { $0.tasks[task.taskIdentifier]?.onProgress = onProgress }
  }

  /// Ends a task with an error of the client's own.
  private func stop(_ task: URLSessionTask, _ error: any Error) {
    state.withLock { $0.tasks[task.taskIdentifier]?.failure = error }
    task.cancel()
  }

  /// Stops a task; its completion is not called.
  open func cancel(task: URLSessionTask) {
    clear(task: task.taskIdentifier)
    task.cancel()
  }

  /// Forgets a task: its completion is not called any more.
  open func clear(task identifier: Int) { _ = take(identifier) }

  /// Forgets all tasks.
  open func clearAllTasks() {
    let tasks = state.withLock { state in
      let tasks = state.tasks
      state.tasks = [:]
      return tasks
    }
    for task in tasks.values { task.deadline?.cancel() }
  }

  private func take(_ identifier: Int) -> PendingTask? {
    let pending = state.withLock { $0.tasks.removeValue(forKey: identifier) }
    pending?.deadline?.cancel()
    return pending
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
    for task in tasks.values {
      task.deadline?.cancel()
      task.handlers.completion(.failure(error))
    }
  }

  /// Answers what a server's certificate, or a proxy, asks. By default as the system does. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.performDefaultHandling, nil)
  }

  // MARK: URLSessionTaskDelegate

  /// Answers a server that asks for a name and a password (`WWW-Authenticate: Basic` and the like).
  ///
  /// By default as the system does: with what the session's `URLCredentialStorage` has for the server; and if it has
  /// nothing, the 401 is the response.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.performDefaultHandling, nil)
  }

  /// Follows a redirect, but takes no secrets to another server.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let redirects = state.withLock { state in
      state.tasks[task.taskIdentifier]?.redirects += 1
      return state.tasks[task.taskIdentifier]?.redirects ?? 0
    }
    guard redirects <= Self.maximumRedirects else {
      completionHandler(nil)
      return stop(task, URLError(.httpTooManyRedirects, url: request.url))
    }
    // Foundation on Linux would lose the body; `fetch` follows instead.
    if response.keepsBodyInRedirect { return completionHandler(nil) }
    var request = request
    #if !canImport(Darwin)
      // Foundation on Linux loses the last slash of a place that is relative, and so would be sent around in a circle.
      request.url = response.redirectPlace ?? request.url
    #endif
    // Without a body, nothing may be said of one (RFC 9110, section 15.4).
    if request.httpMethod == "GET" { request.setValue(nil, forHTTPHeaderField: "Content-Type") }
    completionHandler(request.withoutSecrets(unlessSameOriginAs: task.originalRequest?.url))
  }

  #if !canImport(Darwin)
    /// Ends a request whose kept connection was closed before anything was answered, as Apple's platforms do.
    ///
    /// libcurl wants to send the body again. Foundation can do that for streams only, traps if it is given one for another
    /// body, and waits for the timeout with a busy processor if it is given none. ``fetch(_:file:description:mayRepeat:)``
    /// sends again what may be sent twice.
    open func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      completionHandler(nil)
      // This is called on the very queue that cancelling waits for.
      DispatchQueue.global().async { [self] in
        stop(task, URLError(.networkConnectionLost, url: task.originalRequest?.url))
      }
    }
  #endif

  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      // What follows is another protocol, and Foundation on Linux would take it for the body until the timeout.
      if response.statusCode == 101 {
        completionHandler(.cancel)
        return stop(dataTask, URLError(.badServerResponse, url: response.url))
      }
      let isStream = response.isStream
      let stream = state.withLock { $0.tasks[dataTask.taskIdentifier]?.begin(response, isStream) }
      // A body in parts has begun, also if nothing of it should ever come.
      stream?.completion(.success((Data(), response)))
    }
    completionHandler(.allow)
  }

  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (stream, onProgress) = state.withLock { state in
      let stream = state.tasks[dataTask.taskIdentifier]?.take(data)
      let pending = state.tasks[dataTask.taskIdentifier]
      return (stream, pending?.onProgress.map { onProgress in (onProgress, pending?.data.count ?? 0) })
    }
    if let (onProgress, count) = onProgress, count > 0 {
      let total = (dataTask.response as? HTTPURLResponse)?.announcedLength
      onProgress(TransferProgress(.download, completed: Int64(count), total: total))
    }
    if let (handlers, response) = stream { handlers.completion(.success((data, response))) }
  }

  open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    take(task.taskIdentifier)?.finish(error, of: task)
  }

  // MARK: For subclasses

  #if canImport(Darwin) && !os(macOS)
    /// All events of a session in the background have been told. The client itself does nothing here.
    open func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
  #endif

  /// What a task's connection took, part by part. The client itself does nothing with it. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {}

  /// A task waits for a network. The client itself does nothing here. (Never called on Linux.)
  open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}

  /// A part of the request's body is on its way.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    let onProgress = state.withLock { $0.tasks[task.taskIdentifier]?.onProgress }
    let total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
    onProgress?(TransferProgress(.upload, completed: totalBytesSent, total: total))
  }

  /// A request that was to wait may begin. By default it begins as it is. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    completionHandler(.continueLoading, request)
  }

  /// A response is about to be put into the session's `URLCache`. By default it is. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(proposedResponse)
  }

  /// The client itself never makes streams of tasks, and does nothing here. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
  ) {}

  /// The client itself never makes downloads of tasks, and does nothing here. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
  ) {}
}

/// The description that one form of `sendRequest` has for the other.
private struct Description {
  @TaskLocal static var current: Description?

  let text: String?
}
