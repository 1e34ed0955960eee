import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests over a session with the configuration of an app's session. The delegate of the app's session answers
/// challenges.
///
/// The app's session itself cannot be used, because a session reports the end of tasks only to its own delegate.
final class SessionClient: URLSessionClient, @unchecked Sendable {
  // Sendable, like its base class: its added properties never change.

  /// The delegate, which is held by this client.
  private let original: URLSession

  init(_ original: URLSession) {
    self.original = original
    super.init(sessionConfiguration: original.configuration)
  }

  override func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(Darwin)
      guard let answer = original.delegate?.urlSession(_:didReceive:completionHandler:) else {
        return super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
      }
      answer(session, challenge, completionHandler)
    #else
      guard let delegate = original.delegate else {
        return super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
      }
      delegate.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    #endif
  }

  override func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let delegate = original.delegate as? any URLSessionTaskDelegate
    #if canImport(Darwin)
      guard let answer = delegate?.urlSession(_:task:didReceive:completionHandler:) else {
        return super.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
      }
      answer(session, task, challenge, completionHandler)
    #else
      guard let delegate else {
        return super.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
      }
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    #endif
  }
}
