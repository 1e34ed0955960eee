public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Stands around the exchange of one request over HTTP: sees the request as it is sent, and the response before it is read. Of
/// release 2 of Apollo iOS.
///
///     struct TraceInterceptor: HTTPInterceptor {
///       func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
///         var request = request
///         request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Trace")
///         return try await next(request)
///       }
///     }
///
/// It is called each time that the operation is sent: also when it is tried again. With batching it sees each operation of a batch
/// by itself, and an identical query that is under way already is sent only if what the interceptors made of it differs.
///
/// It is listed by ``InterceptorProvider/httpInterceptors(for:)``, or in
/// ``ApolloClient/Configuration/HTTP-swift.struct/interceptors``.
public protocol HTTPInterceptor: Sendable {
  /// Sends a request, and returns as soon as the response begins.
  typealias NextHTTPInterceptorFunction = @Sendable (URLRequest) async throws -> ChunkedHTTPResponse

  /// - Parameters:
  ///   - request: What is to be sent.
  ///   - next: Calls the next interceptor; the last one's sends the request. It may be called again, or not at all.
  /// - Throws: What ends the operation, unless it is tried again.
  func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse
}

/// A response of HTTP whose body comes piece by piece: what release 2 of Apollo iOS calls `HTTPResponse`.
public struct ChunkedHTTPResponse: Sendable {
  /// Status and headers.
  public let response: HTTPURLResponse
  var body: FetchedResponse.Body
  /// The redirect on which the request lost its body, if there was one.
  var redirect: BodylessRedirect?

  /// The body, as it comes; the pieces end anywhere. It can be iterated once.
  public var chunks: AsyncThrowingStream<Data, any Error> {
    switch body {
    case .whole(let data): AsyncThrowingStream(one: data)
    case .pieces(let pieces): pieces
    }
  }

  /// - Parameters:
  ///   - response: Status and headers.
  ///   - chunks: The body, cut anywhere.
  public init(response: HTTPURLResponse, chunks: AsyncThrowingStream<Data, any Error>) {
    self.response = response
    body = .pieces(chunks)
  }

  /// - Parameters:
  ///   - response: Status and headers.
  ///   - body: The whole body.
  public init(response: HTTPURLResponse, body: Data) {
    self.response = response
    self.body = .whole(body)
  }

  init(_ fetched: FetchedResponse) {
    response = fetched.response
    body = fetched.body
    redirect = fetched.redirect
  }

  /// The same response with other pieces. What `transform` throws ends the operation.
  public func mapChunks(
    _ transform: @escaping @Sendable (HTTPURLResponse, Data) async throws -> Data
  ) async -> ChunkedHTTPResponse {
    var copy = self
    copy.body = .pieces(
      .running { [response, chunks] continuation in
        for try await chunk in chunks { continuation.yield(try await transform(response, chunk)) }
      })
    return copy
  }

  /// All of the body.
  ///
  /// - Throws: What ended it before its end.
  public func data() async throws -> Data {
    switch body {
    case .whole(let data): return data
    case .pieces(let pieces):
      var data = Data()
      for try await piece in pieces { data.append(piece) }
      return data
    }
  }

  /// The response for what reads it: in pieces only if its type says that it comes in parts.
  func fetched() async throws -> FetchedResponse {
    var fetched = FetchedResponse(response: response, body: body)
    fetched.redirect = redirect
    if case .pieces = body, !response.isStream { fetched.body = .whole(try await data()) }
    return fetched
  }
}

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
  /// A stream of what a task brings. The task is stopped when nobody iterates any more.
  static func running(_ body: @escaping @Sendable (Continuation) async throws -> Void) -> Self {
    Self { continuation in
      let task = Task {
        do {
          try await body(continuation)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { reason in
        if case .cancelled = reason { task.cancel() }
      }
    }
  }
}
