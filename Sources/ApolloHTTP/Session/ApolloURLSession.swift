import ApolloOperations
import ApolloTransport
import ApolloAPI
import ApolloCache
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests over HTTP. A `URLSession` and a ``URLSessionClient`` are such sessions. An app can make its own, for
/// another HTTP engine or for a test. Part of the API of Apollo iOS 2.
///
///     struct CannedSession: ApolloURLSession {
///       func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) { … }
///     }
public protocol ApolloURLSession: Sendable {
  /// Sends a request, and returns as soon as the response begins.
  ///
  /// - Returns: The body, piece by piece, and a `HTTPURLResponse`.
  /// - Throws: Why there is no response. It should be a `URLError`, because the rules for retries know these errors.
  func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse)

  /// Sends a request whose body is in a file. The default implementation maps the file into memory and sends it with
  /// ``chunks(for:)``.
  ///
  /// The file is removed when this has returned, and when its task is cancelled. A session that sends the body after that,
  /// as one in the background may, makes a copy.
  func chunks(for request: URLRequest, fromFile file: URL) async throws -> (any AsyncChunkSequence, URLResponse)
}

extension ApolloURLSession {
  /// Maps the file into memory and sends it with ``chunks(for:)``.
  ///
  /// - Parameters:
  ///   - request: The request without its body.
  ///   - file: The file with the body.
  /// - Returns: The body of the response in pieces, and an `HTTPURLResponse`.
  /// - Throws: Why the file cannot be read, or why there is no response.
  public func chunks(
    for request: URLRequest, fromFile file: URL
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    var request = request
    request.httpBody = try Data(contentsOf: file, options: .alwaysMapped)
    return try await chunks(for: request)
  }
}

/// The pieces of a body, as they arrive. Part of the API of Apollo iOS 2.
public protocol AsyncChunkSequence: AsyncSequence, Sendable where Element == Data {}

extension ChunkedHTTPResponse {
  /// The pieces of a body, made of a stream or of a whole body.
  public struct Chunks: AsyncChunkSequence {
    fileprivate let stream: AsyncThrowingStream<Data, any Error>

    /// Makes a sequence of the pieces in a stream.
    ///
    /// - Parameter stream: The body, in pieces of any size.
    public init(_ stream: AsyncThrowingStream<Data, any Error>) { self.stream = stream }

    /// Makes a sequence with one piece.
    ///
    /// - Parameter body: The whole body.
    public init(_ body: Data) { self.init(AsyncThrowingStream(one: body)) }

    /// Begins to iterate. The body can be iterated once.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: stream.makeAsyncIterator()) }

    /// Iterates the pieces of a body.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var stream: AsyncThrowingStream<Data, any Error>.Iterator

      /// Waits for the next piece.
      ///
      /// - Returns: The piece; nil after the last one.
      /// - Throws: The error of the stream. A `CancellationError` if the stream ended because the task is cancelled, so
      ///   that what came before is not taken for the whole body.
      public mutating func next() async throws -> Data? {
        if let piece = try await stream.next() { return piece }
        try Task.checkCancellation()
        return nil
      }
    }
  }
}

extension URLSession: ApolloURLSession {
  /// Sends a request over a session with the configuration of this one. This session's delegate answers challenges.
  public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await once(HTTPExchange(request: request, rules: .ofPieces))
  }

  /// Sends a request whose body is in a file, over a session with the configuration of this one. This session's
  /// delegate answers challenges.
  public func chunks(
    for request: URLRequest, fromFile file: URL
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await once(HTTPExchange(request: request, file: file, rules: .ofPieces))
  }

  private func once(_ exchange: HTTPExchange) async throws -> (any AsyncChunkSequence, URLResponse) {
    let fetched = try await SessionClient.shared(for: self).fetch(exchange)
    let body = OwnedBody(ChunkedHTTPResponse(fetched).chunks, of: self)
    let stream = AsyncThrowingStream<Data, any Error>(unfolding: { try await body.next() })
    return (ChunkedHTTPResponse.Chunks(stream), fetched.response)
  }
}

/// A body that comes over the client of a session. The client is there for as long as the session is.
private final class OwnedBody: Sendable {
  private let pieces: AsyncThrowingStream<Data, any Error>
  private let session: URLSession

  init(_ pieces: AsyncThrowingStream<Data, any Error>, of session: URLSession) {
    self.pieces = pieces
    self.session = session
  }

  func next() async throws -> Data? {
    // Each iterator of such a stream continues where the previous one stopped.
    var iterator = pieces.makeAsyncIterator()
    return try await iterator.next()
  }
}

// MARK: Engines, which the interceptor that fetches uses

/// Sends the requests of a transport.
protocol HTTPEngine: Sendable {
  /// Identifies what sends: a request for one session must not go over another one, which may trust other servers.
  var identity: ObjectIdentifier { get }
  /// Sends a request and waits for the response: the whole response, or the beginning of a response in parts.
  func fetch(_ exchange: HTTPExchange) async throws -> FetchedResponse
  /// Forgets what is kept of a user of the server with this address.
  func forgetUser(of url: URL) async throws
}

extension HTTPEngine {
  /// All values of the type are as one.
  var identity: ObjectIdentifier { ObjectIdentifier(Self.self) }

  /// Nothing is kept.
  func forgetUser(of url: URL) async throws {}
}

/// What sends the requests of a transport: a session, or a client that is made for it.
package struct HTTPSender: Sendable {
  let engine: any HTTPEngine

  /// A sender over a session.
  package init(_ session: any ApolloURLSession) {
    engine =
      switch session {
      case let client as URLSessionClient: client
      case let session as URLSession: SessionClient(holding: session)
      default: SessionEngine(session: session)
      }
  }

  /// The client that was made for the session, which has to be invalidated; nil if there is none.
  package var madeClient: URLSessionClient? { engine as? SessionClient }

  /// Forgets what is kept of a user of the server with this address.
  ///
  /// - Throws: What the session throws.
  package func forgetUser(of url: URL) async throws { try await engine.forgetUser(of: url) }
}

/// A transport, or a provider of interceptors, that can tell what its requests are sent by.
package protocol SenderHolding {
  var sender: HTTPSender { get }
}

/// A request, and how to send it.
struct HTTPExchange: Sendable {
  var request: URLRequest
  /// The file with the body; nil if the body is in the request.
  var file: URL?
  /// The type and name of the operation, as the description of the task that sends it.
  var description = ""
  /// Whether the request is sent again if the connection is lost before any answer.
  var mayRepeat = false
  var onProgress: (@Sendable (RequestConfiguration.TransferProgress) -> Void)?
  /// Where it may go, and how much may come.
  var rules = ExchangeRules()
}

/// The response to a request: its whole body, or the pieces of the body as they arrive.
struct FetchedResponse: Sendable {
  enum Body: Sendable {
    case whole(Data)
    case pieces(AsyncThrowingStream<Data, any Error>)
  }

  let response: HTTPURLResponse
  var body: Body
}

/// Sends requests over a session that is not of this package.
struct SessionEngine: HTTPEngine {
  let session: any ApolloURLSession

  /// (Sessions of a type that is not a class are as one.)
  var identity: ObjectIdentifier {
    type(of: session) is AnyClass ? ObjectIdentifier(session as AnyObject) : ObjectIdentifier(type(of: session))
  }

  func forgetUser(of url: URL) async throws { try await (session as? any UserForgetting)?.forgetUser() }

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
    let (chunks, response) = try await ExchangeRules.$current.withValue(exchange.rules) {
      if let file { return try await session.chunks(for: request, fromFile: file) }
      return try await session.chunks(for: request)
    }
    guard let response = response as? HTTPURLResponse else {
      throw URLSessionClient.URLSessionClientError.noHTTPResponse(request: request)
    }
    let limits = exchange.rules.limits ?? ResponseLimits()
    var meter = try BodyMeter(response, limits, isEndless: exchange.rules.isEndless)
    guard !response.isStream else {
      let pieces = Self.pieces(of: chunks, response, limit: limits.waitingSize)
      return FetchedResponse(response: response, body: .pieces(Self.counted(pieces, meter)))
    }
    var body = Data()
    do {
      // (They are taken as they come, and counted all together.)
      for try await chunk in Self.pieces(of: chunks, response, limit: .max) {
        try meter.add(chunk.count)
        body.append(chunk)
        exchange.onProgress?(
          RequestConfiguration.TransferProgress(
            .download, completed: Int64(body.count), total: response.announcedLength))
      }
    } catch {
      try Task.checkCancellation()
      if error is any ApolloError { throw error }
      throw URLSessionClient.URLSessionClientError.networkError(data: body, response: response, underlying: error)
    }
    return FetchedResponse(response: response, body: .whole(body))
  }

  /// The pieces of a body. If the session allows it, they are read as fast as they are used. Otherwise some may wait.
  private static func pieces(
    of chunks: some AsyncChunkSequence, _ response: HTTPURLResponse, limit: Int
  ) -> AsyncThrowingStream<Data, any Error> {
    (chunks as? ChunkedHTTPResponse.Chunks)?.stream ?? WaitingPieces.read(chunks, limit: limit, of: response)
  }

  /// The pieces of a body in parts, which are counted as they are read.
  private static func counted(
    _ pieces: AsyncThrowingStream<Data, any Error>, _ meter: BodyMeter
  ) -> AsyncThrowingStream<Data, any Error> {
    let meter = Locked(meter)
    return AsyncThrowingStream {
      var iterator = pieces.makeAsyncIterator()
      guard let piece = try await iterator.next() else { return nil }
      try meter.withLock { try $0.add(piece.count) }
      return piece
    }
  }
}

extension HTTPURLResponse {
  /// The length of the body that the server announces. nil if it announces none, and for a compressed body, whose
  /// announced length is not that of the data.
  var announcedLength: Int64? {
    let isPacked = value(forHTTPHeaderField: "Content-Encoding").map { $0.lowercased() != "identity" } ?? false
    return isPacked || expectedContentLength < 0 ? nil : expectedContentLength
  }
}

extension URLSessionClient: HTTPEngine, ApolloURLSession {
  var identity: ObjectIdentifier { ObjectIdentifier(self) }

  package func forgetUser(of url: URL) { SessionData.remove(for: url, from: configuration) }

  /// Sends a request, and returns as soon as the response begins.
  ///
  /// - Parameter request: The request with its body.
  /// - Returns: The body of the response in pieces, and an `HTTPURLResponse`.
  /// - Throws: ``URLSessionClientError``.
  public func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await chunks(of: fetch(HTTPExchange(request: request, rules: .ofPieces)))
  }

  /// Sends a request whose body is in a file, and returns as soon as the response begins.
  ///
  /// - Parameters:
  ///   - request: The request without its body.
  ///   - file: The file with the body.
  /// - Returns: The body of the response in pieces, and an `HTTPURLResponse`.
  /// - Throws: ``URLSessionClientError``.
  public func chunks(
    for request: URLRequest, fromFile file: URL
  ) async throws -> (any AsyncChunkSequence, URLResponse) {
    try await chunks(of: fetch(HTTPExchange(request: request, file: file, rules: .ofPieces)))
  }

  private func chunks(of fetched: FetchedResponse) async throws -> (any AsyncChunkSequence, URLResponse) {
    (ChunkedHTTPResponse.Chunks(ChunkedHTTPResponse(fetched).chunks), fetched.response)
  }
}

/// A session that knows which servers it trusts over TLS.
package protocol TrustingSession {
  /// True if it trusts all servers that the system trusts, and no others.
  var trustsAsTheSystem: Bool { get }
}

extension HTTPResponse {
  convenience init(_ fetched: FetchedResponse) {
    switch fetched.body {
    case .whole(let data): self.init(response: fetched.response, rawData: data, parsedResponse: nil)
    case .pieces(let pieces): self.init(fetched.response, pieces)
    }
  }
}
