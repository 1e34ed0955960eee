import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// Answers authentication challenges for a ``URLSessionClient`` on Linux in the way that Foundation does on Apple's
  /// platforms.
  ///
  /// On Linux, Foundation asks for credentials when the whole response has arrived. If there are none, the task never
  /// ends. If credentials are offered that do not exist, or if the scheme is not Basic, the process stops.
  final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let client: URLSessionClient
    /// The tasks that are being cancelled because there are no credentials; their responses are results.
    private let refused = Locked<Set<Int>>([])

    init(_ client: URLSessionClient) { self.client = client }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let isBasic = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
      let stored = challenge.proposedCredential
      client.urlSession(session, task: task, didReceive: challenge) { [self] disposition, credential in
        switch disposition {
        case .useCredential where isBasic && credential != nil: return completionHandler(.useCredential, credential)
        case .performDefaultHandling where isBasic && stored != nil: return completionHandler(.useCredential, stored)
        case .cancelAuthenticationChallenge: break
        default: refused.withLock { _ = $0.insert(task.taskIdentifier) }
        }
        // Foundation then cancels the task.
        if client.beginsCancelling(task) { completionHandler(.cancelAuthenticationChallenge, nil) }
      }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let isRefused = refused.withLock { $0.remove(task.taskIdentifier) != nil }
      client.urlSession(session, task: task, didCompleteWithError: isRefused ? nil : error)
    }

    // MARK: Passed on to the client

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      client.urlSession(session, didBecomeInvalidWithError: error)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      client.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: completionHandler)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      client.urlSession(session, task: task, needNewBodyStream: completionHandler)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      client.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      client.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      client.urlSession(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }
  }
#endif
