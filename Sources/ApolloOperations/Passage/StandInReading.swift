package import ApolloTransport
package import ApolloAPI

/// Reads the cache in place of a server that does not answer, where an interceptor of the app reads the cache.
package protocol StandInReader: Sendable {
  /// Reads the cache for an operation.
  ///
  /// - Parameter passage: The operation, as its steps had it last.
  /// - Returns: The result; nil if the cache does not have all of the data.
  /// - Throws: The error that ends the operation.
  func read<Operation: GraphQLOperation>(
    for passage: OperationPassage<Operation>
  ) async throws -> GraphQLResult<Operation.Data>?
}

/// What reads the cache for an operation whose server does not answer, and what it is asked with.
final class StandInReading: Sendable {
  private struct State {
    var reader: (any StandInReader)?
    /// (An `OperationPassage`, of the type of the operation.)
    var passage: (any Sendable)?
    var isOver = false
  }

  private let state = Locked(State())

  init() {}

  /// What reads the cache; nil: the client does.
  var reader: (any StandInReader)? { state.withLock { $0.reader } }

  /// Takes what reads the cache; nil: the client does.
  func take(_ reader: (any StandInReader)?) { state.replace(\.reader, with: reader) }

  /// Notes the operation on its way. An interceptor may put another one in its place.
  func note<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>) {
    state.takeOut { state in
      let former = state.passage
      if !state.isOver { state.passage = passage }
      return former
    }
  }

  /// Forgets the operation, which has this object.
  func end() {
    state.takeOut { state in
      let former = state
      state = State(isOver: true)
      return former
    }
  }

  /// The result of reading the cache.
  ///
  /// - Parameter reader: What reads it.
  /// - Returns: The result; nil if the cache does not have all of the data.
  /// - Throws: The error that ends the operation.
  func result<Operation: GraphQLOperation>(
    of _: Operation.Type, by reader: any StandInReader
  ) async throws -> GraphQLResult<Operation.Data>? {
    guard let passage = state.withLock({ $0.passage }) as? OperationPassage<Operation> else { return nil }
    do { return try await reader.read(for: passage) } catch { throw passage.described(error) }
  }
}
