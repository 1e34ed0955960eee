public import Foundation

/// The origins that a client may turn to besides its own, and what they get. An origin is a scheme, a host and a port.
///
/// The client's own origins are those of its address, of its WebSocket and of its transports. They get everything.
/// Other origins come into play in two ways: a server redirects a request (RFC 9110, section 15.4), or the
/// ``RequestConfiguration`` of an operation names another `endpointURL`.
///
/// - A redirect to another host or port, or from `https` to `http`, is not followed. It is a
///   ``NetworkFetchInterceptor/RedirectError``, which names both addresses. A redirect from `http` to `https` on the
///   same host is followed, with everything.
/// - The credentials of an ``Authenticator`` are sent to the client's own origins only. An operation for another origin
///   is sent without them. What an app's interceptors and transports add goes where the app sends it.
///
/// Origins are allowed by name:
///
///     configuration.http.origins = OriginPolicy(allowed: [URL(string: "https://eu.example.com")!])
///
/// A subclass of ``URLSessionClient`` that overrides the function of the delegate for redirects decides itself.
public struct OriginPolicy: Hashable, Sendable {
  /// The origins that a redirect may lead to. Only header fields without secrets are sent there: `Accept`,
  /// `Content-Type`, `User-Agent` and the like. A body goes along as the status says. The default is none. Paths of the
  /// addresses do not matter.
  public var allowed: [URL]
  /// The origins that are the app's own as well: a redirect may lead there with all header fields, and an
  /// authenticator's credentials are sent there. The default is none. Paths of the addresses do not matter.
  public var trusted: [URL]
  /// Whether every redirect is followed, and credentials of an authenticator are sent to every address that the app
  /// names, as by Apollo iOS. To another origin all header fields go along but `Authorization`, `Proxy-Authorization`
  /// and `Cookie`, so keys in other header fields reach it. The default is false.
  public var followsEveryRedirect: Bool

  /// Makes a policy. Without arguments, it is the one of all clients.
  ///
  /// - Parameters:
  ///   - allowed: See ``allowed``. The default is none.
  ///   - trusted: See ``trusted``. The default is none.
  ///   - followsEveryRedirect: See ``followsEveryRedirect``. The default is false.
  public init(allowed: [URL] = [], trusted: [URL] = [], followsEveryRedirect: Bool = false) {
    self.allowed = allowed
    self.trusted = trusted
    self.followsEveryRedirect = followsEveryRedirect
  }

  /// What Apollo iOS does: every redirect is followed; see ``followsEveryRedirect``.
  public static let everyRedirect = OriginPolicy(followsEveryRedirect: true)

  /// Whether an origin gets what the client's own origins get.
  package func trusts(_ origin: Origin) -> Bool {
    followsEveryRedirect || trusted.contains { Origin($0) == origin }
  }
}

/// Where a server is: scheme, host and port (RFC 6454). A WebSocket has the origin of HTTP on the same port.
package struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  /// The origin of an address; nil if it is not one of HTTP or of a WebSocket, with a host.
  package init?(_ url: URL?) {
    guard let url, let name = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty else {
      return nil
    }
    switch name {
    case "http", "ws": scheme = "http"
    case "https", "wss": scheme = "https"
    default: return nil
    }
    self.host = host
    port = url.port ?? (scheme == "https" ? 443 : 80)
  }

  /// Whether it is this machine, so that nothing passes over a network.
  package var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
      || (host.hasPrefix("127.") && host.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == 0x2e })
  }

  /// Whether a request gets there from another origin as to the same server: the connection is a secure one from now
  /// on.
  package func isUpgrade(of other: Origin) -> Bool { host == other.host && other.scheme == "http" && scheme == "https" }
}
