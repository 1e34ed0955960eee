import ApolloTransport
import ApolloConcurrency
import ApolloAPI
import ApolloCache
import Foundation

/// Sends an operation over a transport of bytes, and joins the parts of its responses.
struct TransportSource: ResponseSource {
  let transport: any ResponseTransport
  let policies: ExchangePolicies

  func responses<Operation: GraphQLOperation>(
    to passage: OperationPassage<Operation>,
    receive: @escaping @Sendable (OperationResponse<Operation>) async throws -> Void
  ) async throws {
    if passage.options.hasOwnRoute, transport is any ConnectionTransport {
      throw OperationError.ownRoute(Operation.operationName)
    }
    let comesInParts = Operation.mayAnswerInParts
    let mayStream = comesInParts && Operation.mayStream
    let clock = passage.clock, parts = Locked(IncrementalResponse(mayStream: mayStream, clock: clock))
    let status = passage.status
    let trace = passage.options.trace
    passage.noteSending()
    let wasReported = Locked(false)
    let request = OperationRequest(
      passage.operation, context: passage.context, passage.requestConfiguration
    ) { [weak ticket = passage.ticket] state in
      // (Weak, because the transport may keep the request for longer than the operation has its place.)
      if state.tellsSending(again: wasReported) { ticket?.renew() }
      // An operation that is sent again is answered from the beginning.
      if comesInParts { parts.withLock { $0 = IncrementalResponse(mayStream: mayStream, clock: clock) } }
      status?.update(state)
    }
    let join: @Sendable (TransportResponse) async throws -> Void = { response in
      // (What was answered was sent. A transport may tell only of sending it again.)
      wasReported.withLock { $0 = true }
      trace?.received(response.httpResponse, Data(response.bytes.array))
      guard comesInParts else { return try await receive(TransportedResponse(response, whole: response.bytes)) }
      guard let whole = try parts.withLock({ parts in try parts.merge(response.bytes) }) else { return }
      try await receive(TransportedResponse(response, whole: whole))
    }
    trace?.sent(passage)
    if let key = policies.shares(passage) ? IdenticalQuery(passage, over: transport) : nil {
      let responses = try await policies.exchanges.value(for: key) {
        let responses = Locked<[TransportResponse]>([])
        try await transport.exchange(request) { response in responses.withLock { $0.append(response) } }
        return responses.withLock { $0 }
      }
      for response in responses { try await join(response) }
    } else {
      // (A transport of an app may not look.)
      try Task.checkCancellation()
      passage.sendingCount?.handOver(mayRepeat: passage.mayRunTwice)
      var deliver = join
      // (A transport may deliver in a task of its own.)
      if let turns = HeldTurns() { deliver = { response in try await turns.run { try await join(response) } } }
      try await transport.exchange(request, receive: deliver)
    }
    try parts.withLock { try $0.finish() }
  }
}

extension SubscriptionState {
  /// Whether the report of the state tells that the operation is sent again, or will be. The first report that it is
  /// active may be about the first time.
  ///
  /// - Parameter wasReported: Whether a state was reported before that comes with sending.
  /// - Returns: Whether it tells that.
  fileprivate func tellsSending(again wasReported: Locked<Bool>) -> Bool {
    switch self {
    case .pending, .finished: return false
    case .active, .paused, .reconnecting:
      return wasReported.withLock { wasReported in
        defer { wasReported = true }
        return wasReported || self != .active
      }
    }
  }
}

extension ExchangePolicies {
  /// Whether the operation may share the answer of an identical one that is under way.
  fileprivate func shares<Operation: GraphQLOperation>(_ passage: OperationPassage<Operation>) -> Bool {
    Operation.operationType == .query && !Operation.mayAnswerInParts
      && passage.requestConfiguration.deduplicates ?? deduplicatesQueries
  }

}

extension OperationError {
  fileprivate static func ownRoute(_ operationName: String) -> OperationError {
    OperationError(
      .invalidRequest,
      "It has header fields or an address of its own, and goes over a connection that it shares with others. Put what the "
        + "server has to know into the payload of the connection or into 'bodyExtensions', or send it over HTTP.",
      operationName: operationName)
  }
}

extension GraphQLOperation {
  /// The operation has `@defer` or `@stream`, so that parts of a response may follow it.
  static var mayAnswerInParts: Bool {
    hasDeferredFragments || operationDocument.text.contains("@defer") || operationDocument.text.contains("@stream")
  }

  /// Whether the operation may have `@stream`, so that lists of an answer grow. True if the app does not have its text.
  package static var mayStream: Bool {
    let text = operationDocument.text
    return text.isEmpty || text.contains("@stream")
  }
}
