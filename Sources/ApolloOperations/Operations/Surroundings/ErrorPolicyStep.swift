import ApolloTransport
import ApolloAPI

/// Gives results with errors on as the operation's ``ErrorPolicy`` says.
struct ErrorPolicyStep: SurroundingStep {
  let policy: ErrorPolicy

  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ emit: @escaping OperationRun<Operation>.Emit,
    next: @escaping SurroundedPart<Operation>
  ) async {
    await next(call) { outcome in
      guard case .success(let result) = outcome else { return emit(outcome) }
      do {
        emit(.success(try policy.apply(to: result, of: Operation.operationName)))
      } catch {
        // The server's result follows that of the cache.
        guard outcome.isLast(of: Operation.self, under: call.cachePolicy) || result.source == .server else { return }
        emit(.failure(error))
      }
    }
  }
}
