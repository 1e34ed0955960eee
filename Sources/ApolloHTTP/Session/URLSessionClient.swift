import ApolloTransport
import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests through one long-lived `URLSession`, and is the delegate of that session. (On Linux another object is
/// the delegate and calls this one.) A session holds its delegate, so a client lives until ``invalidate()`` is called.
/// A session for each request would open new connections, and on Linux parse all root certificates, each time.
///
/// A subclass may override the two forms of `sendRequest`, through which every request goes, and the methods of the
/// session's delegate, and call `super`. A body in a file is not in the request. What Linux never calls is marked.
open class URLSessionClient: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // Sendable: what changes is behind the lock of `state`. A subclass that adds state must protect it.

  /// Called with the body and the response as far as they came, and with the error if there was one.
  public typealias RawCompletion = (Data?, HTTPURLResponse?, (any Error)?) -> Void
  /// Called with the body and the response, or with the error.
  public typealias Completion = (Result<(Data, HTTPURLResponse), any Error>) -> Void

  struct State {
    var tasks: [Int: PendingTask] = [:]
    /// The tasks that have not ended, also those whose completions are no longer called.
    var running: [Int: RunningTask] = [:]
    var session: URLSession?
    var isInvalidated = false
    var origins = OriginPolicy()
    var limits = ResponseLimits()
  }

  /// How many redirects of one request are followed.
  static let maximumRedirects = 16

  let state = Locked(State())
  /// Held while a task is made, so that the session does not end meanwhile. (The delegate's calls take `state` alone.)
  private let starting = NSLock()
  let configuration: URLSessionConfiguration
  private let callbackQueue: OperationQueue?
  private let sessionDescription: String?
  private let refusal: UnsupportedConfiguration?

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - sessionConfiguration: The configuration of the session. Its `timeoutIntervalForResource`, which Foundation
  ///     ignores on Linux, works there as well. If it has Foundation's `httpMaximumConnectionsPerHost`, the client has 64.
  ///     One for the background is refused: ``UnsupportedConfiguration``.
  ///   - callbackQueue: Where delegate methods and completions are called. nil, the default: on a queue of the session.
  ///   - sessionDescription: A name for the session, for logs. nil, the default: none.
  public init(
    sessionConfiguration: URLSessionConfiguration = .default, callbackQueue: OperationQueue? = nil,
    sessionDescription: String? = nil
  ) {
    refusal = sessionConfiguration.identifier.map { UnsupportedConfiguration(identifier: $0) }
    self.configuration = sessionConfiguration.forOperations
    self.callbackQueue = callbackQueue.ofSession
    self.sessionDescription = sessionDescription
  }

  /// Makes a client, in the form that a subclass written for Apollo iOS 0.27 to 0.53 overrides.
  @_disfavoredOverload
  public init(sessionConfiguration: URLSessionConfiguration, callbackQueue: OperationQueue?) {
    refusal = sessionConfiguration.identifier.map { UnsupportedConfiguration(identifier: $0) }
    self.configuration = sessionConfiguration.forOperations
    self.callbackQueue = callbackQueue.ofSession
    sessionDescription = nil
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The session, made when it is first needed. nil after ``invalidate()``, and if the configuration is refused.
  ///
  /// It is implicitly unwrapped, as in Apollo iOS 0.27 to 1.25. If a client may have been invalidated, ask with `if let
  /// session = client.session`.
  open var session: URLSession! {
    state.withLock { state -> URLSession? in
      if state.isInvalidated || refusal != nil { return nil }
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

  /// Cancels all requests. Later requests fail with ``URLSessionClientError/sessionInvalidated``.
  ///
  /// Tasks that an app has made with the session itself are cancelled on Apple's systems. On Linux they come to their end.
  open func invalidate() {
    let (session, tasks) = starting.withLock {
      state.withLock { state in
        state.isInvalidated = true
        let session = state.session
        state.session = nil
        return (session, state.running.values.map(\.task))
      }
    }
    #if canImport(Darwin)
      session?.invalidateAndCancel()
    #else
      // In place of the session, which would cancel once more what is being cancelled.
      for task in tasks { cancelOnce(task) }
      // (The session's own list of tasks is not asked for: Foundation on Linux reads it while it changes, and crashes.)
      session?.finishTasksAndInvalidate()
    #endif
  }

  /// Sends a request.
  ///
  /// By default it calls ``sendRequest(_:rawTaskCompletionHandler:completion:)``, which subclasses written for Apollo
  /// iOS before 1.9 override.
  ///
  /// - Parameters:
  ///   - request: The request, with its body.
  ///   - taskDescription: A name for the task, for logs. nil, the default: none.
  ///   - rawTaskCompletionHandler: Called once, before `completion`, with everything that came. nil, the default: none.
  ///   - completion: Called once, unless the task is cancelled with ``cancel(task:)``. For a body in parts
  ///     (`multipart/mixed`, `text/event-stream`) it is called with each piece as it arrives; the end is told to
  ///     `rawTaskCompletionHandler`.
  /// - Returns: The task of the request, which has been started.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, taskDescription: String? = nil, rawTaskCompletionHandler: RawCompletion? = nil,
    completion: @escaping Completion
  ) -> URLSessionTask {
    let current = Description.current
    // An override of the other form may come back to this one.
    guard current?.isPassedOn != true else {
      return start(
        request, current?.body?.file(for: request), description: taskDescription,
        rawCompletion: rawTaskCompletionHandler, completion: completion)
    }
    let next = Description(text: taskDescription, body: current?.body, isPassedOn: true)
    return Description.$current.withValue(next) {
      sendRequest(request, rawTaskCompletionHandler: rawTaskCompletionHandler, completion: completion)
    }
  }

  /// Sends a request. A subclass written for Apollo iOS before 1.9 overrides this form.
  ///
  /// - Parameters:
  ///   - request: The request, with its body.
  ///   - rawTaskCompletionHandler: Called once, before `completion`, with everything that came. nil, the default: none.
  ///   - completion: Called once, or with each piece of a body in parts, as in
  ///     ``sendRequest(_:taskDescription:rawTaskCompletionHandler:completion:)``.
  /// - Returns: The task of the request, which has been started.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, rawTaskCompletionHandler: RawCompletion? = nil, completion: @escaping Completion
  ) -> URLSessionTask {
    let current = Description.current
    return start(
      request, current?.body?.file(for: request), description: current?.text, rawCompletion: rawTaskCompletionHandler,
      completion: completion)
  }

  /// Sends a request whose body is in a file. The body does not pass through memory.
  ///
  /// By default it calls ``sendRequest(_:taskDescription:rawTaskCompletionHandler:completion:)`` with the request, which
  /// has no body then. An override passes it on before it returns, with its address and method, and gives it no body.
  @discardableResult
  open func sendRequest(
    _ request: URLRequest, fromFile file: URL, taskDescription: String? = nil,
    rawTaskCompletionHandler: RawCompletion? = nil, completion: @escaping Completion
  ) -> URLSessionTask {
    // An override of another form may come back to this one, or turn to it.
    guard Description.current == nil, ExchangeRules.current?.beginsWithoutFile != true else {
      return start(
        request, file, description: taskDescription, rawCompletion: rawTaskCompletionHandler, completion: completion)
    }
    return Description.$current.withValue(Description(body: FileBody(file, of: request))) {
      sendRequest(
        request, taskDescription: taskDescription, rawTaskCompletionHandler: rawTaskCompletionHandler,
        completion: completion)
    }
  }

  private func start(
    _ request: URLRequest, _ file: URL?, description: String?, rawCompletion: RawCompletion?,
    completion: @escaping Completion
  ) -> URLSessionTask {
    let started = starting.withLock { () -> URLSessionTask? in
      guard let session else { return nil }
      let task = session.task(with: request.withTimeoutFoundationKeeps, bodyIn: file)
      task.taskDescription = description
      var pending = PendingTask(handlers: PendingTask.Handlers(raw: rawCompletion, completion: completion))
      pending.rules = ExchangeRules.current
      pending.deadline = deadline(for: task)
      state.withLock { state in
        state.tasks[task.taskIdentifier] = pending
        state.running[task.taskIdentifier] = RunningTask(task: task)
      }
      return task
    }
    guard let started else {
      completion(.failure(refusal ?? URLSessionClientError.sessionInvalidated))
      // The function must return a task. This one is never started.
      return URLSession.shared.dataTask(with: request)
    }
    started.resume()
    return started
  }

  /// Cancels a task. Its completion is not called.
  open func cancel(task: URLSessionTask) {
    clear(task: task.taskIdentifier)
    cancelOnce(task)
  }

  /// Forgets a task: its completion is no longer called.
  open func clear(task identifier: Int) { _ = take(identifier) }

  /// Forgets all tasks: their completions are no longer called.
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

  /// Fails all tasks when the session has become invalid.
  open func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    let tasks = state.withLock { state in
      state.isInvalidated = true
      let tasks = state.tasks
      state.tasks = [:]
      state.running = [:]
      return tasks
    }
    let error = error ?? URLSessionClientError.sessionBecameInvalidWithoutUnderlyingError
    for task in tasks.values {
      task.deadline?.cancel()
      task.handlers.completion(.failure(error))
    }
  }

  /// Answers a challenge about the certificate of a server, or of a proxy. By default the system answers it. (Never
  /// called on Linux.)
  open func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.performDefaultHandling, nil)
  }

  // MARK: URLSessionTaskDelegate

  /// Answers a server that asks for a name and a password (such as `WWW-Authenticate: Basic`).
  ///
  /// By default the system answers, with the credentials of the session's `URLCredentialStorage` for the server. If
  /// there are none, the response has status 401.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.performDefaultHandling, nil)
  }

  /// Follows a redirect as ``origins`` allows it; on Linux one of an operation by a new task. Where that is not allowed, the
  /// task ends with a ``NetworkFetchInterceptor/RedirectError``. A subclass that overrides this decides itself.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    follow(response, to: request, of: task, completionHandler)
  }

  #if !canImport(Darwin)
    /// Ends a request whose kept connection was closed before any answer, as Apple's platforms do.
    ///
    /// libcurl wants to send the body again. Foundation supports that for streams only: it traps if it is given a
    /// stream for another kind of body, and waits for the timeout with a busy processor if it is given none.
    /// `fetch(_:)` sends again what may be sent twice.
    open func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      completionHandler(nil)
      stop(task, URLError(.networkConnectionLost, url: task.originalRequest?.url))
    }
  #endif

  /// Begins a response. A response in parts is passed on at once.
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse {
      // What follows is another protocol. Foundation on Linux would take it for the body and wait until the timeout.
      if response.statusCode == 101 {
        completionHandler(.cancel)
        return stop(dataTask, URLError(.badServerResponse, url: response.url))
      }
      do {
        let stream = try state.withLock { state in
          try state.tasks[dataTask.taskIdentifier]?.begin(response, limits: state.limits)
        }
        // The response in parts has begun, even if nothing more of it should come.
        stream?.completion(.success((Data(), response)))
      } catch {
        completionHandler(.cancel)
        return stop(dataTask, error)
      }
    }
    completionHandler(.allow)
  }

  /// Adds a piece of a body. A piece of a response in parts is passed on at once.
  open func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (stream, onProgress) = state.withLock { state in
      let stream = state.tasks[dataTask.taskIdentifier]?.take(data)
      let pending = state.tasks[dataTask.taskIdentifier]
      return (stream, pending?.onProgress.map { onProgress in (onProgress, pending?.data.count ?? 0) })
    }
    if case .failure(let error)? = stream { return stop(dataTask, error) }
    if let (onProgress, count) = onProgress, count > 0 {
      let total = (dataTask.response as? HTTPURLResponse)?.announcedLength
      onProgress(RequestConfiguration.TransferProgress(.download, completed: Int64(count), total: total))
    }
    if case .success(let (handlers, response)?)? = stream { handlers.completion(.success((data, response))) }
  }

  /// Completes a task.
  open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let isCancelledHere = state.withLock { state in
      state.running.removeValue(forKey: task.taskIdentifier)?.isBeingCancelled != false || state.isInvalidated
    }
    take(task.taskIdentifier)?.finish(error.map { isCancelledHere ? $0 : reason(of: $0, for: task) }, of: task)
  }

  // MARK: For subclasses

  #if canImport(Darwin) && !os(macOS)
    /// Called when all events of a session in the background have been delivered. The client does nothing here.
    open func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
  #endif

  /// Called with the times that a task's connection took. The client does nothing here. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
  ) {}

  /// Called when a task waits for a network. The client does nothing here. (Never called on Linux.)
  open func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}

  /// Reports that a piece of a request's body has been sent.
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    let onProgress = state.withLock { $0.tasks[task.taskIdentifier]?.onProgress }
    let total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
    onProgress?(RequestConfiguration.TransferProgress(.upload, completed: totalBytesSent, total: total))
  }

  /// Called when a request that was to wait may begin. By default it begins unchanged. (Never called on Linux.)
  open func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    completionHandler(.continueLoading, request)
  }

  /// Called when a response is to be put into the session's `URLCache`. By default it is put there unchanged. (Never
  /// called on Linux.)
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(proposedResponse)
  }

  /// Called when a task becomes a stream. The client never asks for that, and does nothing here. (Never called on
  /// Linux.)
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
  ) {}

  /// Called when a task becomes a download. The client never asks for that, and does nothing here. (Never called on
  /// Linux.)
  open func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
  ) {}
}
