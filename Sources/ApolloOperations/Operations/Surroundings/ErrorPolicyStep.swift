import ApolloTransport
import ApolloAPI

/// Gives results with errors on as the operation's ``ErrorPolicy`` says. A result that is refused ends the operation.
struct ErrorPolicyStep: SurroundingStep {
  let policy: ErrorPolicy

  func run<Operation: GraphQLOperation>(
    _ call: OperationCall<Operation>, _ emit: @escaping OperationRun<Operation>.Emit,
    next: @escaping SurroundedPart<Operation>
  ) async {
    let isOver = Locked(false)
    let (ends, end) = AsyncStream<Never>.makeStream()
    let part: @Sendable () async -> Void = {
      await next(call) { outcome in
        guard !isOver.withLock({ $0 }) else { return }
        guard case .success(let result) = outcome else { return emit(outcome) }
        do {
          emit(.success(try policy.apply(to: result, of: Operation.operationName)))
        } catch {
          let isLast = outcome.isLast(of: Operation.self, under: call.cachePolicy)
          // The server's result follows that of the cache.
          guard isLast || result.source == .server else { return }
          isOver.withLock { $0 = true }
          emit(.failure(error))
          if !isLast { end.finish() }
        }
      }
    }
    guard policy == .none else { return await part() }
    await withTaskGroup(of: Void.self) { group in
      // At once, where the system can do that, so that operations begin in the order of their calls.
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        group.addImmediateTask(operation: part)
      } else {
        group.addTask(operation: part)
      }
      group.addTask { for await _ in ends {} }
      await group.next()
      group.cancelAll()
    }
  }
}
