import Apollo
import Foundation
import GraphQLExecution

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends each request to another server, as it came.
struct ForwardingSession: ApolloURLSession {
  let url: URL

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    var forwarded = request
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    if let query = request.url?.query { components?.percentEncodedQuery = query }
    forwarded.url = components?.url ?? url
    for field in ["Host", "Connection", "Content-Length", "Accept-Encoding"] {
      forwarded.setValue(nil, forHTTPHeaderField: field)
    }
    return try await URLSession.shared.chunks(for: forwarded)
  }
}

/// Prints a line for each request.
struct LoggingSession: ApolloURLSession {
  let session: any ApolloURLSession
  let isQuiet: Bool

  init(_ session: any ApolloURLSession, isQuiet: Bool) {
    self.session = session
    self.isQuiet = isQuiet
  }

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    guard !isQuiet else { return try await session.chunks(for: request) }
    let start = ContinuousClock.now
    func log(_ outcome: String) {
      let time = (ContinuousClock.now - start) / .milliseconds(1)
      Terminal.write("\(Self.operation(of: request))  \(outcome)  \(String(format: "%.1f", time)) ms")
    }
    do {
      let (chunks, response) = try await session.chunks(for: request)
      log("\((response as? HTTPURLResponse)?.statusCode ?? 200)")
      return (chunks, response)
    } catch {
      log("\(error)")
      throw error
    }
  }

  /// The name of the operation with its variables, as far as the request has them in JSON.
  private static func operation(of request: URLRequest) -> String {
    let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems ?? []
    let body = request.httpBody.flatMap { try? GraphQLValue(json: Array($0)) } ?? .null
    if let operations = body.list { return "\(operations.count) operations" }
    let query = body["query"]?.string ?? items.first { $0.name == "query" }?.value ?? ""
    let name = body["operationName"]?.string ?? items.first { $0.name == "operationName" }?.value
    let shown = name ?? query.split { "({".contains($0) }.first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    let variables =
      body["variables"].flatMap { $0.object?.isEmpty == false ? " " + String(decoding: $0.json, as: UTF8.self) : nil }
      ?? ""
    return (shown.isEmpty ? String(query.prefix(40)) : shown) + variables.prefix(200)
  }
}
