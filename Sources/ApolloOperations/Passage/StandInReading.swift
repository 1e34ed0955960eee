package import ApolloTransport
package import ApolloAPI
import ApolloCache

/// Reads the cache in place of a server that does not answer, where an interceptor of the app reads the cache.
package protocol StandInReader: Sendable {
  /// Reads the cache for an operation.
  ///
  /// - Parameter request: The operation as it was before the first step. No step has this object.
  /// - Returns: The result; nil if the cache does not have all of the data.
  /// - Throws: The error that ends the operation.
  func read<Operation: GraphQLOperation>(
    for request: HTTPRequest<Operation>
  ) async throws -> GraphQLResult<Operation.Data>?
}

/// What reads the cache for an operation whose server does not answer.
final class StandInReading: Sendable {
  /// Reads the cache. The result is a `GraphQLResult` of the operation; nil if the cache does not have all of the data.
  typealias Read = @Sendable () async throws -> (any Sendable)?

  private struct State {
    var read: Read?
  }

  private let state = Locked(State())

  init() {}

  /// Reads the cache; nil: the client does.
  var read: Read? { state.withLock { $0.read } }

  /// Takes what reads the cache.
  ///
  /// It gets a request of its own: when the cache is read, the steps may still be at work with theirs, because what has
  /// met its deadline ends later than that.
  ///
  /// - Parameters:
  ///   - reader: What reads it; nil: the client does.
  ///   - call: The operation.
  ///   - chains: The transport that makes the request.
  ///   - store: The cache.
  func take<Operation: GraphQLOperation>(
    _ reader: (any StandInReader)?, for call: OperationCall<Operation>, over chains: any ChainedTransport,
    _ store: ApolloStore?
  ) {
    guard let reader else { return keep(nil) }
    var own = call
    // (It is held by this object.)
    own.options.standIn = nil
    own.options.isStandIn = true
    keep { [own] in
      let request = chains.constructRequest(
        for: own.operation, cachePolicy: own.cachePolicy, contextIdentifier: own.contextIdentifier,
        context: own.context)
      request.isPrepared(by: chains, store)
      request.apply(own)
      do {
        guard let result = try await reader.read(for: request) else { return nil }
        return result
      } catch {
        throw request.described(error)
      }
    }
  }

  private func keep(_ read: Read?) {
    state.takeOut { state in
      let former = state
      state = State(read: read)
      return former
    }
  }
}

extension OperationPassage {
  /// Whether the cache is read for it because the server does not answer.
  package var isStandIn: Bool { options.isStandIn }
}
