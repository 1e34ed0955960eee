import ApolloTransport
import ApolloAPI

#if canImport(FoundationNetworking)
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
#endif

/// What queries that are under way at one time have in common if they are sent once: equal addresses, header fields,
/// bodies and timeouts, an equal value of the app, and no clearing of a cache between them. So what is sent for one user
/// is never given to another.
package struct IdenticalQuery: Hashable, Sendable {
  /// The transport of bytes that sends it, or the session. nil: that does not matter.
  private let transport: ObjectIdentifier?
  private let url: URL?
  private let method: String?
  private let headers: [String: String]
  private let body: Data
  /// How long it waits, in seconds; nil if that is the transport's to say.
  private let timeout: TimeInterval?
  /// Whether a cache of HTTP may answer it; nil if it is not sent with `GET`.
  private let cachePolicy: UInt?
  private let sharing: SharingKey

  // `Data` adds only its first 80 bytes to a hash. There, all queries of an operation are the same: their variables
  // come last. What seldom differs is left to the comparison.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(headers)
    hasher.combine(sharing)
    hasher.combine(String(decoding: body, as: UTF8.self))
  }

  /// A query over HTTP, as it is sent; nil if its body is not there yet, so that it cannot be compared.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - session: What sends it. nil, the default: that does not matter.
  ///   - sharing: What it has in common with those that share its answer.
  package init?(_ request: URLRequest, over session: ObjectIdentifier? = nil, _ sharing: SharingKey) {
    guard request.httpBodyStream == nil else { return nil }
    transport = session
    url = request.url
    method = request.httpMethod
    headers = request.allHTTPHeaderFields ?? [:]
    body = request.httpBody ?? Data()
    timeout = request.timeoutInterval
    cachePolicy = request.httpMethod == "GET" ? request.cachePolicy.rawValue : nil
    self.sharing = sharing
  }

  /// A query over a transport of bytes; nil if its variables cannot be written.
  init?<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>, over transport: any ResponseTransport) {
    let configuration = passage.requestConfiguration
    let body = RequestBody.make(
      for: passage.operation, by: ApolloRequestBodyCreator(), adding: configuration.bodyExtensions,
      onError: configuration.onError)
    guard let bytes = try? RequestBody.json(body) else { return nil }
    self.transport = ObjectIdentifier(transport)
    url = configuration.endpointURL
    method = nil
    headers = configuration.headers
    self.body = Data(bytes)
    timeout = configuration.requestTimeout
    cachePolicy = nil
    sharing = SharingKey(passage)
  }
}
