import Apollo
import ApolloAPI
import ApolloCache
import Foundation

/// Makes results of payloads: decodes them, writes their records to the cache, and hands them to the consumer.
struct ResultSink<Operation: GraphQLOperation>: OperationSink {
  typealias Element = GraphQLResult<Operation.Data>

  let operation: Operation
  /// Where records go; nil for nowhere.
  let store: ApolloStore?
  let contextIdentifier: UUID?
  let buffering: ResultBuffering
  let results: AsyncThrowingStream<Element, any Error>.Continuation
  let status: SubscriptionStatus
  /// Puts the parts of a response together, for `@defer` and `@stream`.
  private let parts = Locked(IncrementalResponse())
  private let mayComeInParts: Bool

  init(
    operation: Operation, store: ApolloStore?, cachePolicy: CachePolicy, contextIdentifier: UUID?,
    buffering: ResultBuffering, results: AsyncThrowingStream<Element, any Error>.Continuation,
    status: SubscriptionStatus
  ) {
    self.operation = operation
    self.store = cachePolicy == .fetchIgnoringCacheCompletely ? nil : store
    self.contextIdentifier = contextIdentifier
    self.buffering = buffering
    self.results = results
    self.status = status
    let document = Operation.operationDocument.text
    mayComeInParts = document.contains("@defer") || document.contains("@stream")
  }

  func receive(_ payload: ResponseBytes) async {
    do {
      guard let response = try whole(payload) else { return }
      let contents = try ResponseParser.parse(response, of: operation, makesRecords: store != nil)
      // An error that does not tell its field leaves null behind: it must not hide what the cache has.
      if let store, let records = contents.records, contents.result.errors?.allSatisfy({ $0.path != nil }) ?? true {
        await store.publish(records, origin: contextIdentifier)
      }
      let outcome = results.yield(contents.result)
      if case .failing(let limit) = buffering, case .dropped = outcome {
        end(WebSocketError(.tooManyResults(limit: limit)))
      }
    } catch {
      end(error)
    }
  }

  /// The response so far; nil if the payload brings nothing. Whole responses pass as they are.
  private func whole(_ payload: ResponseBytes) throws -> ResponseBytes? {
    mayComeInParts ? try parts.withLock { parts in try parts.merge(payload) } : payload
  }

  func report(_ state: SubscriptionState) {
    // Sent once more, it is answered from the beginning.
    if mayComeInParts { parts.withLock { $0 = IncrementalResponse() } }
    status.update(state)
  }

  /// The transport has forgotten the operation already.
  func finish(_ error: WebSocketError?) {
    results.onTermination = nil
    do {
      if error == nil { try parts.withLock { try $0.finish() } }
      end(error)
    } catch {
      end(error)
    }
  }

  /// The end of the stream makes its transport forget the operation, and the server stop it.
  private func end(_ error: (any Error)?) {
    status.update(.finished(error.map { .error($0) } ?? .completed))
    results.finish(throwing: error)
  }
}
