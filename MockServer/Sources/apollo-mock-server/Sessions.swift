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
    try await URLSession.shared.chunks(for: forwarded(request))
  }

  /// The request, as the other server is sent it. Its address may have a query, such as a key, and a request by GET has
  /// another one.
  func forwarded(_ request: URLRequest) -> URLRequest {
    var forwarded = request
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let queries = [components?.percentEncodedQuery, request.url?.query].compactMap { $0 }
    if !queries.isEmpty { components?.percentEncodedQuery = queries.joined(separator: "&") }
    forwarded.url = components?.url ?? url
    for field in ["Host", "Connection", "Content-Length", "Accept-Encoding"] {
      forwarded.setValue(nil, forHTTPHeaderField: field)
    }
    return forwarded
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
      Terminal.write("\(Self.operation(of: request))  \(outcome)  \(String(format: "%.1f", time)) ms".shownOnOneLine)
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
  static func operation(of request: URLRequest) -> String {
    let items = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems ?? []
    let body = request.httpBody.flatMap { try? GraphQLValue(json: Array($0)) } ?? .null
    if let operations = body.list { return "\(operations.count) operations" }
    let query = body["query"]?.string ?? items.first { $0.name == "query" }?.value ?? ""
    let name = body["operationName"]?.string ?? items.first { $0.name == "operationName" }?.value
    let beginning = query.split { "({}".contains($0) }.first ?? ""
    let shown = name ?? beginning.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let variables =
      body["variables"].flatMap { $0.object?.isEmpty == false ? " " + String(decoding: $0.json, as: UTF8.self) : nil }
      ?? ""
    return (shown.isEmpty ? String(query.prefix(40)) : shown) + variables.prefix(200)
  }
}

extension String {
  /// The text on one line, without what commands a terminal. Any page in a browser may send it. (The main package has
  /// the same for its own tools. It is not public, and so not to be had in this package.)
  var shownOnOneLine: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
