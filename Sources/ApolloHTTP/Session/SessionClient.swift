import ApolloAPI
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests over a session with the configuration of an app's session. The delegate of the app's session answers
/// challenges.
///
/// The app's session itself cannot be used, because a session reports the end of tasks only to its own delegate.
final class SessionClient: URLSessionClient, @unchecked Sendable {
  // Sendable, like its base class: its added properties never change, except that the app's session may end.

  /// The clients for requests that an app hands to its sessions itself. A client for each request would open a connection
  /// each time.
  private static let clients = Locked<[ObjectIdentifier: SessionClient]>([:])

  private weak var original: URLSession?
  /// The session, if the client holds it.
  private let held: URLSession?

  /// A client that holds the session.
  init(holding original: URLSession) {
    self.original = original
    held = original
    super.init(sessionConfiguration: original.configuration)
  }

  private init(for original: URLSession) {
    self.original = original
    held = nil
    super.init(sessionConfiguration: original.configuration)
  }

  /// The client for a session, which is the same one each time. Those of sessions that are gone end.
  ///
  /// - Parameter session: A session of the app.
  /// - Returns: Its client, which does not hold the session.
  static func shared(for session: URLSession) -> SessionClient {
    let (client, old) = clients.withLock { clients -> (SessionClient, [SessionClient]) in
      let old = clients.filter { $0.value.original == nil }
      for id in old.keys { clients[id] = nil }
      let client = clients[ObjectIdentifier(session)] ?? SessionClient(for: session)
      clients[ObjectIdentifier(session)] = client
      return (client, Array(old.values))
    }
    for client in old { client.invalidate() }
    return client
  }

  override func urlSession(
    _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(Darwin)
      guard let answer = original?.delegate?.urlSession(_:didReceive:completionHandler:) else {
        return super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
      }
      answer(session, challenge, completionHandler)
    #else
      guard let delegate = original?.delegate else {
        return super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
      }
      delegate.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
    #endif
  }

  override func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let delegate = original?.delegate as? any URLSessionTaskDelegate
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
