import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests over HTTP: a `URLSession`, a ``URLSessionClient``, or an app's own, for another HTTP engine or for a test. Of
/// release 2 of Apollo iOS.
///
///     struct CannedSession: ApolloURLSession {
///       func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) { … }
///     }
public protocol ApolloURLSession: Sendable {
  /// Sends a request, and returns as soon as the response begins.
  ///
  /// - Returns: The body, piece by piece, and a `HTTPURLResponse`.
  /// - Throws: Why there is no response; best a `URLError`, because the rules of retrying know those.
  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse)

  /// Sends a request whose body is in a file. By default the file is mapped into memory, and sent by ``chunks(for:)``.
  func chunks(for request: URLRequest, fromFile file: URL) async throws -> (any AsyncChunkSequence, URLResponse)
}

extension ApolloURLSession {
  public func chunks(
    for request: URLRequest, fromFile file: URL
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    var request = request
    request.httpBody = try Data(contentsOf: file, options: .alwaysMapped)
    return try await chunks(for: request)
  }
}

/// The pieces of a body. Of release 2 of Apollo iOS.
public protocol AsyncChunkSequence: AsyncSequence, Sendable where Element == Data {}

/// The pieces of a body, from any stream.
public struct ChunkStream: AsyncChunkSequence {
  fileprivate let stream: AsyncThrowingStream<Data, any Error>
  fileprivate let redirect: BodylessRedirect?

  /// - Parameter stream: The pieces, cut anywhere.
  public init(_ stream: AsyncThrowingStream<Data, any Error>) { self.init(stream, redirect: nil) }

  /// - Parameter body: The whole body.
  public init(_ body: Data) { self.init(AsyncThrowingStream(one: body)) }

  /// - Parameter redirect: The redirect on which the request lost its body, if there was one.
  package init(_ stream: AsyncThrowingStream<Data, any Error>, redirect: BodylessRedirect?) {
    self.stream = stream
    self.redirect = redirect
  }

  public func makeAsyncIterator() -> Iterator { Iterator(stream: stream.makeAsyncIterator()) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var stream: AsyncThrowingStream<Data, any Error>.Iterator

    /// - Throws: The stream's error; a `CancellationError` where the stream ended because the task is cancelled, so that nobody
    ///   takes what came before for the whole body.
    public mutating func next() async throws -> Data? {
      if let piece = try await stream.next() { return piece }
      try Task.checkCancellation()
      return nil
    }
  }
}

extension URLSession: ApolloURLSession {
  /// Sends a request by a session with this one's configuration. This one's delegate answers challenges.
  public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await once { try await $0.chunks(for: request) }
  }

  /// Sends a request by a session with this one's configuration. This one's delegate answers challenges.
  public func chunks(
    for request: URLRequest, fromFile file: URL
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await once { try await $0.chunks(for: request, fromFile: file) }
  }

  private func once(
    _ send: (SessionClient) async throws -> (any AsyncChunkSequence, URLResponse)
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    let client = SessionClient(self)
    do {
      let (chunks, response) = try await send(client)
      let stream = AsyncThrowingStream<Data, any Error>.running { continuation in
        defer { client.invalidate() }
        try await chunks.pass(to: continuation)
      }
      return (ChunkStream(stream), response)
    } catch {
      client.invalidate()
      throw error
    }
  }
}

extension AsyncChunkSequence {
  fileprivate func pass(to continuation: AsyncThrowingStream<Data, any Error>.Continuation) async throws {
    for try await chunk in self { continuation.yield(chunk) }
  }
}

// MARK: Behind the interceptor that fetches

/// What sends the requests of a transport.
package protocol HTTPEngine: Sendable {
  /// Sends a request and waits for the response: all of it, or the beginning of one that comes in parts.
  func fetch(_ exchange: HTTPExchange) async throws -> FetchedResponse
}

/// A request, and what has to be known to send it.
package struct HTTPExchange: Sendable {
  var request: URLRequest
  /// The body; nil if the request has it.
  var file: URL?
  /// What the request is, for those who look at its task.
  var description = ""
  /// If the connection is lost before anything was answered, the request is sent once more.
  var mayRepeat = false
  var onProgress: (@Sendable (TransferProgress) -> Void)?
}

/// What came for a request: a whole body, or the pieces of one as they come.
package struct FetchedResponse: Sendable {
  package enum Body: Sendable {
    case whole(Data)
    case pieces(AsyncThrowingStream<Data, any Error>)
  }

  let response: HTTPURLResponse
  var body: Body
  /// The redirect on which the request lost its body, if there was one.
  var redirect: BodylessRedirect?
}

/// Sends by a session that is not this package's own.
struct SessionEngine: HTTPEngine {
  let session: any ApolloURLSession

  func fetch(_ exchange: HTTPExchange) async throws -> FetchedResponse {
    do {
      return try await fetchOnce(exchange)
    } catch let error as URLError where exchange.mayRepeat && error.code == .networkConnectionLost {
      try Task.checkCancellation()
      return try await fetchOnce(exchange)
    }
  }

  private func fetchOnce(_ exchange: HTTPExchange) async throws -> FetchedResponse {
    let request = exchange.request, file = exchange.file
    let (chunks, response) =
      if let file { try await session.chunks(for: request, fromFile: file) } else {
        try await session.chunks(for: request)
      }
    guard let response = response as? HTTPURLResponse else {
      throw URLSessionClient.URLSessionClientError.noHTTPResponse(request: request)
    }
    let redirect = (chunks as? ChunkStream)?.redirect
    guard !response.isStream else {
      return FetchedResponse(response: response, body: .pieces(Self.stream(chunks)), redirect: redirect)
    }
    var body = Data()
    do {
      for try await chunk in Self.stream(chunks) {
        body.append(chunk)
        exchange.onProgress?(TransferProgress(.download, completed: Int64(body.count), total: response.announcedLength))
      }
    } catch {
      try Task.checkCancellation()
      throw URLSessionClient.URLSessionClientError.networkError(data: body, response: response, underlying: error)
    }
    return FetchedResponse(response: response, body: .whole(body), redirect: redirect)
  }

  /// The pieces, as fast as they are used if the session can do so.
  private static func stream(_ chunks: some AsyncChunkSequence) -> AsyncThrowingStream<Data, any Error> {
    (chunks as? ChunkStream)?.stream ?? .running { try await chunks.pass(to: $0) }
  }
}

extension HTTPURLResponse {
  /// The length of the body that the server announces; nil if it announces none, or one before it is unpacked.
  var announcedLength: Int64? {
    let isPacked = value(forHTTPHeaderField: "Content-Encoding").map { $0.lowercased() != "identity" } ?? false
    return isPacked || expectedContentLength < 0 ? nil : expectedContentLength
  }
}

extension URLSessionClient: HTTPEngine, ApolloURLSession {
  public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await chunks(of: fetch(HTTPExchange(request: request)))
  }

  public func chunks(
    for request: URLRequest, fromFile file: URL
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await chunks(of: fetch(HTTPExchange(request: request, file: file)))
  }

  private func chunks(of fetched: FetchedResponse) async throws -> (any AsyncChunkSequence, URLResponse) {
    (ChunkStream(ChunkedHTTPResponse(fetched).chunks, redirect: fetched.redirect), fetched.response)
  }
}

extension ApolloURLSession {
  /// What a transport sends by.
  var engine: any HTTPEngine {
    switch self {
    case let client as URLSessionClient: client
    case let session as URLSession: SessionClient(session)
    default: SessionEngine(session: self)
    }
  }
}
