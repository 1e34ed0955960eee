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
  let method: SchemaDownloadConfiguration.Introspection.HTTPMethod

  /// Sends a query and returns the body of the response.
  ///
  /// - Throws: ``DownloadFailure`` with a message that names the address.
  func send(query: String, operationName: String, variables: [String: String] = [:]) throws(DownloadFailure) -> Data {
    let (data, response, error) = perform(try request(query: query, operationName: operationName, variables: variables))
    if let error { throw DownloadFailure("\(endpoint.absoluteString) did not answer: \(error.localizedDescription)") }
    guard let response, let data else { throw DownloadFailure("\(endpoint.absoluteString) did not answer.") }
    guard (200..<300).contains(response.statusCode) else {
      throw DownloadFailure(
        "\(endpoint.absoluteString) answered with status \(response.statusCode)\(Self.excerpt(data)).",
        help: [401, 403].contains(response.statusCode) ? "Check the headers that authorize you." : nil)
    }
    // If the server announced no length, or sent less than it announced, URLSession takes an early end for a complete
    // response.
    if response.expectedContentLength > Int64(data.count), response.value(forHTTPHeaderField: "Content-Encoding") == nil
    {
      throw DownloadFailure(
        "\(endpoint.absoluteString) sent \(data.count) of \(response.expectedContentLength) bytes, then the connection "
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
        throw DownloadFailure("\"\(endpoint)\" is not an address that a query can be sent to.")
      }
      let items = components.queryItems ?? []
      components.queryItems = items + [URLQueryItem(name: parameter, value: query)]
      // Many servers read a plus sign as a space.
      let encoded = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
      components.percentEncodedQuery = encoded
      guard let url = components.url else {
        throw DownloadFailure("\"\(endpoint)\" is not an address that a query can be sent to.")
      }
      request = URLRequest(url: url, timeoutInterval: timeout)
    }
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue("apollo-codegen", forHTTPHeaderField: "apollographql-client-name")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  private func perform(_ request: URLRequest) -> (Data?, HTTPURLResponse?, (any Error)?) {
    final class Outcome: @unchecked Sendable {
      // Written before the semaphore is signalled, and read after.
      var value: (Data?, HTTPURLResponse?, (any Error)?) = (nil, nil, nil)
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = timeout
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    session.dataTask(with: request) { data, response, error in
      outcome.value = (data, response as? HTTPURLResponse, error)
      done.signal()
    }.resume()
    // On Linux, URLSession ignores deadlines that are shorter than a second, and those of servers that send nothing.
    guard done.wait(timeout: .now() + timeout) == .success else { return (nil, nil, URLError(.timedOut)) }
    return outcome.value
  }

  private static func excerpt(_ data: Data) -> String {
    let text = String(decoding: data.prefix(200), as: UTF8.self).split(whereSeparator: \.isNewline).joined(
      separator: " ")
    return text.isEmpty ? "" : ": \(text)"
  }
}

/// The reason why a schema could not be downloaded.
struct DownloadFailure: Error {
  var message: String
  var help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
