package import ApolloAPI
import ApolloCache
package import Foundation

/// Runs one operation over a transport, for callers of every style.
///
/// ``run(_:)`` is the operation: it begins with the call and is over when the call returns. Cancelling its task cancels
/// the operation. The deadline and the cache as a fallback are handled here, so that they work with every transport.
///
/// It is a class, so that its steps and closures share one call and do not copy its settings.
package final class OperationRun<Operation: GraphQLOperation>: Sendable {
  package typealias Outcome = Result<GraphQLResult<Operation.Data>, any Error>
  /// Called with each result, and with the error that ends the operation.
  package typealias Emit = @Sendable (Outcome) -> Void

  private let route: TransportRoute
  // The call as the last property, because the operation is in it.
  let call: OperationCall<Operation>
  var transport: any NetworkTransport { route.transport }
  var chains: RequestChainNetworkTransport? { route.chains }
  var store: ApolloStore? { route.store }

  @inline(__always)
  package init(_ call: consuming OperationCall<Operation>, by route: TransportRoute) {
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
      trace.note(outcome, isLast: self.isLast(outcome))
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
    guard isPlain else { return await runWithMore(listens: listens, reporting: status, emit) }
    await exchange(listens: listens, reporting: status, emit)
  }

  /// Whether nothing surrounds the exchange: no guess, no deadline, no cache as a fallback, no network to wait for.
  @inline(never) private var isPlain: Bool {
    call.options.effects == nil && !call.fallsBackToCache && !hasDeadline
      && route.policies.offline(for: call.configuration) == nil
  }

  @inline(never) private nonisolated(nonsending) func runWithMore(
    listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    if let effects = call.options.effects, let store {
      return await run(effects, in: store, emit) { emit in
        guard let deadline = self.deadline else {
          return await self.runWithFallback(listens: listens, reporting: status, emit)
        }
        await self.run(to: deadline, listens: listens, reporting: status, emit)
      }
    }
    guard let deadline else { return await runWithFallback(listens: listens, reporting: status, emit) }
    await run(to: deadline, listens: listens, reporting: status, emit)
  }

  nonisolated(nonsending) func runWithFallback(
    listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    guard call.fallsBackToCache else { return await runOverTransport(listens: listens, reporting: status, emit) }
    let failure = Locked<(any Error)?>(nil)
    await runOverTransport(listens: listens, reporting: status) { outcome in
      switch outcome {
      case .success: emit(outcome)
      case .failure(let error): failure.withLock { $0 = error }
      }
    }
    guard let error = failure.withLock({ $0 }) else { return }
    let standIn = await OperationPipeline(store: store).standIn(for: error, of: call.operation, call.configuration)
    emit(standIn.map { .success($0) } ?? .failure(error))
  }

  private nonisolated(nonsending) func runOverTransport(
    listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    guard let offline = route.policies.offline(for: call.configuration) else {
      return await exchange(listens: listens, reporting: status, emit)
    }
    await run(with: offline, emit) { run, emit in
      await run.exchange(listens: listens, reporting: status, emit)
    }
  }

  @inline(__always)
  private nonisolated(nonsending) func exchange(
    listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    guard let chains else { return await exchangeWithoutChain(listens: listens, reporting: status, emit) }
    await chains.run(call, store: store, listens: listens, by: route.policies, emit)
  }

  @inline(never) private nonisolated(nonsending) func exchangeWithoutChain(
    listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    if call.files != nil, !(transport is any UploadingNetworkTransport) {
      emit(.failure(ApolloClient.ApolloClientError.noUploadTransport))
    } else if let transport = transport as? any ResponseTransport {
      await run(route.policies.steps(over: transport), listens: listens, reporting: status, emit)
    } else if call.options.failsForServer {
      let reading = InterceptorRequestChain(steps: [.step(CacheReading(interceptor: DefaultCacheInterceptor()))])
      await run(reading, listens: listens, reporting: status, emit)
    } else {
      await runBySending(emit)
    }
  }

  private nonisolated(nonsending) func run(
    _ steps: InterceptorRequestChain, listens: Bool, reporting status: SubscriptionStatus?, _ emit: @escaping Emit
  ) async {
    let passage = OperationPassage(call, over: transport)
    passage.status = status
    passage.store = store
    await steps.run(passage, of: call, listens: listens, by: route.policies, emit)
  }

  /// How many bytes of results may wait for the app.
  private var waitingSize: Int {
    chains?.limits?.waitingSize ?? (transport as? any ResultBufferingTransport)?.waitingLimit
      ?? route.policies.waitingSize
  }

  /// The error that ends the operation if more bytes of results wait.
  private var tooManyWaiting: any Error {
    guard chains == nil, let transport = transport as? any ResultBufferingTransport else {
      return ResponseLimits.Exceeded(.waitingSize, waitingSize)
    }
    return transport.tooManyResultBytes()
  }

  /// This operation again, in a form that does not give what the cache has before the server's answer.
  func withoutFirstResult() -> OperationRun {
    var call = call
    if call.cachePolicy == .returnCacheDataAndFetch { call.cachePolicy = .fetchIgnoringCacheData }
    return OperationRun(call, by: route)
  }

  /// This operation with what the cache has, and an error where the server would be asked.
  func failingForServer() -> OperationRun {
    var call = call
    call.options.failsForServer = true
    return OperationRun(call, by: route)
  }

  /// Whether the client has something to do for the operation without a network.
  var isHandledOffline: Bool { policies.offline(for: call.configuration) != nil }

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

  /// Runs the operation and gives its results as a sequence. Ending the iteration cancels the operation.
  ///
  /// - Parameter status: Where the state of a subscription is shown. nil: nowhere.
  /// - Returns: The results. The sequence ends after the last one.
  package func stream(
    reporting status: SubscriptionStatus? = nil
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let buffered = Handoff(transport as? any ResultBufferingTransport)
    let chosen = call.configuration.buffering ?? buffered.value?.buffering
    let buffering = chosen ?? .unlimited
    let limit = chosen == .unlimited ? .max : waitingSize
    let waiting = Locked(WaitingBytes(limit: limit, capacity: buffering.capacity))
    let (stream, continuation) = buffering.makeStream(of: GraphQLResult<Operation.Data>.self)
    let task = start {
      await self.run(listens: true, reporting: status) { outcome in
        switch outcome {
        case .failure(let error):
          status?.update(.finished(.error(error)))
          continuation.finish(throwing: error)
        case .success(let result):
          status?.update(.active)
          let yielded = continuation.yield(result)
          if let remaining = buffering.room(after: yielded),
            waiting.withLock({ $0.isExceeded(by: result.byteCount, remaining) })
          {
            let error = self.tooManyWaiting
            status?.update(.finished(.error(error)))
            continuation.finish(throwing: error)
          } else if case .dropped = yielded, case .failing(let limit) = buffering {
            let error =
              buffered.value?.tooManyResults(limit) ?? OperationError.tooManyResults(limit, of: Operation.self)
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
  package func deliver(
    on queue: DispatchQueue, beginsAtOnce: Bool = false, to handler: @escaping GraphQLResultHandler<Operation.Data>
  ) -> any Cancellable {
    let handler = Handoff(handler)
    let isCancelled = Locked(false)
    let queue = queue.oneByOne
    let limit = call.configuration.buffering == .unlimited ? .max : waitingSize
    let waiting = QueuedBytes(limit: limit)
    let running = Locked<Task<Void, Never>?>(nil)
    let task = start(atOnce: beginsAtOnce) {
      await self.run(listens: true) { outcome in
        let size = (try? outcome.get().byteCount) ?? 0
        var outcome = outcome
        switch waiting.add(size) {
        case .onQueue: break
        case .nowhere: return
        case .tooMany:
          outcome = .failure(self.tooManyWaiting)
          running.withLock { $0 }?.cancel()
        }
        queue.async { [outcome] in
          waiting.remove(size)
          let isOver = isCancelled.withLock { isCancelled in
            // Nothing follows the end of a user's time.
            defer { if case .failure(let error) = outcome, error.isSignOut { isCancelled = true } }
            return isCancelled
          }
          if !isOver { handler.value(outcome.mapError(OperationError.unwrap)) }
        }
      }
    }
    running.withLock { $0 = task }
    if waiting.isExceeded { task.cancel() }
    return CallbackCancellable {
      isCancelled.withLock { $0 = true }
      task.cancel()
    }
  }

  /// Starts the operation's task. An operation that does not read the cache first begins before this returns, so that
  /// operations begin in the order of their calls.
  private func start(
    atOnce: Bool = false, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    if atOnce || !call.readsCache && transport is any ResponseTransport,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    {
      return Task.immediate { await body() }
    }
    return Task { await body() }
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

/// Calls a closure when it is cancelled.
final class CallbackCancellable: Cancellable, Sendable {
  private let onCancel: @Sendable () -> Void

  init(_ onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  func cancel() { onCancel() }
}
