import FlyingFox
import Foundation
import GraphQLExecution

/// Answers `POST` with a query or a mutation — [GraphQL over HTTP](https://graphql.github.io/graphql-over-http/draft/)
struct HTTPEndpoint: HTTPHandler {
  let service: GraphQLService

  private static let responseType = "application/graphql-response+json"

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard request.method == .POST else {
      return HTTPResponse(statusCode: .methodNotAllowed, headers: HTTPHeaders([HTTPHeader("Allow"): "POST"]))
    }
    let contentType = request.headers[.contentType]?.lowercased() ?? ""
    guard contentType.split(separator: ";").first?.trimmingCharacters(in: .whitespaces) == "application/json" else {
      return HTTPResponse(statusCode: .unsupportedMediaType)
    }
    let isModern = request.headers[HTTPHeader("Accept")]?.contains(Self.responseType) == true
    let (result, isWellFormed) = await result(of: Array(try await request.bodyData))
    // Clients that ask for the older type expect 200 for whatever could be read.
    let isRefused = result.data == nil && (isModern || !isWellFormed)
    return HTTPResponse(
      statusCode: isRefused ? .badRequest : .ok,
      headers: [.contentType: "\(isModern ? Self.responseType : "application/json"); charset=utf-8"],
      body: Data(result.json))
  }

  private func result(of body: [UInt8]) async -> (ExecutionResult, isWellFormed: Bool) {
    let request: ExecutionRequest
    do throws(RequestError) {
      request = try ExecutionRequest(json: body)
    } catch {
      return (ExecutionResult(error), false)
    }
    switch await service.respond(to: request) {
    case .result(let result): return (result, true)
    case .stream:
      return (ExecutionResult(data: nil, errors: [ExecutionError("Subscriptions need a WebSocket.")]), true)
    }
  }
}
