import Apollo
import ApolloAsyncHTTP
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the clients of the tests send by, also of those that are symbolic links to the tests of Foundation's engine.
func testedProvider(
  _ configuration: URLSessionConfiguration, store: ApolloStore, options: DefaultInterceptorProvider.Options,
  origins: OriginPolicy = OriginPolicy(), limits: ResponseLimits = ResponseLimits()
) -> DefaultInterceptorProvider {
  DefaultInterceptorProvider(
    session: AsyncHTTPSession(origins: origins, limits: limits), store: store, options: options)
}

/// A value under a lock.
final class Locked<State>: @unchecked Sendable {
  // Sendable: the state is touched under the lock only.
  private let lock = NSLock()
  private var state: State

  init(_ state: State) { self.state = state }

  @discardableResult
  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}

extension AsyncHTTPSession {
  /// Status and header fields, and the body in pieces.
  func response(to request: URLRequest, file: URL? = nil) async throws -> (HTTPURLResponse, ChunkedHTTPResponse.Chunks)
  {
    let (chunks, response) =
      if let file { try await self.chunks(for: request, fromFile: file) } else {
        try await self.chunks(for: request)
      }
    guard let response = response as? HTTPURLResponse, let stream = chunks as? ChunkedHTTPResponse.Chunks else {
      throw URLError(.badServerResponse)
    }
    return (response, stream)
  }

  /// The whole body as text.
  func body(of request: URLRequest, file: URL? = nil) async throws -> String {
    var data = Data()
    for try await piece in try await response(to: request, file: file).1 { data.append(piece) }
    return String(decoding: data, as: UTF8.self)
  }
}
