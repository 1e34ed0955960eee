import ApolloCache
import ApolloHTTP
import ApolloTransport
import Foundation
import GraphQLExecution
import GraphQLSyntax

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The connection of a mock: takes requests over HTTP, and makes of the answers what a server sends.
struct MockSession: ApolloURLSession {
  let server: MockBackend

  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    try Task.checkCancellation()
    let wire = try WireRequest(request)
    guard wire.isBatch else { return try await exchange(wire.requests[0]) }
    let bodies = try await self.bodies(wire.requests)
    let list = Array("[".utf8) + bodies.joined(separator: Array(",".utf8)) + Array("]".utf8)
    return whole(list, 200, ["Content-Type": "application/json"], request)
  }

  /// The bodies of the operations in a batch, which run at the same time.
  private func bodies(_ requests: [MockRequest]) async throws -> [[UInt8]] {
    try await withThrowingTaskGroup(of: (index: Int, body: [UInt8]).self) { group in
      for (index, request) in requests.enumerated() { group.addTask { (index, try await body(request)) } }
      var bodies = [[UInt8]](repeating: [], count: requests.count)
      for try await answer in group { bodies[answer.index] = answer.body }
      return bodies
    }
  }

  private func exchange(_ request: MockRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    let urlRequest = request.urlRequest, hasDocument = request.query != nil
    guard let request = server.withDocument(request) else { return whole(Self.unknownHash, 200, [:], urlRequest) }
    if !hasDocument, urlRequest.httpMethod == "GET", request.isOperation(.mutation) {
      return whole(Self.errors("A mutation is sent with POST."), 405, ["Allow": "POST"], urlRequest)
    }
    let response = try await server.answer(request)
    switch response.content {
    case .body(let bytes, let status, let headers): return whole(bytes, status, headers, urlRequest)
    case .cutOff(let bytes, let count):
      let stream = AsyncThrowingStream<Data, any Error> { continuation in
        continuation.yield(Data(bytes.prefix(count)))
        continuation.finish(throwing: URLError(.networkConnectionLost))
      }
      var headers = type(for: urlRequest)
      headers["Content-Length"] = "\(bytes.count)"
      return (ChunkedHTTPResponse.Chunks(stream), Self.response(200, headers, urlRequest))
    case .parts(let parts): return inParts(parts, request)
    case .failure(let error): throw error
    case .session(let session): return try await session.chunks(for: urlRequest)
    case .never:
      // (Nothing gives this answer.)
      _ = try await HeldAnswer().wait {}
      throw URLError(.timedOut)
    case .schema(let schema): return try await answer(request, by: schema)
    }
  }

  private func answer(
    _ request: MockRequest, by schema: MockSchema
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    guard let query = request.query else {
      throw MockRequestError(
        "A schema needs the text of the document, and only an identifier of it was sent.",
        operationName: request.operationName)
    }
    let asked = ExecutionRequest(
      query: query, operationName: request.operationName.isEmpty ? nil : request.operationName,
      variables: request.variables, extensions: request.extensions,
      onError: request.onError.flatMap(ErrorBehavior.init(rawValue:)))
    if request.accepts("multipart/mixed") || request.accepts("text/event-stream"),
      let parts = await schema.parts(of: asked, clock: server.clock)
    {
      let stream = AsyncStream<[UInt8]> { continuation in
        for part in parts { continuation.yield(part) }
        continuation.finish()
      }
      return inParts(EventStream(stream), request)
    }
    switch await schema.respond(to: asked, clock: server.clock) {
    case .result(let result):
      // A request that is not executed has another status, but for clients that ask for the older type only.
      let isRefused = result.data == nil && request.accepts(Self.responseType)
      return whole(result.json, isRefused ? 400 : 200, [:], request.urlRequest)
    case .stream(let stream): return inParts(EventStream(stream.map(\.json)), request)
    }
  }

  /// The body of an operation in a batch, which has one body for all. What is not a response of GraphQL becomes one with an
  /// error, so that the others can be read.
  private func body(_ request: MockRequest) async throws -> [UInt8] {
    let (chunks, response) = try await exchange(request)
    let body = Array(try await chunks.joined()), status = (response as? HTTPURLResponse)?.statusCode ?? 200
    if let value = try? GraphQLValue(json: body), status < 400 || value.object != nil { return body }
    let text = String(decoding: body, as: UTF8.self)
    return Self.errors("The answer is not a response of GraphQL. Its status is \(status), its body: \(text)")
  }

  private static func errors(_ message: String) -> [UInt8] {
    ExecutionResult(data: nil, errors: [ExecutionError(message)]).json
  }

  private static let unknownHash = Array(
    #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#.utf8)

  // MARK: HTTP

  private static let responseType = "application/graphql-response+json"

  private func type(for request: URLRequest) -> [String: String] {
    let accepted = request.value(forHTTPHeaderField: "Accept") ?? ""
    return ["Content-Type": accepted.contains(Self.responseType) ? Self.responseType : "application/json"]
  }

  private func whole(
    _ bytes: [UInt8], _ status: Int, _ headers: [String: String], _ request: URLRequest
  ) -> (any AsyncChunkSequence, URLResponse) {
    let headers = headers.merging(type(for: request)) { given, _ in given }
    return (ChunkedHTTPResponse.Chunks(Data(bytes)), Self.response(status, headers, request))
  }

  private static func response(_ status: Int, _ headers: [String: String], _ request: URLRequest) -> URLResponse {
    let url = request.url ?? URL(fileURLWithPath: "/")
    return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
      ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
  }

  /// Several responses: as multipart in one of two protocols, or as an event stream, as the request accepts it.
  private func inParts(
    _ parts: EventStream<[UInt8]>, _ request: MockRequest
  ) -> (any AsyncChunkSequence, URLResponse) {
    let isSubscription = request.isSubscription
    let isMultipart = request.accepts("multipart/mixed") || !request.accepts("text/event-stream")
    let type =
      !isMultipart
      ? "text/event-stream"
      : isSubscription ? "multipart/mixed;boundary=\"-\";subscriptionSpec=1.0" : "multipart/mixed;boundary=\"-\""
    let stream = AsyncThrowingStream<Data, any Error>.running { continuation in
      // (The boundary follows each part at once, because a part is complete with it.)
      if isMultipart { continuation.yield(Data("---".utf8)) }
      for try await part in parts {
        let json = String(decoding: part, as: UTF8.self)
        let body = isSubscription && isMultipart ? "{\"payload\":\(json)}" : json
        let text =
          isMultipart
          ? "\r\nContent-Type: application/json\r\n\r\n\(body)\r\n---" : "event: next\n\(Self.dataLines(json))\n"
        continuation.yield(Data(text.utf8))
      }
      continuation.yield(Data((isMultipart ? "--\r\n" : "event: complete\ndata:\n\n").utf8))
    }
    return (ChunkedHTTPResponse.Chunks(stream), Self.response(200, ["Content-Type": type], request.urlRequest))
  }

  /// The lines of an event in an event stream. Each line of the text is a field of its own.
  private static func dataLines(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    return lines.map { "data: \($0)\n" }.joined()
  }
}

extension AsyncChunkSequence {
  /// The whole body.
  func joined() async throws -> Data {
    var body = Data()
    for try await chunk in self { body.append(chunk) }
    return body
  }
}

extension MockRequest {
  /// Whether the request takes a type of content, or names it as a parameter of one.
  func accepts(_ type: String) -> Bool {
    urlRequest.value(forHTTPHeaderField: "Accept")?.contains(type) ?? false
  }

  /// Whether the operation is of a kind. False if the text of its document was not sent.
  func isOperation(_ kind: OperationType) -> Bool {
    Parser.parse(query ?? "").value.operations.contains {
      $0.operation == kind && (operationName.isEmpty || $0.name?.value == operationName)
    }
  }

  fileprivate var isSubscription: Bool {
    let accepted = urlRequest.value(forHTTPHeaderField: "Accept") ?? ""
    return accepted.contains("subscriptionSpec")
      || query?.contains("subscription") == true && !accepts("multipart/mixed")
  }
}
