import ApolloTransport

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

extension OriginPolicy {
  /// The request that follows a redirect of an operation.
  ///
  /// - Parameters:
  ///   - request: The request that was redirected.
  ///   - response: The answer to it.
  /// - Returns: The next request; nil if the response does not redirect.
  /// - Throws: ``NetworkFetchInterceptor/RedirectError``, if it must not be followed, or if the operation would be lost.
  package func redirected(
    _ request: URLRequest, by response: HTTPURLResponse
  ) throws(NetworkFetchInterceptor.RedirectError) -> URLRequest? {
    guard response.isRedirect, let place = response.redirectPlace else { return nil }
    var next = request
    next.url = place
    return try followed(next, from: request, by: response, isOperation: true)
  }

  /// What is sent after a redirect, in place of the request that Foundation would send.
  ///
  /// - Parameters:
  ///   - next: The request to the place that the redirect leads to.
  ///   - request: The request that was redirected.
  ///   - response: The answer to it.
  ///   - isOperation: Whether the request is that of an operation. Then it must not be lost with the body, and an
  ///     operation in the address goes along.
  /// - Returns: The next request, with the header fields that its origin may have.
  /// - Throws: ``NetworkFetchInterceptor/RedirectError``.
  func followed(
    _ next: URLRequest, from request: URLRequest, by response: HTTPURLResponse, isOperation: Bool
  ) throws(NetworkFetchInterceptor.RedirectError) -> URLRequest {
    guard let from = request.url, let to = next.url else { return next }
    var next = next
    guard let fields = fields(of: request, from: from, to: to) else {
      throw NetworkFetchInterceptor.RedirectError(from: from, to: to, status: response.statusCode, .notAllowed)
    }
    if isOperation {
      let isInAddress = ["GET", "HEAD"].contains(request.httpMethod ?? "GET")
      guard response.keepsMethod || isInAddress else {
        throw NetworkFetchInterceptor.RedirectError(from: from, to: to, status: response.statusCode, .lostOperation)
      }
      if isInAddress { next.url = to.keepingQuery(of: from, onlyOperation: !sendsEverything(from: from, to: to)) }
    }
    next.allHTTPHeaderFields = nil
    // A request without a body must have no fields that describe one (RFC 9110, section 15.4).
    let hasBody = next.httpMethod ?? "GET" != "GET"
    for (name, value) in fields where hasBody || !["content-type", "content-length"].contains(name.lowercased()) {
      next.setValue(value, forHTTPHeaderField: name)
    }
    return next
  }

  /// The header fields that go along with a redirect; nil if it is not followed.
  private func fields(of request: URLRequest, from: URL, to: URL) -> [String: String]? {
    let fields = request.allHTTPHeaderFields ?? [:]
    guard Origin(from) != nil, let second = Origin(to) else { return nil }
    if sendsEverything(from: from, to: to) { return fields }
    if allowed.contains(where: { Origin($0) == second }) {
      return fields.filter { Self.harmlessFields.contains($0.key.lowercased()) }
    }
    guard followsEveryRedirect else { return nil }
    return fields.filter { !["authorization", "proxy-authorization", "cookie"].contains($0.key.lowercased()) }
  }

  /// Whether all header fields, and the whole query of the address, go along with a redirect.
  private func sendsEverything(from: URL, to: URL) -> Bool {
    guard let first = Origin(from), let second = Origin(to) else { return false }
    return first == second || second.isUpgrade(of: first) || trusted.contains { Origin($0) == second }
  }

  /// The fields that have no secrets: what the body is, what the answer may be, and what tells a server that no form of a
  /// page sends the request.
  private static let harmlessFields: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "content-encoding", "content-length",
    "content-type", "user-agent", "apollo-require-preflight", "x-apollo-operation-id", "x-apollo-operation-name",
    "x-apollo-operation-type",
  ]
}

extension HTTPURLResponse {
  /// Whether the status sends a request elsewhere (RFC 9110, section 15.4).
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(statusCode) }

  /// Whether the redirect keeps method and body.
  var keepsMethod: Bool { statusCode == 307 || statusCode == 308 }

  /// The address that a redirect leads to; nil if a request cannot be sent there (RFC 9110, section 10.2.2).
  var redirectPlace: URL? {
    guard let place = value(forHTTPHeaderField: "Location"),
      let url = URL(string: place, relativeTo: url)?.absoluteURL, Origin(url) != nil,
      ["http", "https"].contains(url.scheme?.lowercased())
    else { return nil }
    return url
  }
}

extension URL {
  /// The address with the query of another one, if it has none itself.
  ///
  /// - Parameters:
  ///   - other: The other address.
  ///   - onlyOperation: Whether only the items of an operation are taken, and not those of the endpoint, such as a key.
  /// - Returns: The address.
  fileprivate func keepingQuery(of other: URL, onlyOperation: Bool) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true), parts.percentEncodedQuery == nil,
      var query = URLComponents(url: other, resolvingAgainstBaseURL: true)?.percentEncodedQuery
    else { return self }
    if onlyOperation {
      let items = query.split(separator: "&").filter { item in
        Self.operationItems.contains(String(item.prefix { $0 != "=" }))
      }
      guard !items.isEmpty else { return self }
      query = items.joined(separator: "&")
    }
    parts.percentEncodedQuery = query
    return parts.url ?? self
  }

  /// The names of the items that an operation has in an address.
  private static let operationItems: Set<String> = [
    "query", "variables", "operationName", "extensions", "documentId", "id", "onError",
  ]
}
