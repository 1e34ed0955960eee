import ApolloTransport
import ApolloAPI
import ApolloCache

/// Shows the guess of a mutation in the cache before it is sent, and takes it back if the mutation fails or is cancelled. The
/// caller hears of the end when the cache is as it should be then.
struct Guess: SurroundingStep {
  let effects: MutationEffects
  let store: ApolloStore

  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ emit: @escaping OperationRun<Operation>.Emit,
    next: @escaping SurroundedPart<Operation>
  ) async {
    do { try await effects.begin(in: store) } catch { return emit(.failure(error)) }
    let late = LateOutcomes<Operation>(emit)
    await next(call) { outcome in
      if case .success(let result) = outcome, result.hasNext || effects.isOver { return emit(outcome) }
      // The transport has not written the result itself, or there is none.
      late.emit { await end(with: outcome, asked: call.asked) }
    }
    await late.end()
    await effects.revert(in: store)
  }

  private func end<Data>(
    with outcome: Result<GraphQLResult<Data>, any Error>, asked: StoreEpoch
  ) async -> Result<GraphQLResult<Data>, any Error> {
    switch outcome {
    case .failure:
      await effects.revert(in: store)
      return outcome
    case .success(var result):
      guard let completion = effects.completion(with: result, in: store) else { return outcome }
      if let error = await effects.complete(completion, asked: asked, in: store) { result.cacheInfo.error = error }
      return .success(result)
    }
  }
}
