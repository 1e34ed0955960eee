import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends by a session like one of the app's: with its configuration, and with its delegate to answer challenges.
///
/// A session tells the end of its tasks to its delegate only, which for the app's own is not this package's.
final class SessionClient: URLSessionClient, @unchecked Sendable {
  // Sendable as its base class is, which the compiler wants to be said again: what is added here never changes.

  /// It holds its delegate.
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
