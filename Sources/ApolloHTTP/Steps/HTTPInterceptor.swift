import ApolloTransport
package import ApolloAPI
package import ApolloOperations
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An interceptor around one exchange over HTTP. It sees the request as it is sent, and the response before it is
/// parsed. Part of the API of Apollo iOS 2.
///
///     struct TraceInterceptor: HTTPInterceptor {
///       func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse {
///         var request = request
///         request.setValue(UUID().uuidString, forHTTPHeaderField: "X-Trace")
///         return try await next(request)
///       }
///     }
///
/// It is called each time that the operation is sent, including retries. If operations are sent in batches, it sees
/// each operation of a batch separately; one whose body it changes is sent by itself. If identical queries are sent once, a query that is under way is sent again
/// only if the interceptors have made a different request of it.
///
/// A provider lists it in ``InterceptorProvider/httpInterceptors(for:)``, a client in
/// ``ApolloClient/Configuration/HTTP-swift.struct/interceptors``.
public protocol HTTPInterceptor: Sendable {
  /// Sends a request, and returns as soon as the response begins.
  typealias NextHTTPInterceptorFunction = @Sendable (URLRequest) async throws -> ChunkedHTTPResponse

  /// Sends a request, or answers it without sending it.
  ///
  /// - Parameters:
  ///   - request: The request that is to be sent.
  ///   - next: Calls the next interceptor; that of the last interceptor sends the request. It may be called several
  ///     times or not at all.
  /// - Returns: The response.
  /// - Throws: The error that ends the operation, unless it is tried again.
  func intercept(request: URLRequest, next: NextHTTPInterceptorFunction) async throws -> ChunkedHTTPResponse
}

/// An HTTP response whose body arrives in pieces. Apollo iOS 2 calls this type `HTTPResponse`.
public struct ChunkedHTTPResponse: Sendable {
  /// Status and header fields of the response.
  public let response: HTTPURLResponse
  var body: FetchedResponse.Body

  /// The body in pieces of any size, as they arrive. It can be iterated once.
  public var chunks: AsyncThrowingStream<Data, any Error> {
    switch body {
    case .whole(let data): AsyncThrowingStream(one: data)
    case .pieces(let pieces): pieces
    }
  }

  /// Makes a response with a body in pieces.
  ///
  /// - Parameters:
  ///   - response: Status and header fields.
  ///   - chunks: The body, in pieces of any size.
  public init(response: HTTPURLResponse, chunks: AsyncThrowingStream<Data, any Error>) {
    self.response = response
    body = .pieces(chunks)
  }

  /// Makes a response with a whole body.
  ///
  /// - Parameters:
  ///   - response: Status and header fields.
  ///   - body: The whole body.
  public init(response: HTTPURLResponse, body: Data) {
    self.response = response
    self.body = .whole(body)
  }

  init(_ fetched: FetchedResponse) {
    response = fetched.response
    body = fetched.body
  }

  /// Changes each piece of the body, when it is asked for. An error that `transform` throws ends the operation.
  public func mapChunks(
    _ transform: @escaping @Sendable (HTTPURLResponse, Data) async throws -> Data
  ) async -> ChunkedHTTPResponse {
    var copy = self
    copy.body = .pieces(
      AsyncThrowingStream(unfolding: { [response, chunks] in
        // Each iterator of such a stream continues where the previous one stopped.
        var iterator = chunks.makeAsyncIterator()
        guard let chunk = try await iterator.next() else { return nil }
        return try await transform(response, chunk)
      }))
    return copy
  }

  /// Reads the whole body.
  ///
  /// - Returns: The body.
  /// - Throws: The error that ended the body early.
  public func data() async throws -> Data {
    switch body {
    case .whole(let data): return data
    case .pieces(let pieces):
      var data = Data()
      for try await piece in pieces { data.append(piece) }
      return data
    }
  }

  /// The response for the interceptor that reads it. The body stays in pieces only if its type says that it has parts.
  ///
  /// - Parameter limits: How much an interceptor of the app may have made of the body.
  /// - Returns: The response.
  /// - Throws: The error that ended the body early, or ``ResponseLimits/Exceeded``.
  nonisolated(nonsending) func fetched(_ limits: ResponseLimits) async throws -> FetchedResponse {
    let fetched = FetchedResponse(response: response, body: body)
    if case .whole = body { return fetched }
    return response.isStream ? fetched : try await fetched.collected(limits)
  }
}

extension ChunkedHTTPResponse {
  /// The response on its way down a chain, for the interceptor that reads it.
  ///
  /// - Parameter request: What it answers.
  /// - Returns: The response.
  /// - Throws: The error that ended the body early, or ``ResponseLimits/Exceeded``.
  package nonisolated(nonsending) func answer<Operation: GraphQLOperation>(
    to request: HTTPRequest<Operation>
  ) async throws -> HTTPResponse<Operation> {
    HTTPResponse(try await fetched(request.rules.limits ?? ResponseLimits()))
  }
}

extension URLSessionClient {
  /// Sends a request of an operation, and waits for its whole answer.
  ///
  /// - Parameters:
  ///   - urlRequest: What is sent.
  ///   - request: The request that it was made of.
  /// - Returns: The response.
  /// - Throws: ``URLSessionClientError``, or ``ResponseLimits/Exceeded``.
  package nonisolated(nonsending) func answer<Operation: GraphQLOperation>(
    to urlRequest: URLRequest, of request: HTTPRequest<Operation>
  ) async throws -> HTTPResponse<Operation> {
    request.sendingCount?.add(mayRepeat: request.mayRunTwice)
    return HTTPResponse(
      try await fetch(
        HTTPExchange(
          request: urlRequest, description: Operation.operationName, mayRepeat: request.mayRunTwice,
          onProgress: request.requestConfiguration.onProgress, rules: request.rules)
      ).collected(limits))
  }
}

extension AsyncThrowingStream where Failure == any Error, Element: Sendable {
  /// A stream of what a task yields. The task is cancelled when the stream ends, and when the iteration does.
  ///
  /// Any number of elements may wait. What `yield` returns tells how many: there is room for `Int.max` of them.
  package static func running(_ body: @escaping @Sendable (Continuation) async throws -> Void) -> Self {
    Self(bufferingPolicy: .bufferingOldest(.max)) { continuation in
      let task = Task {
        do {
          try await body(continuation)
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      // (Also where the body has ended the stream itself, and goes on: nothing that comes then is taken.)
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
