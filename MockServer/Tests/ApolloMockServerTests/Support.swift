import Apollo
import ApolloMockServer
import ApolloMocks
import Foundation
import GraphQLExecution

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func library() throws -> MockSchema {
  try MockSchema(String(decoding: PackageResources.schema_graphqls, as: UTF8.self))
}

/// A response as it came over the socket.
struct Raw {
  var status: Int
  var headers: [String: String]
  var body: Data

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: GraphQLValue { (try? GraphQLValue(json: Array(body))) ?? .null }
}

extension MockServer {
  /// Sends a request without a client.
  func send(
    _ method: String = "POST", _ body: String? = nil, query: [String: String] = [:], encodedQuery: String? = nil,
    path: String = "/graphql", _ headers: [String: String] = ["Content-Type": "application/json"]
  ) async throws -> Raw {
    var components = URLComponents()
    components.scheme = "http"
    components.host = "127.0.0.1"
    components.port = Int(port)
    components.path = path
    if !query.isEmpty { components.queryItems = query.map { URLQueryItem(name: $0, value: $1) } }
    if let encodedQuery { components.percentEncodedQuery = encodedQuery }
    var request = URLRequest(url: components.url!)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = body.map { Data($0.utf8) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = response as! HTTPURLResponse
    let fields = http.allHeaderFields.map { ("\($0)".lowercased(), "\($1)") }
    return Raw(status: http.statusCode, headers: Dictionary(fields) { first, _ in first }, body: data)
  }
}

extension MockStore {
  /// Waits until a field is no longer subscribed to.
  func untilUnsubscribed(_ field: String, _ value: GraphQLValue) async throws {
    while try publish(field, value) > 0, !Task.isCancelled { await Task.yield() }
  }
}
