#if AsyncHTTP
  import Apollo
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOHTTPCompression

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// One request, with all that it is redirected to, and the response.
  struct Exchange: Sendable {
    enum Part: Sendable {
      case head(HTTPURLResponse)
      case piece(Data)
    }

    let parts = Rendezvous<Part>()
    /// Held until the exchange ends, as its connections close with it.
    private let session: AsyncHTTPSession
    /// Where a redirect may lead.
    private let origins: OriginPolicy
    /// How much may come. What is unpacked has the limit of the session.
    private let limits: ResponseLimits
    private let request: URLRequest
    private let body: RequestBody
    private let idle: IdleTimer

    /// How much is read of a redirect's own body, so that the connection can be kept.
    private static let bytesReadOfRedirects = 1 << 16

    init(_ request: URLRequest, body: RequestBody, over session: AsyncHTTPSession) {
      self.session = session
      origins = ExchangeRules.current?.origins ?? session.origins
      limits = ExchangeRules.current?.limits ?? session.limits
      self.request = request
      self.body = body
      idle = IdleTimer(request.timeoutInterval)
    }

    /// Runs until the last part was taken, or until something goes wrong.
    func run() async {
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await send() }
          group.addTask { try await idle.watch() }
          defer { group.cancelAll() }
          try await group.next()
        }
        parts.finish(.success(()))
      } catch NIOHTTPDecompression.DecompressionError.limit where session.unpacksWithinLimits {
        parts.finish(.failure(ResponseLimits.Exceeded(.responseSize, session.limits.responseSize, url: request.url)))
      } catch {
        parts.finish(.failure(TransferError.described(error, url: request.url)))
      }
    }

    private func send() async throws {
      var request = request
      for _ in 0...Swift.max(0, session.maximumRedirects) {
        let response = try await session.client.execute(
          HTTPClientRequest(request, body.sent(idle.restart)), deadline: .distantFuture)
        idle.restart()
        let head = try response.head(of: request)
        guard session.maximumRedirects > 0, let next = try origins.redirected(request, by: head) else {
          return try await receive(head, response)
        }
        try await discard(response.body)
        request = next
      }
      throw URLError(.httpTooManyRedirects)
    }

    private func receive(_ head: HTTPURLResponse, _ response: HTTPClientResponse) async throws {
      if let lost = lostOperation(in: response) { throw lost }
      var meter = try BodyMeter(head, limits, isEndless: true)
      await idle.pausing { await parts.send(.head(head)) }
      for try await piece in response.body where piece.readableBytes > 0 {
        try meter.add(piece.readableBytes)
        await idle.pausing { await parts.send(.piece(Data(piece.readableBytesView))) }
      }
      // A body that was stopped ends like one that is complete.
      try Task.checkCancellation()
    }

    /// The error for a redirect on which a client of the app's sent a `GET` without the body; nil if there was none.
    private func lostOperation(in response: HTTPClientResponse) -> NetworkFetchInterceptor.RedirectError? {
      guard request.httpMethod == "POST", response.history.last?.request.method == .GET, let from = request.url,
        let to = response.url
      else { return nil }
      return NetworkFetchInterceptor.RedirectError(from: from, to: to, status: nil, .lostOperation)
    }

    private func discard(_ body: HTTPClientResponse.Body) async throws {
      var count = 0
      for try await piece in body {
        idle.restart()
        count += piece.readableBytes
        if count > Self.bytesReadOfRedirects { return }
      }
    }
  }

  extension HTTPClientRequest {
    fileprivate init(_ request: URLRequest, _ body: HTTPClientRequest.Body?) throws {
      guard let url = request.url else { throw URLError(.badURL) }
      self.init(url: url.absoluteString)
      method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
      for (name, value) in request.allHTTPHeaderFields ?? [:] { headers.add(name: name, value: value) }
      // Some servers refuse requests that do not say what sends them.
      if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: "apollo-swift") }
      self.body = body
    }
  }

  extension HTTPClientResponse {
    /// Status and header fields, as Foundation has them.
    fileprivate func head(of request: URLRequest) throws -> HTTPURLResponse {
      var fields: [String: String] = [:]
      var spellings: [String: String] = [:]
      for (name, value) in headers {
        let spelling = spellings[name.lowercased(), default: name]
        spellings[name.lowercased()] = spelling
        fields[spelling] = fields[spelling].map { "\($0), \(value)" } ?? value
      }
      // A server that changes the protocol speaks no HTTP from here on.
      guard status != .switchingProtocols, let url = url ?? request.url,
        let head = HTTPURLResponse(
          url: url, statusCode: Int(status.code), httpVersion: "\(version)", headerFields: fields)
      else { throw URLError(.badServerResponse) }
      return head
    }
  }
#endif
