import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response, up to a limit. It follows no redirect.
///
/// The counted bytes are those after unpacking, which is what the session hands over.
final class Transfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// What became of a request.
  enum Outcome {
    case response(HTTPURLResponse, Data)
    /// The body, which is not that of an error, was larger than the limit.
    case tooLarge
    case redirect(HTTPURLResponse)
    case failure(any Error)
  }

  /// How many bytes of the body of an error are kept: only its beginning is shown.
  static let maximumErrorSize = 1_048_576

  private let limit: Int
  private let done = DispatchSemaphore(value: 0)
  // All that follows belongs to the queue of the session. Only the outcome is read elsewhere, behind the semaphore.
  private var response: HTTPURLResponse?
  private var body = Data()
  private var outcome: Outcome?

  private init(limit: Int) { self.limit = limit }

  /// Sends a request, and blocks the thread until there is an outcome.
  static func perform(_ request: URLRequest, timeout: Double, limit: Int) -> Outcome {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = timeout
    // A schema is always asked for.
    configuration.urlCache = nil
    let transfer = Transfer(limit: limit)
    let session = URLSession(configuration: configuration, delegate: transfer, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    session.dataTask(with: request).resume()
    // On Linux, URLSession ignores deadlines that are shorter than a second, and those of servers that send nothing.
    guard transfer.done.wait(timeout: .now() + timeout) == .success, let outcome = transfer.outcome else {
      return .failure(URLError(.timedOut))
    }
    return outcome
  }

  private func finish(_ outcome: Outcome) {
    guard self.outcome == nil else { return }
    self.outcome = outcome
    body = Data()
    done.signal()
  }

  // MARK: - The session

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
    finish(.redirect(response))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    self.response = response as? HTTPURLResponse
    let isTooLarge = !isError && response.expectedContentLength > Int64(limit)
    completionHandler(isTooLarge ? .cancel : .allow)
    if isTooLarge { finish(.tooLarge) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard outcome == nil else { return }
    let maximum = isError ? min(Self.maximumErrorSize, limit) : limit
    guard data.count > maximum - body.count else {
      body.append(data)
      return
    }
    if let response, isError {
      body.append(data.prefix(maximum - body.count))
      finish(.response(response, body))
    } else {
      finish(.tooLarge)
    }
  }

  #if canImport(FoundationNetworking)
    /// On Linux, a task without credentials would never end. Its response is the result.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // The session, which cancels the task, is over then. Foundation on Linux stops the process if a task is cancelled
      // by two threads while it ends.
      guard let response = challenge.failureResponse as? HTTPURLResponse ?? response else {
        return completionHandler(.cancelAuthenticationChallenge, nil)
      }
      finish(.response(response, body))
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    if let error { return finish(.failure(error)) }
    guard let response = response ?? task.response as? HTTPURLResponse else {
      return finish(.failure(URLError(.badServerResponse)))
    }
    finish(.response(response, body))
  }

  private var isError: Bool { response.map { !(200..<300).contains($0.statusCode) } ?? false }
}
