import ApolloAPI
import ApolloCache

/// Reads the cache for an operation whose server does not answer: ``CachePolicy/Query/SingleResponse/networkFirst``.
struct CacheStandIn: SurroundingStep {
  /// nil: there is no cache.
  let store: ApolloStore?

  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ emit: @escaping OperationRun<Operation>.Emit,
    next: @escaping SurroundedPart<Operation>
  ) async {
    let late = LateOutcomes<Operation>(emit), pipeline = OperationPipeline(store: store), reading = StandInReading()
    var noted = call
    noted.options.standIn = reading
    await next(noted) { outcome in
      guard case .failure(let error) = outcome else { return emit(outcome) }
      // At once, because what has met its deadline may still have to end.
      late.emit {
        do {
          let standIn = try await pipeline.standIn(for: error, of: call.operation, call.configuration, by: reading)
          return standIn.map { .success($0) } ?? outcome
        } catch {
          return .failure(error)
        }
      }
    }
    await late.end()
  }
}
