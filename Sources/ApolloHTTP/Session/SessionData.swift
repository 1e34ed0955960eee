package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// What a session keeps of a server, in storages that may belong to the whole app.
package enum SessionData {
  /// Removes cookies and credentials for the host of an address, and all cached responses: a cache cannot tell which
  /// responses are of which host.
  ///
  /// - Parameters:
  ///   - url: An address of the server.
  ///   - configuration: The configuration of the session.
  package static func remove(for url: URL, from configuration: URLSessionConfiguration) {
    guard let host = url.host?.lowercased() else { return }
    if let storage = configuration.httpCookieStorage {
      for cookie in storage.cookies ?? [] where isCookie(of: cookie.domain.lowercased(), sentTo: host) {
        storage.deleteCookie(cookie)
      }
    }
    if let storage = configuration.urlCredentialStorage {
      for (space, credentials) in storage.allCredentials where space.host.lowercased() == host {
        for credential in credentials.values { storage.remove(credential, for: space) }
      }
    }
    configuration.urlCache?.removeAllCachedResponses()
  }

  /// Whether a cookie of a domain is sent to a host (RFC 6265, section 5.1.3).
  private static func isCookie(of domain: String, sentTo host: String) -> Bool {
    let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
    return host == bare || domain.hasPrefix(".") && host.hasSuffix(domain)
  }
}
