public import ApolloAPI
public import ApolloCache
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Stands around an operation: sees its request before anything is done for it, and its results before they are cached and
/// delivered. Of release 2 of Apollo iOS.
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
/// `next` runs the rest of the chain: it asks the cache, sends the request and reads the response. An interceptor may change the
/// results (``InterceptorResultStream/map(_:)``) or the errors (``InterceptorResultStream/mapErrors(_:)``), call `next` again,
/// or not call it and return a stream of its own. To start the whole chain over it throws `RequestChain.Retry(request:)`;
/// ``MaxRetryInterceptor`` limits how often. What it throws ends the operation.
///
/// It may stand in the list of an ``InterceptorProvider`` among interceptors of all kinds, is listed by
/// ``InterceptorProvider/graphQLInterceptors(for:)``, or in ``ApolloClient/Configuration/HTTP-swift.struct/graphQLInterceptors``.
public protocol GraphQLInterceptor: ApolloInterceptor, Sendable {
  /// Runs the rest of the chain.
  typealias NextInterceptorFunction<Request: GraphQLRequest> =
    @Sendable (Request) async -> InterceptorResultStream<Request>

  /// - Parameters:
  ///   - request: The operation on its way. It is one object for the whole chain, which sees each change.
  ///   - next: Runs the rest of the chain.
  /// - Returns: The results of the operation.
  /// - Throws: What ends the operation, or starts it over (`RequestChain.Retry`).
  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request>
}

/// Starts an operation over, at the first interceptor of its chain: `throw RequestChain.Retry(request: request)` in a
/// ``GraphQLInterceptor``. Of release 2 of Apollo iOS.
public struct RequestChainRetry: Error {
  let request: any GraphQLRequest

  /// - Parameter request: The request that the interceptor was called with.
  public init<Request: GraphQLRequest>(request: Request) { self.request = request }
}

extension RequestChain {
  /// Starts an operation over; see ``RequestChainRetry``.
  public typealias Retry = RequestChainRetry
}

/// A result with the objects that are to be written to the cache. Of release 2 of Apollo iOS.
public struct ParsedResult<Operation: GraphQLOperation>: Sendable {
  /// What the caller gets.
  public var result: GraphQLResult<Operation.Data>
  /// What is written to the cache; nil for nothing, as for a result that comes from the cache.
  public var cacheRecords: RecordSet? {
    get { response?.cacheRecords ?? records }
    set {
      response?.cacheRecords = newValue
      records = newValue
    }
  }
  private var records: RecordSet?
  /// What it was read from.
  private var response: HTTPResponse<Operation>?

  /// - Parameters:
  ///   - result: What the caller gets.
  ///   - cacheRecords: What is written to the cache; nil for nothing.
  public init(result: GraphQLResult<Operation.Data>, cacheRecords: RecordSet?) {
    self.result = result
    records = cacheRecords
  }

  init(_ result: GraphQLResult<Operation.Data>, _ response: HTTPResponse<Operation>?) {
    self.result = result
    self.response = response
  }

  /// The result as a response that goes down the rest of a chain. One that an interceptor has made counts as HTTP status 200.
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

/// The results of an operation on their way back through the interceptors. Of release 2 of Apollo iOS.
///
/// A query has one result; with `@defer`, with `returnCacheDataAndFetch` and for a subscription there are several. It can be
/// iterated once. It ends when the operation does; whoever stops iterating stops the operation.
public struct InterceptorResultStream<Request: GraphQLRequest>: AsyncSequence, Sendable {
  public typealias Element = ParsedResult<Request.Operation>
  private let stream: AsyncThrowingStream<Element, any Error>

  /// - Parameter stream: The results that an interceptor has made itself.
  public init(stream: AsyncThrowingStream<Element, any Error>) { self.stream = stream }

  /// A stream of what a task brings. The task ends with its iteration.
  init(
    _ body: @escaping @Sendable (AsyncThrowingStream<Element, any Error>.Continuation) async throws -> Void
  ) {
    stream = .running(body)
  }

  public func makeAsyncIterator() -> AsyncThrowingStream<Element, any Error>.Iterator { stream.makeAsyncIterator() }

  /// The results as a plain stream.
  public func getStream() -> AsyncThrowingStream<Element, any Error> { stream }

  /// Each result as another one. What `transform` throws ends the stream.
  public func map(_ transform: @escaping @Sendable (Element) async throws -> Element) async -> Self {
    Self { continuation in
      for try await element in stream { continuation.yield(try await transform(element)) }
    }
  }

  /// The same results, and for the error that ends them what `transform` makes of it: a last result, nothing (nil), or the
  /// error that it throws.
  public func mapErrors(_ transform: @escaping @Sendable (any Error) async throws -> Element?) async -> Self {
    Self { continuation in
      do {
        for try await element in stream { continuation.yield(element) }
      } catch {
        if let element = try await transform(error) { continuation.yield(element) }
      }
    }
  }
}

// MARK: In a chain

extension GraphQLInterceptor {
  public var kind: InterceptorKind { InterceptorKind(.around(self)) }

  /// The type's name.
  public var id: String { "\(Self.self)" }

  /// For chains of an app's own, which know interceptors with callbacks only.
  public func interceptAsync<Operation: GraphQLOperation>(
    chain: any RequestChain, request: HTTPRequest<Operation>, response: HTTPResponse<Operation>?,
    completion: @escaping (Result<GraphQLResult<Operation.Data>, any Error>) -> Void
  ) {
    let chain = Handoff(chain), completion = Handoff(completion)
    Task {
      do {
        let results = try await intercept(request: request) { request in
          InterceptorResultStream { continuation in
            await self.goOn(in: chain.value, request, response, to: continuation)
          }
        }
        for try await parsed in results { completion.value(.success(parsed.result)) }
      } catch let retry as RequestChainRetry {
        let request = retry.request as? HTTPRequest<Operation> ?? request
        chain.value.retry(request: request, completion: completion.value)
      } catch {
        chain.value.handleErrorAsync(error, request: request, response: response, completion: completion.value)
      }
    }
  }

  /// Goes on in a chain with callbacks, until it lets go of the completion.
  private func goOn<Operation: GraphQLOperation>(
    in chain: any RequestChain, _ request: HTTPRequest<Operation>, _ response: HTTPResponse<Operation>?,
    to continuation: AsyncThrowingStream<ParsedResult<Operation>, any Error>.Continuation
  ) async {
    let (ended, end) = AsyncStream<Void>.makeStream()
    chain.proceedAsync(
      request: request, response: response, interceptor: self,
      completion: CompletionToken { end.finish() }.guarding { outcome in
        switch outcome {
        case .success(let result): continuation.yield(ParsedResult(result: result, cacheRecords: nil))
        case .failure(let error): continuation.finish(throwing: error)
        }
      })
    for await _ in ended {}
  }
}
