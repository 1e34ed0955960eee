import Apollo
import ApolloMocks
import FlyingFox
import Foundation
import GraphQLExecution
import GraphQLSyntax

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers requests over HTTP — [GraphQL over HTTP](https://graphql.github.io/graphql-over-http/draft/)
struct HTTPEndpoint: HTTPHandler {
  let session: any ApolloURLSession

  /// Pages of other origins may try it, as it has no secrets.
  private static let open: [HTTPHeader: String] = [
    HTTPHeader("Access-Control-Allow-Origin"): "*", HTTPHeader("Access-Control-Allow-Methods"): "GET, POST, OPTIONS",
  ]

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    var response = await response(to: request)
    for (name, value) in Self.open { response.headers[name] = value }
    // (A star does not stand for `Authorization`.)
    response.headers[HTTPHeader("Access-Control-Allow-Headers")] =
      request.headers[HTTPHeader("Access-Control-Request-Headers")] ?? "*"
    return response
  }

  private func response(to request: HTTPRequest) async -> HTTPResponse {
    switch request.method {
    case .OPTIONS: return HTTPResponse(statusCode: .noContent)
    case .GET:
      if request.target.query().isEmpty, request.accepts("text/html") {
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/html; charset=utf-8"], body: Self.page)
      }
      // What changes something is not sent with GET.
      if isMutation(request) { return refusal(.methodNotAllowed, "A mutation is sent with POST.") }
    case .POST:
      let type = request.headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
      guard ["application/json", "multipart/form-data"].contains(type?.lowercased()) else {
        return refusal(
          .unsupportedMediaType, "The Content-Type is application/json, or multipart/form-data for files.")
      }
    default: return refusal(.methodNotAllowed, "Operations are sent with POST or GET.")
    }
    do {
      let (chunks, response) = try await session.chunks(for: try await request.urlRequest)
      return try await relay(chunks, response)
    } catch let error as MockRequestError {
      return refusal(.badRequest, error.description)
    } catch let error as CassetteError {
      return refusal(.notFound, error.description)
    } catch  where (session as? Cassette)?.isRecording == true {
      return refusal(.badGateway, "The server that is recorded has not answered: \(error)")
    } catch {
      // As a network that fails: the connection is closed before there is a body. (The library has then sent the header.)
      return HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: ChunkBytes(failingWith: error), count: 1))
    }
  }

  private static var page: Data { Data(PackageResources.page_html) }

  private func refusal(_ status: HTTPStatusCode, _ message: String) -> HTTPResponse {
    var headers: HTTPHeaders = [.contentType: "application/json"]
    if status == .methodNotAllowed { headers[HTTPHeader("Allow")] = "GET, POST, OPTIONS" }
    let body = ExecutionResult(data: nil, errors: [ExecutionError(message)])
    return HTTPResponse(statusCode: status, headers: headers, body: Data(body.json))
  }

  private func isMutation(_ request: HTTPRequest) -> Bool {
    var components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
    // A plus sign is a space, as in forms.
    let query = components?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%20")
    components?.percentEncodedQuery = query
    let items = components?.queryItems ?? []
    func member(_ name: String) -> String? { items.first { $0.name == name }?.value }
    guard let text = member("query") else { return false }
    let name = member("operationName") ?? ""
    return Parser.parse(text).value.operations.contains {
      $0.operation == .mutation && (name.isEmpty || $0.name?.value == name)
    }
  }

  /// What a session answers, as it comes if it has parts.
  private func relay(_ chunks: any AsyncChunkSequence, _ response: URLResponse) async throws -> HTTPResponse {
    let http = response as? HTTPURLResponse
    var headers = HTTPHeaders(), length: Int?, isEncoded = false
    for (name, value) in http?.allHeaderFields ?? [:] {
      switch "\(name)".lowercased() {
      case "content-length": length = Int("\(value)")
      // The session has undone them.
      case "content-encoding": isEncoded = "\(value)".lowercased() != "identity"
      case "transfer-encoding", "connection": break
      default: headers[HTTPHeader("\(name)")] = "\(value)"
      }
    }
    let status = HTTPStatusCode(
      http?.statusCode ?? 200, phrase: HTTPURLResponse.localizedString(forStatusCode: http?.statusCode ?? 200))
    let bytes = ChunkBytes(chunks), type = headers[.contentType] ?? ""
    if type.hasPrefix("multipart/mixed") || type.hasPrefix("text/event-stream") {
      return HTTPResponse(statusCode: status, headers: headers, body: HTTPBodySequence(from: bytes))
    }
    // A body may break off before its end. (The length of an encoded one is not that of the bytes here.)
    if let length, !isEncoded {
      return HTTPResponse(statusCode: status, headers: headers, body: HTTPBodySequence(from: bytes, count: length))
    }
    return HTTPResponse(statusCode: status, headers: headers, body: try await bytes.joined())
  }
}

extension HTTPRequest {
  fileprivate func accepts(_ type: String) -> Bool { headers[HTTPHeader("Accept")]?.contains(type) == true }

  fileprivate var url: URL {
    URL(string: "http://\(headers[.host] ?? "127.0.0.1")\(target.rawValue)") ?? URL(fileURLWithPath: "/")
  }

  /// The request, as a session takes it.
  fileprivate var urlRequest: URLRequest {
    get async throws {
      var request = URLRequest(url: url)
      request.httpMethod = method.rawValue
      for (name, value) in headers { request.addValue(value, forHTTPHeaderField: name.rawValue) }
      if method == .POST { request.httpBody = try await bodyData }
      return request
    }
  }
}
