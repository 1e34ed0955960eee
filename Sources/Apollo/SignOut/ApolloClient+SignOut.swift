import ApolloHTTP
import ApolloTransport
import ApolloAPI
import ApolloCache
public import Foundation

extension ApolloClient {
  /// Ends the time of a user: nothing of the user's is in the client, in its files, or in what it sends after that.
  ///
  ///     try await client.signOut()
  ///
  /// - Operations that are under way, subscriptions, watchers and pagers end with an error whose code is
  ///   ``ApolloErrorCode/signedOut``. What is called for until this returns fails with it as well.
  /// - The outbox is emptied, of every owner: mutations that wait, were answered or were given up, their files,
  ///   and ids. Then it has no owner.
  /// - Temporary files with what uploads send are removed.
  /// - The cache is emptied, with what is shown before it is confirmed. Other clients with the same cache go on, and find it
  ///   empty.
  /// - Everything that is `UserForgetting` forgets the user, such as a cache that has put a file aside.
  /// - Cookies and credentials for the server's host are removed from the storages that the client's session uses, and all
  ///   cached responses. So they are from `HTTPCookieStorage.shared` and `URLCache.shared`, if the session uses these.
  /// - Connections over WebSockets are closed. The next one has a new payload.
  /// - The authenticator forgets its credentials. A renewal that ends later brings nothing back.
  ///
  /// This is the order in which it is done. What says who the user is goes last: if the process ends before, the next launch
  /// still has the user to whom belongs what is left. When it returns, all of this is on the disk. The client can be used
  /// again, for the next user. `Docs/sign-out.md` tells what an app does itself, and when.
  ///
  /// It may be called anywhere but in the body of a transaction: also by an authenticator that cannot renew. Of two calls
  /// at a time, the second one waits for the first.
  ///
  /// - Throws: The first error of a part that could not be emptied. All other parts are.
  public func signOut() async throws {
    try await signingOut.join { try await self.forgetEverything() }
  }

  /// Ends the time of a user, and calls a completion; see the form of this function with `async`.
  ///
  /// - Parameters:
  ///   - callbackQueue: Where the completion is called. By default the main queue.
  ///   - completion: Called when everything is gone, or with the first error of a part that could not be emptied. nil, the
  ///     default: nothing is called.
  public func signOut(
    callbackQueue: DispatchQueue = .main, completion: ((Result<Void, any Error>) -> Void)? = nil
  ) {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let completion = completion
    Task {
      let result: Result<Void, any Error>
      do { result = .success(try await signOut()) } catch { result = .failure(error) }
      callbackQueue.async { completion?(result) }
    }
  }

  private func forgetEverything() async throws {
    var failure: (any Error)?
    func attempt(_ body: () async throws -> Void) async {
      do { try await body() } catch { failure = failure ?? error }
    }
    activeQueries.beginSignOut()
    // Watchers first: the requests that they have sent then fail unheard.
    activeQueries.endAll(OperationError.signedOut())
    route.policies.beginSignOut()
    await attempt { try await outbox.removeAll() }
    // (The bodies of the uploads that were cancelled are gone. Former launches may have left some.)
    await attempt { try TemporaryFile.removeAbandoned() }
    for store in stores {
      await attempt { try await store.clearCache() }
      await attempt { try await store.flush() }
      await attempt { try await (store.cache as? any UserForgetting)?.forgetUser() }
    }
    // Last: if the process ends before, the next launch still has the credentials of the user whose data are left. Without
    // them, mutations of the user would be sent with those of the next one.
    await attempt { try await (networkTransport as? any UserForgetting)?.forgetUser() }
    // (Before the end of those that have come meanwhile. They were given nothing, and one that comes later finds nothing.)
    activeQueries.endSignOut()
    activeQueries.endAll(OperationError.signedOut())
    route.policies.endSignOut()
    if let failure { throw failure }
  }

  /// Whether the user is being signed out, so that the cache may still have the user's data. What is made for a screen
  /// meanwhile shows nothing of it.
  package var isSigningOut: Bool { activeQueries.isSigningOut }

  /// The client's cache, and that of its transport if it is another one.
  var stores: [ApolloStore] {
    guard let other = route.store, other !== store else { return [store] }
    return [store, other]
  }
}
