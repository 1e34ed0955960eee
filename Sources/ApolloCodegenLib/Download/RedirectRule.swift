import Foundation

/// Which redirects are followed when a schema is downloaded: those that keep method and body (307, 308), to the same
/// origin, or from http to https on the same host. All else could hand credentials to another server, or lose the query.
enum RedirectRule {
  /// How many redirects one request may follow.
  static let maximumCount = 5

  /// Whether a redirect is followed.
  static func allows(status: Int, from old: URL, to new: URL) -> Bool {
    guard [307, 308].contains(status), let scheme = new.scheme?.lowercased(), new.user == nil, new.password == nil,
      let host = new.host?.lowercased(), host == old.host?.lowercased()
    else { return false }
    guard scheme != old.scheme?.lowercased() else { return port(of: old) == port(of: new) }
    // Another port may be another server, but for the standard ports of the two schemes.
    return scheme == "https" && (old.port == new.port || (port(of: old) == 80 && port(of: new) == 443))
  }

  private static func port(of url: URL) -> Int? {
    url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
  }
}

extension URL {
  /// The address for messages: without user and password, and without the query, in which there may be a token.
  var withoutCredentials: String {
    guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "the server" }
    components.user = nil
    components.password = nil
    components.query = nil
    components.fragment = nil
    return components.string ?? "the server"
  }

  /// Whether what is sent there can be read on the way: it is sent by plain http, and not to this machine.
  var isReadOnTheWay: Bool {
    guard scheme?.lowercased() == "http", let host = host?.lowercased() else { return false }
    return host != "localhost" && !host.hasSuffix(".localhost") && host != "::1" && host != "[::1]"
      && !(host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber })
  }
}
