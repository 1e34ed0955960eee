public import ApolloHTTP
public import ApolloOperations
public import ApolloTransport
import ApolloConcurrency
public import ApolloAPI
public import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An interceptor around an operation. It sees the request before the cache is read or the request is sent, and the
/// results before they are cached and delivered. Part of the API of Apollo iOS 2.
///
///     struct TokenInterceptor: GraphQLInterceptor {
///       func intercept<Request: GraphQLRequest>(
///         request: Request, next: NextInterceptorFunction<Request>
///       ) async throws -> InterceptorResultStream<Request> {
///         var request = request
///         request.addHeader(name: "Authorization", value: "Bearer \(try await token())")
///         return await next(request)
///       }
///     }
///
/// `next` runs the rest of the chain: it reads the cache, sends the request and parses the response. An interceptor may
/// change the results (``InterceptorResultStream/map(_:)``), leave some of them out
/// (``InterceptorResultStream/compactMap(_:)``), change the errors (``InterceptorResultStream/mapErrors(_:)``), call
/// `next` again, or return a stream of its own without calling it. All calls of `next` work on one request object. So
/// the rest of the chain runs for a second call when the results of the first have ended, or are released. To start the
/// whole chain again it throws `RequestChain.Retry(request:)`; ``MaxRetryInterceptor`` limits how often. Any other error
/// that it throws ends the operation.
///
/// A provider lists it in ``InterceptorProvider/graphQLInterceptors(for:)``, or in
/// ``InterceptorProvider/interceptors(for:)`` among interceptors of all kinds. A client lists it in
/// ``ApolloClient/Configuration/HTTP-swift.struct/graphQLInterceptors``.
public protocol GraphQLInterceptor: ApolloInterceptor, Sendable {
  /// Runs the rest of the chain.
  typealias NextInterceptorFunction<Request: GraphQLRequest> =
    @Sendable (Request) async -> InterceptorResultStream<Request>

  /// Runs the operation, or answers it without running it.
  ///
  /// - Parameters:
  ///   - request: The operation on its way. All interceptors of the chain share this object, so they see each change.
  ///   - next: Runs the rest of the chain.
  /// - Returns: The results of the operation.
  /// - Throws: The error that ends the operation, or a `RequestChain.Retry`, which starts it again.
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request>
}

extension InterceptorRequestChain {
  /// The error that starts an operation again at the first interceptor of its chain. A ``GraphQLInterceptor`` throws it:
  /// `throw RequestChain.Retry(request: request)`. Part of the API of Apollo iOS 2.
  public struct Retry: Error {
    let request: any GraphQLRequest

    /// Makes the error.
    ///
    /// - Parameter request: The request that the interceptor was called with.
    public init<Request: GraphQLRequest>(request: Request) { self.request = request }
  }
}

extension RequestChain {
  /// The error that starts an operation again; see ``InterceptorRequestChain/Retry``.
  public typealias Retry = InterceptorRequestChain.Retry
}

/// A result, and the objects that are written to the cache for it. Part of the API of Apollo iOS 2.
public struct ParsedResult<Operation: GraphQLOperation>: Sendable {
  /// The result that the caller is given.
  public var result: GraphQLResult<Operation.Data>
  /// The objects that are written to the cache. nil: nothing is written, as for a result that comes from the cache.
  public var cacheRecords: RecordSet? {
    get { response?.cacheRecords ?? records }
    set {
      response?.cacheRecords = newValue
      records = newValue
    }
  }
  private var records: RecordSet?
  /// The response that the result was read from; nil if an interceptor made the result.
  private var response: HTTPResponse<Operation>?

  /// Makes a result, for an interceptor that answers an operation itself.
  ///
  /// - Parameters:
  ///   - result: The result that the caller is given.
  ///   - cacheRecords: The objects that are written to the cache. nil: nothing is written.
  public init(result: GraphQLResult<Operation.Data>, cacheRecords: RecordSet?) {
    self.result = result
    records = cacheRecords
  }

  init(_ result: GraphQLResult<Operation.Data>, _ response: HTTPResponse<Operation>?) {
    self.result = result
    self.response = response
  }

  /// The result as a response for the rest of a chain. A result that an interceptor has made has HTTP status 200.
  func asResponse(to request: HTTPRequest<Operation>) -> HTTPResponse<Operation>? {
    if let response {
      response.parsedResponse = result
      if result.httpResponse == nil { response.parsedResponse?.httpResponse = response.httpResponse }
      return response
    }
    guard
      let status = HTTPURLResponse(
        url: request.graphQLEndpoint, statusCode: 200, httpVersion: nil, headerFields: nil)
    else { return nil }
    let response = HTTPResponse<Operation>(response: status, rawData: Data(), parsedResponse: result)
    response.cacheRecords = records
    return response
  }
}

/// The results of an operation on their way back through the interceptors. Part of the API of Apollo iOS 2.
///
/// A query has one result. A query with `@defer` or `returnCacheDataAndFetch`, and a subscription, have several. The
/// stream can be iterated once. It ends when the operation ends; ending the iteration cancels the operation.
public struct InterceptorResultStream<Request: GraphQLRequest>: AsyncSequence, Sendable {
  /// A result with the records for the cache.
  public typealias Element = ParsedResult<Request.Operation>
  private let stream: AsyncThrowingStream<Element, any Error>

  /// Makes a stream of results that an interceptor has made itself.
  ///
  /// - Parameter stream: The results.
  public init(stream: AsyncThrowingStream<Element, any Error>) { self.stream = stream }

  /// Makes a stream of the results of a sequence. A task takes them one after the other, until the iteration of the
  /// stream ends.
  ///
  /// - Parameter results: The results.
  @_disfavoredOverload
  public init<Results: AsyncSequence & Sendable>(stream results: Results) where Results.Element == Element {
    self.init { continuation in
      for try await result in results { continuation.yield(result) }
    }
  }

  /// A stream of what a task yields. Ending the iteration cancels the task.
  init(
    _ body: @escaping @Sendable (AsyncThrowingStream<Element, any Error>.Continuation) async throws -> Void
  ) {
    stream = .running(body)
  }

  /// Begins to iterate. The stream can be iterated once.
  public func makeAsyncIterator() -> AsyncThrowingStream<Element, any Error>.Iterator { stream.makeAsyncIterator() }

  /// The results as a plain `AsyncThrowingStream`.
  public func getStream() -> AsyncThrowingStream<Element, any Error> { stream }

  /// Changes each result, when it is asked for. An error that `transform` throws ends the stream.
  public func map(_ transform: @escaping @Sendable (Element) async throws -> Element) async -> Self {
    let source = ResultSource(stream)
    return Self(stream: AsyncThrowingStream(unfolding: { try await source.next(transform) { throw $0 } }))
  }

  /// Changes each result, or leaves it out if `transform` returns nil, when it is asked for. An error that `transform`
  /// throws ends the stream.
  public func compactMap(_ transform: @escaping @Sendable (Element) async throws -> Element?) async -> Self {
    let source = ResultSource(stream)
    return Self(stream: AsyncThrowingStream(unfolding: { try await source.next(transform) { throw $0 } }))
  }

  /// Replaces the error that ends the results. `transform` returns a last result, or nil to end without one, or throws
  /// another error. A `RequestChain.Retry` is not an error of the operation, and passes by.
  public func mapErrors(_ transform: @escaping @Sendable (any Error) async throws -> Element?) async -> Self {
    let source = ResultSource(stream)
    return Self(stream: AsyncThrowingStream(unfolding: { try await source.next({ $0 }, onError: transform) }))
  }
}

/// Takes each result of a stream when it is asked for. Nothing follows an error.
private final class ResultSource<Element: Sendable>: Sendable {
  private let rest: Locked<AsyncThrowingStream<Element, any Error>?>

  init(_ stream: AsyncThrowingStream<Element, any Error>) { rest = Locked(stream) }

  /// The next result that `transform` does not leave out.
  ///
  /// - Parameters:
  ///   - transform: Changes a result; nil leaves it out.
  ///   - recover: Gives the last result in the place of an error, of the stream or of `transform`.
  /// - Returns: The result; nil after the last one.
  /// - Throws: What `recover` throws.
  func next(
    _ transform: @Sendable (Element) async throws -> Element?,
    onError recover: @Sendable (any Error) async throws -> Element?
  ) async throws -> Element? {
    // Each iterator of such a stream continues where the previous one stopped.
    guard var iterator = rest.withLock({ $0 })?.makeAsyncIterator() else { return nil }
    do {
      while let element = try await iterator.next() {
        if let transformed = try await transform(element) { return transformed }
      }
      return nil
    } catch let retry as InterceptorRequestChain.Retry {
      // Nothing has failed yet.
      rest.takeOut { $0.take() }
      throw retry
    } catch {
      rest.takeOut { $0.take() }
      return try await recover(error)
    }
  }
}

// MARK: In a chain

extension GraphQLInterceptor {
  /// The chain runs this interceptor around the interceptors after it.
  public var kind: InterceptorRequestChain.InterceptorKind { InterceptorRequestChain.InterceptorKind(.around(self)) }

  /// The name of the type.
  public var id: String { "\(Self.self)" }

  /// Runs this interceptor in a chain that an app has made, which calls every interceptor with callbacks.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    // Safe: the chain and the completion are those of an app's interceptor (see Handoff).
    nonisolated(unsafe) let chain = chain, completion = completion
    chain.work {
      do {
        let results = try await self.intercept(request: request) { request in
          InterceptorResultStream { continuation in
            await self.goOn(in: chain, request, response, to: continuation)
          }
        }
        for try await parsed in results { completion(.success(parsed.result)) }
      } catch let retry as InterceptorRequestChain.Retry {
        let request = retry.request as? HTTPRequest<Operation> ?? request
        chain.retry(request: request, completion: completion)
      } catch {
        chain.handleErrorAsync(error, request: request, response: response, completion: completion)
      }
    }
  }

  /// Runs the rest of a chain with callbacks, until the chain has released the completion.
  private func goOn<Operation: GraphQLOperation>(
    in chain: any RequestChain, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    to continuation: AsyncThrowingStream<ParsedResult<Operation>, any Error>.Continuation
  ) async {
    let (ended, end) = AsyncStream<Void>.makeStream()
    chain.proceed(
      behind: self, request, response,
      completion: CompletionToken { end.finish() }.guarding { outcome in
        switch outcome {
        case .success(let result): continuation.yield(ParsedResult(result: result, cacheRecords: nil))
        case .failure(let error): continuation.finish(throwing: error)
        }
      })
    for await _ in ended {}
  }
}
