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

  func receive(_ payload: ResponseBytes) async {
    do {
      let contents = try ResponseParser.parse(payload, of: operation, makesRecords: store != nil)
      // An error leaves null behind where there may be a value: it must not hide what the cache has.
      if let store, let records = contents.records, contents.result.errors?.isEmpty ?? true {
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

  func report(_ state: SubscriptionState) { status.update(state) }

  /// The transport has forgotten the operation already.
  func finish(_ error: WebSocketError?) {
    results.onTermination = nil
    end(error)
  }

  /// The end of the stream makes its transport forget the operation, and the server stop it.
  private func end(_ error: (any Error)?) {
    status.update(.finished(error.map { .error($0) } ?? .completed))
    results.finish(throwing: error)
  }
}
