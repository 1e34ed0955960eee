public import ApolloTransport
import ApolloAPI
import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionClient {
  /// Where redirects may lead. It holds for the requests that are sent from now on. A client's own setting, in
  /// ``ApolloClient/Configuration/HTTP-swift.struct/origins``, takes precedence.
  public final var origins: OriginPolicy {
    get { state.withLock { $0.origins } }
    set { state.withLock { $0.origins = newValue } }
  }

  /// How much a server may send. It holds for the requests that are sent from now on. A client's own setting, in
  /// ``ApolloClient/Configuration/HTTP-swift.struct/limits``, takes precedence.
  public final var limits: ResponseLimits {
    get { state.withLock { $0.limits } }
    set { state.withLock { $0.limits = newValue } }
  }

  /// Enforces the time limit for whole requests on platforms where Foundation does not, by the time of the device as it
  /// does elsewhere.
  func deadline(for task: URLSessionTask) -> Task<Void, Never>? {
    #if canImport(Darwin)
      return nil
    #else
      let seconds = configuration.timeoutIntervalForResource
      // Seven days are Foundation's default.
      guard seconds < 7 * 24 * 3600 else { return nil }
      return Task { [weak self] in
        guard (try? await SystemClock().sleep(for: .waiting(seconds))) != nil else { return }
        self?.stop(task, URLError(.timedOut, url: task.originalRequest?.url, limit: seconds))
      }
    #endif
  }

  /// Reports from now on how much of a task's bodies has been sent and received.
  func observe(
    _ task: URLSessionTask, _ onProgress: @escaping @Sendable (RequestConfiguration.TransferProgress) -> Void
  ) {
    state.withLock { $0.tasks[task.taskIdentifier]?.onProgress = onProgress }
  }

  /// Ends a task with an error of this client. The first error counts.
  func stop(_ task: URLSessionTask, _ error: any Error) {
    state.withLock { state in
      if state.tasks[task.taskIdentifier]?.failure == nil { state.tasks[task.taskIdentifier]?.failure = error }
    }
    #if canImport(Darwin)
      cancelOnce(task)
    #else
      // Cancelling waits for the queue that hands over pieces, and that may wait for the delegate, which calls this.
      DispatchQueue.global().async { self.cancelOnce(task) }
    #endif
  }

  /// Cancels a task, unless it is being cancelled.
  func cancelOnce(_ task: URLSessionTask) {
    if beginsCancelling(task) { task.cancel() }
  }

  /// Notes that a task is about to be cancelled.
  ///
  /// Foundation on Linux stops the process if two threads cancel a task while its response ends: "Trying to access a
  /// behaviour for a task that in not in the registry". The second one holds up what the first one has put into the
  /// queue of the task, until the task has been removed.
  ///
  /// - Returns: False if it is being cancelled already.
  func beginsCancelling(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      // A task that is not there has ended, or a subclass has made it elsewhere.
      guard let running = state.running[task.taskIdentifier], running.task === task else { return true }
      state.running[task.taskIdentifier]?.isBeingCancelled = true
      return !running.isBeingCancelled
    }
  }

  /// Follows a redirect, or ends the task.
  func follow(
    _ response: HTTPURLResponse, to next: URLRequest, of task: URLSessionTask,
    _ completionHandler: (URLRequest?) -> Void
  ) {
    do {
      completionHandler(try requestFollowing(response, to: next, of: task))
    } catch {
      // In this order: Foundation on Linux stops the process if it is called back for a task that was cancelled.
      completionHandler(nil)
      stop(task, error)
    }
  }

  /// The request that follows a redirect; nil if the session is not to follow it.
  ///
  /// - Throws: Why the redirect must not be followed.
  private func requestFollowing(
    _ response: HTTPURLResponse, to next: URLRequest, of task: URLSessionTask
  ) throws -> URLRequest? {
    let (redirects, rules, origins) = state.withLock { state in
      state.tasks[task.taskIdentifier]?.redirects += 1
      let pending = state.tasks[task.taskIdentifier]
      return (pending?.redirects ?? 0, pending?.rules, state.origins)
    }
    guard redirects <= Self.maximumRedirects else { throw URLError(.httpTooManyRedirects, url: next.url) }
    #if !canImport(Darwin)
      // Foundation on Linux would lose the body and the cookies of the answer, and may stop the process when it takes the
      // connection for another request (swift-corelibs-foundation, 5445). `fetch` sends the next request by a new task.
      if let redirection = rules?.redirection, response.redirectPlace != nil,
        redirection.take(task, keepsMethod: response.keepsMethod)
      {
        return nil
      }
      if response.keepsMethod { return nil }
    #endif
    guard let request = task.currentRequest ?? task.originalRequest else { return nil }
    var next = next
    #if !canImport(Darwin)
      // Foundation on Linux loses the last slash of a relative address, and would then be redirected in a circle.
      next.url = response.redirectPlace ?? next.url
    #endif
    return try (rules?.origins ?? origins).followed(next, from: request, by: response, isOperation: rules != nil)
  }
}

/// What holds for one request of an operation. It reaches the task that sends it past a subclass of ``URLSessionClient``
/// that overrides `sendRequest`, and past the requirements of ``ApolloURLSession``.
package struct ExchangeRules: Sendable {
  /// The rules of the request that is sent in this task; nil for a request that is not of an operation.
  @TaskLocal package static var current: ExchangeRules?

  /// Where a redirect may lead. nil: what the session says.
  package var origins: OriginPolicy?
  /// nil: what the session says.
  package var limits: ResponseLimits?
  /// Whether a body in parts may have any number of bytes, as that of a subscription.
  var isEndless = false
  /// Whether ``URLSessionClient`` has begun with the form of `sendRequest` for a body in memory. Only an override calls
  /// the form for a file then.
  var beginsWithoutFile = false
  /// What ``URLSessionClient`` tells `fetch` of redirects. nil if `fetch` does not send the request.
  var redirection: Redirection?

  /// Whether ``URLSessionClient`` has declined a redirect of one request, which `fetch` is to follow by a new task. A
  /// redirect that a subclass declines is not followed. An override of `sendRequest` may send other requests under these
  /// rules: the client follows their redirects as it does without `fetch`.
  final class Redirection: Sendable {
    private let address: URL?
    private let method: String?
    private let state = Locked(State())

    private struct State {
      /// The task that `sendRequest` has returned.
      var returned: URLSessionTask?
      /// Whether a request with the address and the method of `fetch` was redirected.
      var isDeclined = false
      /// The tasks of other requests that were redirected in such a way that Foundation cannot follow.
      var declined: Set<ObjectIdentifier> = []
    }

    init(of request: URLRequest) {
      address = request.url
      method = request.httpMethod
    }

    /// Whether `fetch` is to follow a redirect.
    var isToFollow: Bool {
      state.withLock { state in
        state.isDeclined || state.returned.map { state.declined.contains(ObjectIdentifier($0)) } ?? false
      }
    }

    /// Notes the task that `sendRequest` has returned. It is that of the request, also where an override has changed the
    /// address or the method.
    func note(_ task: URLSessionTask) { state.withLock { $0.returned = task } }

    /// Leaves a redirect to `fetch`.
    ///
    /// - Parameters:
    ///   - task: The task that is redirected.
    ///   - keepsMethod: Whether the redirect keeps method and body, as 307 and 308.
    /// - Returns: False if Foundation is to follow. It follows a redirect that does not keep the method, if an override has
    ///   changed the address or the method of the request: `fetch` does not know these.
    func take(_ task: URLSessionTask, keepsMethod: Bool) -> Bool {
      let request = task.originalRequest, isOwn = request?.url == address && request?.httpMethod == method
      guard isOwn || keepsMethod else { return false }
      state.withLock { state in
        if isOwn { state.isDeclined = true } else { state.declined.insert(ObjectIdentifier(task)) }
      }
      return true
    }
  }

  /// The rules for a body that the caller reads in pieces: those of the operation that is sent in this task, which a
  /// session of the app may send over another one. The bytes of a body in parts are counted there.
  static var ofPieces: ExchangeRules {
    var rules = current ?? ExchangeRules()
    rules.isEndless = true
    return rules
  }
}

extension URLSessionClient {
  /// What one form of `sendRequest` passes to the others.
  struct Description {
    @TaskLocal static var current: Description?

    /// The task description.
    var text: String?
    /// The body of the request, if it is in a file; nil if the request has it.
    var body: FileBody?
    /// Whether the form with a task description has called the other one.
    var isPassedOn = false
  }

  /// A body in a file, and the request that it belongs to. An override of `sendRequest` may send other requests before
  /// that one, or in a task that it starts.
  final class FileBody: Sendable {
    private let file: URL
    private let address: URL?
    private let method: String?

    init(_ file: URL, of request: URLRequest) {
      self.file = file
      address = request.url
      method = request.httpMethod
    }

    /// The file, for a request with the address and the method of its own; nil for another one.
    func file(for request: URLRequest) -> URL? {
      request.url == address && request.httpMethod == method ? file : nil
    }
  }

  /// What is told of an error of a task that the client has not cancelled itself.
  func reason(of error: any Error, for task: URLSessionTask) -> any Error {
    #if canImport(Darwin)
      return error.asRefusedServer(of: task)
    #else
      // Foundation asks no delegate about certificates here.
      return error
    #endif
  }
}

extension URLSession {
  /// Makes the task of a request, with its body in a file if it has none itself.
  func task(with request: URLRequest, bodyIn file: URL?) -> URLSessionTask {
    guard let file, request.httpBody == nil, request.httpBodyStream == nil, request.httpMethod != "GET" else {
      return dataTask(with: request)
    }
    return uploadTask(with: request, fromFile: file)
  }
}

extension Error {
  /// The error of a task that the client has not cancelled itself.
  ///
  /// Where a delegate refuses the certificate of a server, Apple's systems say that the task was cancelled. To the caller
  /// that would look as if the app had cancelled the operation.
  ///
  /// The error has the one of the system as its cause, because a task that the app itself cancels, past the client and
  /// before anything of its body is sent, looks the same.
  func asRefusedServer(of task: URLSessionTask) -> any Error {
    guard (self as? URLError)?.code == .cancelled, task.response == nil, task.countOfBytesSent == 0,
      let url = task.originalRequest?.url, url.scheme?.lowercased() == "https"
    else { return self }
    let information: [String: Any] = [NSURLErrorFailingURLErrorKey: url, NSUnderlyingErrorKey: self]
    return URLError(.serverCertificateUntrusted, userInfo: information)
  }
}
