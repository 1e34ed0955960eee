package import ApolloTransport
import ApolloConcurrency
package import ApolloAPI
import ApolloCache
import Foundation

/// Runs one operation over a transport, for callers of every style.
///
/// ``run(_:)`` is the operation: it begins with the call and is over when the call returns. Cancelling its task cancels
/// the operation. The deadline and the cache as a fallback are handled here, so that they work with every transport.
///
/// It is a class, so that its steps and closures share one call and do not copy its settings.
package final class OperationRun<Operation: GraphQLOperation>: Sendable {
  typealias Outcome = Result<GraphQLResult<Operation.Data>, any Error>
  /// Called with each result, and with the error that ends the operation.
  typealias Emit = @Sendable (Outcome) -> Void

  private let route: TransportRoute
  // The call as the last property, because the operation is in it.
  let call: OperationCall<Operation>
  var transport: any NetworkTransport { route.transport }
  var chains: (any ChainedTransport)? { route.chains }
  var store: ApolloStore? { route.store }

  @inline(__always)
  init(_ call: consuming OperationCall<Operation>, by route: TransportRoute) {
    self.route = route.chosen(for: call)
    self.call = call
  }

  /// Makes a run for a transport that runs operations itself.
  package convenience init(_ call: OperationCall<Operation>, over transport: any NetworkTransport) {
    self.init(call, by: TransportRoute(transport))
  }

  /// Runs the operation to its end.
  ///
  /// - Parameters:
  ///   - listens: Whether the caller also wants the results that interceptors deliver after the first result of a query
  ///     or a mutation.
  ///   - status: Where the state of a subscription is shown.
  ///   - emit: Called with each result, and with the error that ended the operation, none after it was cancelled.
  nonisolated(nonsending) func run(
    listens: Bool = false, reporting status: SubscriptionStatus? = nil, _ emit: @escaping Emit
  ) async {
    if let trace = call.options.trace, trace.start(call) {
      return await run(listens: listens, reporting: status, in: trace, emit)
    }
    await runToEnd(listens: listens, reporting: status, emit)
  }

  /// Runs the operation, and tells what happens to it.
  @inline(never) private nonisolated(nonsending) func run(
    listens: Bool, reporting status: SubscriptionStatus?, in trace: OperationTrace, _ emit: @escaping Emit
  ) async {
    await runToEnd(listens: listens, reporting: status) { outcome in
      trace.note(outcome, isLast: outcome.isLast(of: Operation.self, under: self.call.cachePolicy))
      emit(outcome)
    }
    trace.end(isCancelled: Task.isCancelled)
  }

  @inline(__always)
  private nonisolated(nonsending) func runToEnd(
    listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    let running = route.policies.running, asked = call.asked
    // After a sign-out, nothing of the former user is given out.
    await runForUser(listens: listens, reporting: status) { outcome in
      if running.takes(asked) { return emit(outcome) }
      emit(.failure(OperationError.signedOut(Operation.operationName)))
    }
    if !running.takes(asked), !Task.isCancelled { emit(.failure(OperationError.signedOut(Operation.operationName))) }
  }

  @inline(__always)
  private nonisolated(nonsending) func runForUser(
    listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    guard route.policies.running.takes(call.asked) else { return }
    if let problem = call.problem { return emit(.failure(problem)) }
    // What only some operations need is not part of the frame of the others, which are called through it.
    let steps = surroundings
    guard steps.isEmpty else { return await pass(steps[...], call, listens: listens, reporting: status, emit) }
    await exchange(call, listens: listens, reporting: status, emit)
  }

  /// Runs one step around the next, and the chain within them.
  @inline(never) private nonisolated(nonsending) func pass(
    _ steps: ArraySlice<any SurroundingStep>, _ call: OperationCall<Operation>, listens: Bool,
    reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    guard let step = steps.first else {
      return await exchange(call, listens: listens, reporting: status, emit)
    }
    await step.run(call, emit) { call, emit in
      await self.pass(steps.dropFirst(), call, listens: listens, reporting: status, emit)
    }
  }

  /// Takes the operation through the chain of its transport.
  @inline(__always)
  private nonisolated(nonsending) func exchange(
    _ call: OperationCall<Operation>, listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    guard let chains else { return await exchangeOverSource(call, listens: listens, reporting: status, emit) }
    let (request, chain) = chains.prepare(
      call.operation, files: call.files, cachePolicy: call.cachePolicy, contextIdentifier: call.contextIdentifier,
      context: call.context, store: store)
    request.apply(call)
    call.options.standIn?.take(chain.standInReader, for: call, over: chains, request.store)
    await chain.run(request, readsCache: call.readsCache, listens: listens, by: route.policies, emit)
    // The transport, and so its session, is kept until the end.
    withExtendedLifetime(chains) {}
  }

  /// Takes the operation through the steps that every transport without interceptors has.
  @inline(never) private nonisolated(nonsending) func exchangeOverSource(
    _ call: OperationCall<Operation>, listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    guard call.files == nil || transport is any UploadingNetworkTransport else {
      return emit(
        .failure(
          OperationError(
            .configuration, "The client's network transport cannot send files: it is not an UploadingNetworkTransport.",
            operationName: Operation.operationName)))
    }
    let passage = OperationPassage(call, over: transport)
    passage.status = status
    passage.store = store
    await route.steps(of: call).run(passage, readsCache: call.readsCache, listens: listens, by: route.policies, emit)
  }

  /// How many bytes of results may wait for the app.
  private var waitingSize: Int {
    chains?.exchangeLimits.limits?.waitingSize ?? (transport as? any ConnectionTransport)?.buffering.bytes
      ?? route.policies.waitingSize
  }

  /// The error that ends the operation if more bytes of results wait.
  private var tooManyWaiting: any Error {
    guard chains == nil, let transport = transport as? any ConnectionTransport else {
      return ResponseLimits.Exceeded(.waitingSize, waitingSize)
    }
    return transport.tooManyResults(nil)
  }

  var policies: ExchangePolicies { route.policies }

  /// The transport implements only `send` of Apollo iOS 1.
  var isForeign: Bool {
    if case .sending = route.kind { true } else { false }
  }
}

// MARK: Caller styles

extension OperationRun {
  /// The last result, or nil if there is none. The operation runs in the caller's task.
  package func last() async throws -> GraphQLResult<Operation.Data>? {
    let last = Locked<Outcome?>(nil)
    await run { outcome in
      last.withLock { last in
        // What comes after a failure does not undo it.
        if case .failure = last { return }
        last = outcome
      }
    }
    return try last.withLock { $0 }?.get()
  }

  /// Gives the error that stands for each result from now on, also for those that have come before: nothing follows the
  /// end of a user's time. nil: results are given.
  package var refusal: @Sendable () -> (any Error)? {
    let running = route.policies.running, asked = call.asked
    return { running.takes(asked) ? nil : OperationError.signedOut(Operation.operationName) }
  }

  /// Runs the operation and gives its results as a sequence. Ending the iteration cancels the operation.
  ///
  /// - Parameters:
  ///   - status: Where the state of a subscription is shown. nil, the default: nowhere.
  ///   - isForAsync: Whether iterating throws `CancellationError` for each error that tells a cancellation, as `async`
  ///     functions do. The default is false: a callback may get the error.
  /// - Returns: The results. The sequence ends after the last one.
  package func stream(
    reporting status: SubscriptionStatus? = nil, isForAsync: Bool = false
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    // Safe: a transport is an app's object (see Handoff).
    nonisolated(unsafe) let buffered = transport as? any ConnectionTransport
    let chosen = call.configuration.buffering ?? buffered?.buffering.results
    let buffering = chosen ?? .unlimited
    let limit = chosen == .unlimited ? .max : waitingSize
    let waiting = Locked(WaitingBytes(limit: limit, capacity: buffering.capacity))
    let (stream, continuation) = buffering.makeStream(of: GraphQLResult<Operation.Data>.self)
    let task = start {
      await self.run(listens: true, reporting: status) { outcome in
        switch outcome {
        case .failure(let error):
          status?.update(.finished(.error(error)))
          continuation.finish(throwing: isForAsync && error.isCancellation ? CancellationError() : error)
        case .success(let result):
          // (What the cache has says nothing of the server.)
          if result.source == .server || !self.call.readsCache { status?.update(.active) }
          let yielded = continuation.yield(result)
          if let remaining = buffering.room(after: yielded),
            waiting.withLock({ $0.isExceeded(by: result.byteCount, remaining) })
          {
            let error = self.tooManyWaiting
            status?.update(.finished(.error(error)))
            continuation.finish(throwing: error)
          } else if case .dropped = yielded, case .failing(let limit) = buffering {
            let error =
              buffered?.tooManyResults(limit) ?? OperationError.tooManyResults(limit, of: Operation.self)
            status?.update(.finished(.error(error)))
            continuation.finish(throwing: error)
          } else if result.isLast(of: Operation.operationType, under: self.call.cachePolicy) {
            continuation.finish()
          }
        }
      }
      status?.update(.finished(.completed))
      continuation.finish()
    }
    continuation.onTermination = { reason in
      if case .cancelled = reason { status?.update(.finished(.cancelled)) }
      task.cancel()
    }
    return stream
  }

  /// Calls a handler with each result, and with the error that ended the operation, on a queue.
  ///
  /// - Parameters:
  ///   - queue: Where the handler is called.
  ///   - beginsAtOnce: Whether the first interceptors are called before this returns, where the system can do that, as in
  ///     Apollo iOS 1. The default is false.
  ///   - handler: Called with each result, and with the error.
  /// - Returns: Cancels the operation; the handler is not called after that.
  func deliver(
    on queue: DispatchQueue, beginsAtOnce: Bool = false, to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable & Sendable {
    // Safe: an app's handler (see Handoff).
    nonisolated(unsafe) let handler = handler
    let state = Locked((isCancelled: false, hasLastResult: false))
    let queue = queue.oneByOne
    let limit = call.configuration.buffering == .unlimited ? .max : waitingSize
    let waiting = QueuedBytes(limit: limit)
    let running = Locked<Task<Void, Never>?>(nil), refusal = refusal
    let task = start(atOnce: beginsAtOnce) {
      await self.run(listens: true) { outcome in
        let size = (try? outcome.get().byteCount) ?? 0
        var outcome = outcome, isCounted = false
        switch waiting.add(size) {
        case .onQueue: isCounted = true
        case .nowhere: return
        case .tooMany:
          outcome = .failure(self.tooManyWaiting)
          running.withLock { $0 }?.cancel()
        }
        queue.async { [outcome, isCounted] in
          if isCounted { waiting.remove(size) }
          // (It may have waited for the queue while the user signed out.)
          let given = refusal().map { Outcome.failure($0) } ?? outcome
          let isOver = state.withLock { state in
            guard case .failure(let error) = given, error.isSignOut else {
              if given.isLast(of: Operation.self, under: self.call.cachePolicy) { state.hasLastResult = true }
              return state.isCancelled
            }
            // Nothing follows the end of a user's time, which is not told after the last result.
            defer { state.isCancelled = true }
            return state.isCancelled || state.hasLastResult
          }
          if !isOver { handler(given.mapError(OperationError.unwrap)) }
        }
      }
    }
    running.withLock { $0 = task }
    if waiting.isExceeded { task.cancel() }
    return CallbackCancellable {
      state.withLock { $0.isCancelled = true }
      task.cancel()
    }
  }

  /// Starts the operation's task. An operation that does not wait for the cache begins before this returns, so that
  /// operations begin in the order of their calls.
  private func start(
    atOnce: Bool = false, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let mayWaitForCache = call.readsCache && Operation.operationType == .query
    if atOnce || !mayWaitForCache && transport is any ResponseTransport,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    {
      return Task.immediate { await body() }
    }
    return Task { await body() }
  }
}

extension OperationRun where Operation: GraphQLSubscription {
  /// The events of a subscription, and its state.
  package func subscription() -> SubscriptionStream<GraphQLResult<Operation.Data>> {
    let status = SubscriptionStatus()
    return SubscriptionStream(stream(reporting: status, isForAsync: true), status: status, refusal: refusal)
  }
}

extension Result {
  /// The result with another error in place of the failure.
  fileprivate func mapError(_ transform: (Failure) -> any Error) -> Result<Success, any Error> {
    switch self {
    case .success(let value): .success(value)
    case .failure(let error): .failure(transform(error))
    }
  }
}

extension GraphQLResult {
  /// True if no further result can follow. The whole may follow a part.
  package func isLast(of type: GraphQLOperationType, under policy: CachePolicy) -> Bool {
    switch type {
    case .subscription: false
    case .query, .mutation:
      !hasNext
        && (source == .server || policy == .returnCacheDataDontFetch
          || (policy == .returnCacheDataElseFetch && !cacheInfo.isPartial))
    }
  }
}

extension Result {
  /// True if no further outcome can follow: see ``GraphQLResult/isLast(of:under:)``.
  func isLast<Operation: GraphQLOperation>(of _: Operation.Type, under policy: CachePolicy) -> Bool
  where Success == GraphQLResult<Operation.Data> {
    switch self {
    case .failure: true
    case .success(let result): result.isLast(of: Operation.operationType, under: policy)
    }
  }
}

/// Calls a closure when it is cancelled.
final class CallbackCancellable: Cancellable, Sendable {
  private let onCancel: @Sendable () -> Void

  init(_ onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  func cancel() { onCancel() }
}
