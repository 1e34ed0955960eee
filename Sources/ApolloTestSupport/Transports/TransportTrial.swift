import Apollo
import Foundation

/// One run of a check: a transport, and a style of caller.
struct TransportTrial: Sendable {
  let style: CallerStyle
  let subject: any TransportSubject
  let store: ApolloStore

  /// What a caller was given.
  enum Outcome: Equatable, Sendable, CustomStringConvertible {
    case result(name: String?, from: Source, errors: Int = 0, hasNext: Bool = false)
    case failure(String)
    case cancelled

    enum Source: Sendable { case cache, server }

    var description: String {
      switch self {
      case .result(let name, let source, let errors, let hasNext):
        "\(name ?? "nothing") from \(source)" + (errors > 0 ? ", \(errors) errors" : "")
          + (hasNext ? ", more to come" : "")
      case .failure(let code): "failure: \(code)"
      case .cancelled: "cancelled"
      }
    }
  }

  /// A client with the transport, for the duration of a check.
  struct Caller: Sendable {
    let client: ApolloClient
    let style: CallerStyle
    /// How many operations the server has been sent.
    let requests: Counter
  }

  final class Counter: Sendable {
    private let state = Locked(0)
    var value: Int { state.withLock { $0 } }

    func next() -> Int {
      state.withLock { count in
        count += 1
        return count
      }
    }
  }

  func run(
    with setup: TransportSetup = TransportSetup(), _ answer: @escaping @Sendable (Int) -> ServerAnswer,
    _ body: (Caller) async throws -> Void
  ) async throws {
    let requests = Counter()
    try await subject.withTransport(setup, store: store, answer: { _ in answer(requests.next()) }) { transport in
      var configuration = ApolloClient.Configuration(url: URL(fileURLWithPath: "/"), cache: .store(store))
      configuration.retry.retryRule = setup.retries ? .transientFailures : .never
      configuration.deduplicatesQueries = setup.deduplicatesQueries
      let client = ApolloClient(networkTransport: transport, configuration: configuration)
      try await body(Caller(client: client, style: style, requests: requests))
    }
  }

  /// The name of the hero in the cache; nil if the cache does not have it.
  func cachedName() async -> String? {
    try? await store.withinReadTransaction { try $0.read(query: HeroQuery()).hero?.name }
  }
}

extension TransportTrial.Caller {
  typealias Outcome = TransportTrial.Outcome

  /// Runs a query in the style of the caller.
  ///
  /// - Parameters:
  ///   - count: How many outcomes to wait for. A caller that awaits is given the last one only.
  ///   - last: The outcome that is awaited last. A watched sequence may have left out those before it.
  ///   - policy: When the cache is read and when the server is asked.
  ///   - configuration: What is different for this operation.
  ///   - context: A value for interceptors of the app.
  /// - Returns: The outcomes.
  /// - Throws: `CancellationError`.
  func fetch(
    _ count: Int = 1, upTo last: Outcome? = nil, _ policy: CachePolicy = .fetchIgnoringCacheData,
    _ configuration: RequestConfiguration? = nil, context: (any RequestContext)? = nil
  ) async throws -> [Outcome] {
    let query = HeroQuery()
    switch style {
    case .awaited:
      return [
        await outcome {
          try await client.fetch(
            query: query, cachePolicy: policy, requestConfiguration: configuration, context: context)
        }
      ]
    case .callback:
      return try await collect(count) { handler in
        client.fetch(
          query: query, cachePolicy: policy, requestConfiguration: configuration, context: context, queue: .global(),
          resultHandler: handler)
      }
    case .sequence:
      return await collect(
        client.results(of: query, cachePolicy: policy, requestConfiguration: configuration, context: context))
    case .watcher:
      return try await collect(count) { handler in
        client.watch(
          query: query, cachePolicy: policy, requestConfiguration: configuration, context: context,
          callbackQueue: .global(), resultHandler: handler)
      }
    case .watchedSequence:
      return await collect(
        client.watch(query: query, cachePolicy: policy, requestConfiguration: configuration, context: context), count,
        upTo: last)
    }
  }

  /// Runs a query, and gives the last of its outcomes. `count` is the number of outcomes for callers that are given all
  /// of them.
  func last(
    _ count: Int = 1, _ policy: CachePolicy = .fetchIgnoringCacheData, _ configuration: RequestConfiguration? = nil,
    context: (any RequestContext)? = nil
  ) async throws -> Outcome? { try await fetch(count, policy, configuration, context: context).last }

  private func outcome<Data: HeroData>(_ body: () async throws -> GraphQLResult<Data>) async -> Outcome {
    do { return Outcome(try await body()) } catch { return Outcome(error) }
  }

  func collect<S: AsyncSequence, Data: HeroData>(_ results: S, _ count: Int = .max, upTo last: Outcome? = nil) async
    -> [Outcome]
  where S.Element == GraphQLResult<Data> {
    var outcomes: [Outcome] = []
    do {
      for try await result in results {
        outcomes.append(Outcome(result))
        if outcomes.count == count || outcomes.last == last { break }
      }
    } catch {
      outcomes.append(Outcome(error))
    }
    return outcomes
  }

  /// Collects the outcomes that a handler is called with, and then cancels the operation.
  func collect<Data: HeroData>(
    _ count: Int, _ start: (@escaping GraphQLResultHandler<Data>) -> any Cancellable
  ) async throws -> [Outcome] {
    let (stream, continuation) = AsyncStream<Outcome>.makeStream()
    let running = start { result in
      switch result {
      case .success(let value): continuation.yield(Outcome(value))
      case .failure(let error): continuation.yield(Outcome(error))
      }
    }
    var outcomes: [Outcome] = []
    for await outcome in stream {
      outcomes.append(outcome)
      if outcomes.count == count { break }
    }
    running.cancel()
    return outcomes
  }
}

extension TransportTrial.Outcome {
  init<Data: HeroData>(_ result: GraphQLResult<Data>) {
    self = .result(
      name: result.data?.hero?.name, from: result.source == .cache ? .cache : .server,
      errors: result.errors?.count ?? 0,
      hasNext: result.hasNext)
  }

  init(_ error: any Error) {
    if error is CancellationError {
      self = .cancelled
    } else if let error = error as? any ApolloError {
      self = .failure(error.code.description)
    } else {
      self = .failure("no ApolloError but \(type(of: error)): \(error)")
    }
  }
}

/// Waits until a condition holds, for as long as a busy machine may need.
func eventually(_ what: String, _ condition: () async -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while !(await condition()) {
    guard ContinuousClock.now < end else {
      throw NetworkTransportConformance.Failure(description: "It never happened: \(what)")
    }
    try await Task.sleep(for: .milliseconds(2))
  }
}

func expect(_ found: some Equatable, is wanted: some Equatable, _ what: String) throws {
  guard "\(found)" == "\(wanted)" else {
    throw NetworkTransportConformance.Failure(description: "\(what): expected \(wanted), found \(found)")
  }
}
