import ApolloConcurrency
import ApolloAPI
public import Dispatch

// A body without `await` runs on a thread of the store, which may wait for a backend. A body with `await` runs in a
// task, and may suspend. Both hold the turn until they end.

extension ApolloStore {
  // MARK: Reading

  /// Runs a transaction that reads one consistent state, with a body that does not suspend.
  ///
  /// - Parameter body: Runs once. It must not belong to an actor: with memory alone it runs in the caller's task, and
  ///   with a backend on a thread of the store.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws. With a backend, also ``Error/isWithinTransaction(call:transaction:)`` in the body of
  ///   another transaction.
  @preconcurrency public func withinReadTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadTransaction) throws -> T
  ) async throws -> T {
    guard engine.backend != nil else {
      if engine.hasOpenCalls { await engine.waitForOpenCalls() }
      return try readTransaction(body)
    }
    return try await engine.inTurnOnThread(Self.readCall) { try self.readTransaction(body) }
  }

  /// Runs a transaction that reads one consistent state, with a body that may suspend.
  ///
  /// - Parameter body: Runs once, in the caller's task. With a backend, writes and other transactions wait until it
  ///   ends.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, and with a backend ``Error/isWithinTransaction(call:transaction:)`` in the body of
  ///   another transaction.
  public func withinReadTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadTransaction) async throws -> T
  ) async throws -> T {
    guard engine.backend != nil else {
      if engine.hasOpenCalls { await engine.waitForOpenCalls() }
      return try await readTransaction(body)
    }
    return try await engine.inTurn(Self.readCall) { try await readTransaction(body) }
  }

  /// Runs a transaction that reads one consistent state, and calls a completion.
  ///
  /// - Parameters:
  ///   - body: Runs on a thread of the store, so it must not belong to an actor. With a backend, if this is called in
  ///     the body of another transaction, it runs after that one has ended.
  ///   - callbackQueue: Where `completion` is called. nil, the default: on a global queue of the system. A completion
  ///     that is made on the main actor needs `.main`.
  ///   - completion: Called with what `body` returns or throws.
  @preconcurrency public func withinReadTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadTransaction) throws -> T, callbackQueue: DispatchQueue? = nil,
    completion: ((Result<T, any Swift.Error>) -> Void)? = nil
  ) {
    let complete = Self.callback(completion, on: callbackQueue)
    if engine.backend == nil, !engine.hasOpenCalls || isHeldByCaller {
      DispatchQueue.global().async { complete(Result { try self.readTransaction(body) }) }
    } else {
      engine.whenTurnComesOnThread(call: Self.readCall, { try self.readTransaction(body) }, completion: complete)
    }
  }

  /// Runs a transaction that reads one consistent state, with a body that may suspend, and calls a completion.
  ///
  /// - Parameters:
  ///   - body: Runs in a task of its own. With a backend, if this is called in the body of another transaction, it runs
  ///     after that one has ended.
  ///   - callbackQueue: Where `completion` is called. nil, the default: on a global queue of the system. A completion
  ///     that is made on the main actor needs `.main`.
  ///   - completion: Called with what `body` returns or throws.
  public func withinReadTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadTransaction) async throws -> T, callbackQueue: DispatchQueue? = nil,
    completion: ((Result<T, any Swift.Error>) -> Void)? = nil
  ) {
    let complete = Self.callback(completion, on: callbackQueue)
    if engine.backend == nil {
      Task {
        if self.engine.hasOpenCalls { await self.engine.waitForOpenCalls() }
        let result: Result<T, any Swift.Error>
        do { result = .success(try await self.readTransaction(body)) } catch { result = .failure(error) }
        complete(result)
      }
    } else {
      engine.whenTurnComes({ try await self.readTransaction(body) }, complete)
    }
  }

  private func readTransaction<T>(_ body: (ApolloStore.ReadTransaction) throws -> T) throws -> T {
    let transaction = ApolloStore.ReadTransaction(of: engine, on: engine.view, identity: identity, loads: true)
    defer { transaction.end() }
    return try body(transaction)
  }

  private func readTransaction<T>(_ body: (ApolloStore.ReadTransaction) async throws -> T) async throws -> T {
    let transaction = ApolloStore.ReadTransaction(of: engine, on: engine.view, identity: identity, loads: true)
    defer { transaction.end() }
    // With memory alone it holds no turn: other writes may happen meanwhile, and its body may write as well.
    guard engine.backend != nil else { return try await body(transaction) }
    return try await HeldTurn.with(engine, call: Self.readCall) { try await body(transaction) }
  }

  // MARK: Writing

  /// Runs a transaction that may read and write. If `body` throws, nothing is written.
  ///
  /// It sees its own writes. Other writes wait until it is over, so it should be short.
  ///
  /// - Parameter body: Runs once, on a thread of the store, so it must not belong to an actor.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, what a backend throws, and ``Error/isWithinTransaction(call:transaction:)`` in the
  ///   body of another transaction.
  @preconcurrency public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadWriteTransaction) throws -> T
  ) async throws -> T {
    try await engine.inTurnOnThread(Self.writeCall) {
      try self.engine.runTransaction(identity: self.identity, body)
    }
  }

  /// Runs a transaction that may read and write, with a body that may suspend. If `body` throws, nothing is written.
  ///
  /// It sees its own writes. Other writes wait until it is over, so it should be short: do not wait for a server in it.
  ///
  /// - Parameter body: Runs once, in the caller's task.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws, what a backend throws, and ``Error/isWithinTransaction(call:transaction:)`` in the
  ///   body of another transaction.
  public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadWriteTransaction) async throws -> T
  ) async throws -> T {
    try await engine.inTurn(Self.writeCall) { try await readWriteTransaction(body) }
  }

  /// Runs a transaction that may read and write, and calls a completion. If `body` throws, nothing is written.
  ///
  /// - Parameters:
  ///   - body: Runs on a thread of the store, so it must not belong to an actor. If this is called in the body of
  ///     another transaction, it runs after that one has ended.
  ///   - callbackQueue: Where `completion` is called. nil, the default: on a global queue of the system. A completion
  ///     that is made on the main actor needs `.main`.
  ///   - completion: Called with what `body` returns or throws, or with what a backend throws.
  @preconcurrency public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadWriteTransaction) throws -> T, callbackQueue: DispatchQueue? = nil,
    completion: ((Result<T, any Swift.Error>) -> Void)? = nil
  ) {
    engine.whenTurnComesOnThread(
      call: Self.writeCall, readsWait: true, { try self.engine.runTransaction(identity: self.identity, body) },
      completion: Self.callback(completion, on: callbackQueue))
  }

  /// Runs a transaction that may read and write, with a body that may suspend, and calls a completion. If `body`
  /// throws, nothing is written.
  ///
  /// - Parameters:
  ///   - body: Runs in a task of its own. If this is called in the body of another transaction, it runs after that one
  ///     has ended.
  ///   - callbackQueue: Where `completion` is called. nil, the default: on a global queue of the system. A completion
  ///     that is made on the main actor needs `.main`.
  ///   - completion: Called with what `body` returns or throws, or with what a backend throws.
  public func withinReadWriteTransaction<T: Sendable>(
    _ body: @escaping @Sendable (ApolloStore.ReadWriteTransaction) async throws -> T,
    callbackQueue: DispatchQueue? = nil,
    completion: ((Result<T, any Swift.Error>) -> Void)? = nil
  ) {
    engine.whenTurnComes(
      readsWait: true, { try await self.readWriteTransaction(body) }, Self.callback(completion, on: callbackQueue))
  }

  private func readWriteTransaction<T>(_ body: (ApolloStore.ReadWriteTransaction) async throws -> T) async throws -> T {
    try await engine.runTransaction(identity: identity) { transaction in
      try await HeldTurn.with(engine, call: Self.writeCall) { try await body(transaction) }
    }
  }

  // MARK: Calls

  private static var readCall: String { "withinReadTransaction" }
  private static var writeCall: String { "withinReadWriteTransaction" }

  /// Makes a closure that calls a completion of the app on its queue.
  static func callback<T>(
    _ handler: ((Result<T, any Swift.Error>) -> Void)?, on queue: DispatchQueue?
  ) -> @Sendable (Result<T, any Swift.Error>) -> Void {
    guard let handler else { return { _ in } }
    let handed = Handoff(handler)
    return { result in
      let result = Handoff(result)
      (queue ?? .global()).async { handed.value(result.value) }
    }
  }
}
