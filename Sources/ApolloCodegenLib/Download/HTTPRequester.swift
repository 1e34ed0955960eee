import Foundation
import GraphQLJSON
import GraphQLSyntax

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends GraphQL requests, one at a time.
struct HTTPRequester {
  let endpoint: URL
  let headers: [(name: String, value: String)]
  let timeout: Double
  /// How many bytes an answer may have, when it is unpacked.
  let maximumSize: Int
  let method: SchemaDownloadConfiguration.Introspection.HTTPMethod

  /// Sends a query and returns the body of the response.
  ///
  /// - Throws: ``DownloadFailure`` with a message that names the address.
  func send(query: String, operationName: String, variables: [String: String] = [:]) throws(DownloadFailure) -> Data {
    let (response, data) = try perform(try request(query: query, operationName: operationName, variables: variables))
    guard (200..<300).contains(response.statusCode) else {
      let reason = Self.messages(in: data).map { ": \($0)" } ?? Self.excerpt(data) + "."
      throw DownloadFailure(
        "\(address) answered with status \(response.statusCode)\(reason)",
        help: [401, 403].contains(response.statusCode) ? "Check the headers that authorize you." : nil,
        isRefusal: (400...500).contains(response.statusCode)
          && ![401, 403, 407, 408, 429].contains(response.statusCode))
    }
    // If the server announced no length, or sent less than it announced, URLSession takes an early end for a complete
    // response.
    if response.expectedContentLength > Int64(data.count), response.value(forHTTPHeaderField: "Content-Encoding") == nil
    {
      throw DownloadFailure(
        "\(address) sent \(data.count) of \(response.expectedContentLength) bytes, then the connection "
          + "was lost.")
    }
    return data
  }

  private func request(
    query: String, operationName: String, variables: [String: String]
  ) throws(DownloadFailure) -> URLRequest {
    var request: URLRequest
    switch method {
    case .post:
      request = URLRequest(url: endpoint, timeoutInterval: timeout)
      request.httpMethod = "POST"
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      let body: JSONNode = .object([
        "query": .string(query), "operationName": .string(operationName),
        "variables": .object(
          JSONNode.Members(variables.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
      ])
      request.httpBody = Data(body.text.utf8)
    case .get(let parameter):
      guard var components = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else {
        throw DownloadFailure("\"\(address)\" is not an address that a query can be sent to.")
      }
      var added = URLComponents()
      added.queryItems = [URLQueryItem(name: parameter, value: query)]
      // Many servers read a plus sign as a space. In the address, it is what the server wants.
      let encoded = added.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
      components.percentEncodedQuery = [components.percentEncodedQuery, encoded].compactMap(\.self)
        .filter { !$0.isEmpty }.joined(separator: "&")
      guard let url = components.url else {
        throw DownloadFailure("\"\(address)\" is not an address that a query can be sent to.")
      }
      request = URLRequest(url: url, timeoutInterval: timeout)
      // A server that prevents forged requests answers a GET only if it has a header that no form can send.
      request.setValue("true", forHTTPHeaderField: "Apollo-Require-Preflight")
    }
    // A server may know one of the two types only: the second one is what older servers send.
    request.setValue("application/graphql-response+json, application/json", forHTTPHeaderField: "Accept")
    request.setValue("apollo-codegen", forHTTPHeaderField: "apollographql-client-name")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  /// Sends a request, and again where the server redirects to, if that is allowed.
  private func perform(_ request: URLRequest) throws(DownloadFailure) -> (HTTPURLResponse, Data) {
    var request = request
    for _ in 0...RedirectRule.maximumCount {
      switch Transfer.perform(request, timeout: timeout, limit: maximumSize) {
      case .response(let response, let data): return (response, data)
      case .failure(let error):
        let isTimeout = (error as? URLError)?.code == .timedOut
        throw DownloadFailure(
          "\(address) did not answer: \(error.localizedDescription)",
          help: isTimeout ? "If it is slow, raise \"downloadTimeout\" of \"schemaDownload\", or --timeout." : nil)
      case .tooLarge:
        throw DownloadFailure(
          "\(address) sent more than \(maximumSize) bytes, which is the limit of an answer.",
          help: "If that is right, raise \"maximumResponseSize\" of \"schemaDownload\", or --maximum-response-size.")
      case .redirect(let response): request.url = try target(of: response, from: request.url ?? endpoint)
      }
    }
    throw DownloadFailure("\(address) redirects more than \(RedirectRule.maximumCount) times.")
  }

  /// The address that a server redirects to.
  private func target(of response: HTTPURLResponse, from url: URL) throws(DownloadFailure) -> URL {
    let location = response.value(forHTTPHeaderField: "Location") ?? ""
    guard let target = URL(string: location, relativeTo: url)?.absoluteURL else {
      throw DownloadFailure("\(address) redirects to \"\(location)\", which is not an address.")
    }
    guard RedirectRule.allows(status: response.statusCode, from: url, to: target) else {
      throw DownloadFailure(
        "\(address) redirects to \(target.withoutCredentials), with status \(response.statusCode). That is not followed, "
          + "as the query and your headers would go there or be lost.",
        help: "If this server may have them, use its address instead.")
    }
    return target
  }

  /// The address for messages.
  var address: String { endpoint.withoutCredentials }

  /// A colon, and the beginning of a body; nothing if it is empty.
  static func excerpt(_ data: Data) -> String {
    let text = String(decoding: data.prefix(200), as: UTF8.self).split(whereSeparator: \.isNewline).joined(
      separator: " ")
    return text.isEmpty ? "" : ": \(text)"
  }

  /// The messages in the `errors` of a response, as sentences; nil if it has no `errors`.
  static func errors(in body: some Collection<UInt8>) -> String? {
    guard let errors = (try? JSONNode(parsing: body))?["errors"]?.array, !errors.isEmpty else { return nil }
    return messages(of: errors) ?? "it gave no reason."
  }

  /// The messages in the `errors` of a response, as sentences; nil if it has none.
  private static func messages(in body: some Collection<UInt8>) -> String? {
    (try? JSONNode(parsing: body))?["errors"]?.array.flatMap(messages(of:))
  }

  /// The beginning of the messages of errors; nil if none of them has one.
  private static func messages(of errors: [JSONNode]) -> String? {
    let messages = errors.compactMap { $0["message"]?.string }
    return messages.isEmpty ? nil : String(messages.joined(separator: " ").prefix(1000))
  }
}

/// The reason why a schema could not be downloaded.
struct DownloadFailure: Error {
  var message: String
  var help: String?
  /// Whether the server answered, and refused this very query: it may answer another one.
  var isRefusal: Bool

  init(_ message: String, help: String? = nil, isRefusal: Bool = false) {
    self.message = message
    self.help = help
    self.isRefusal = isRefusal
  }
}
