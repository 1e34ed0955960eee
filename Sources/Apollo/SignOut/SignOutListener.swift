import ApolloTransport
import Dispatch

/// Tells a state that has no watcher when the user signs out, as long as it lives: what it shows was for this user.
package final class SignOutListener: Watching {
  private let queries: ActiveQueries
  private let body: @MainActor @Sendable () -> Void

  /// Makes a listener.
  ///
  /// - Parameters:
  ///   - client: The client whose user it is.
  ///   - body: Called when the user signs out.
  package init(_ client: ApolloClient, _ body: @escaping @MainActor @Sendable () -> Void) {
    queries = client.activeQueries
    self.body = body
    queries.add(self)
  }

  deinit { queries.remove(ObjectIdentifier(self)) }

  func end(with error: any Error) {
    guard error.isSignOut else { return }
    DispatchQueue.main.async { [body] in MainActor.assumeIsolated { body() } }
  }
}
