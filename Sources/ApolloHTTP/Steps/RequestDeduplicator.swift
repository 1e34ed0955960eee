import ApolloOperations
import ApolloTransport
import ApolloConcurrency
import ApolloAPI

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends identical queries that are under way at one time only once.
///
/// Queries are identical if their requests have equal addresses, header fields and bodies, if their contexts are equal,
/// and if they are sent over one session. So what is sent for one user is never given to another. A query after the
/// client's cache was cleared shares no request with one before it. The request is cancelled when all operations that
/// wait for it are cancelled.
public final class RequestDeduplicator: Sendable {
  let requests = Deduplicator<IdenticalQuery, FetchedResponse>()

  /// Makes a deduplicator.
  public init() {}

  @inline(never) nonisolated(nonsending) func fetch(
    _ request: URLRequest, over engine: any HTTPEngine, _ sharing: SharingKey, _ limits: ResponseLimits,
    _ send: @escaping @Sendable () async throws -> FetchedResponse
  ) async throws -> FetchedResponse {
    guard let key = IdenticalQuery(request, over: engine.identity, sharing) else { return try await send() }
    return try await requests.value(for: key) { try await send().collected(limits) }
  }
}

extension FetchedResponse {
  /// The response with its whole body, because several readers cannot share a stream.
  nonisolated(nonsending) func collected(_ limits: ResponseLimits) async throws -> FetchedResponse {
    guard case .pieces(let pieces) = body else { return self }
    var data = Data()
    var meter = try BodyMeter(response, limits)
    for try await piece in pieces {
      try meter.add(piece.count)
      data += piece
    }
    var whole = self
    whole.body = .whole(data)
    return whole
  }
}
