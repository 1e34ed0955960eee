import ApolloAPI
public import ApolloTransport
package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension RequestChainNetworkTransport {
  /// Where redirects may lead, and where an authenticator's credentials are sent. Setting it changes later requests.
  ///
  /// nil, the default: redirects may lead where the session says; see ``URLSessionClient/origins``. Credentials are sent
  /// to the origin of ``endpointURL``, and to that of the client's WebSocket.
  public final var origins: OriginPolicy? {
    get { state.withLock { $0.origins } }
    set { state.withLock { $0.origins = newValue } }
  }

  /// How much a server may send. Setting it changes later requests. nil, the default: what the session says; see
  /// ``URLSessionClient/limits``.
  public final var limits: ResponseLimits? {
    get { state.withLock { $0.limits } }
    set { state.withLock { $0.limits = newValue } }
  }

  /// Adds an origin of the client, which is trusted like that of the transport's address.
  package func own(_ url: URL) {
    guard let origin = Origin(url) else { return }
    state.withLock { _ = $0.ownOrigins.insert(origin) }
  }

  /// Whether an address is of an origin of the client.
  package func owns(_ url: URL?) -> Bool {
    guard let origin = Origin(url) else { return false }
    return origin == Origin(endpointURL)
      || state.withLock { $0.ownOrigins.contains(origin) || ($0.origins?.trusts(origin) ?? false) }
  }
}
