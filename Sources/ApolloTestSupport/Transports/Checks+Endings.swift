import Apollo
import Foundation

extension NetworkTransportConformance {
  static let endings: [NetworkTransportConformance] = [
    NetworkTransportConformance("An operation that is cancelled before it begins brings nothing") { trial in
      try await trial.run({ _ in .response(Responses.hero()) }) { caller in
        let task = Task {
          while !Task.isCancelled { await Task.yield() }
          return try await caller.client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
        }
        task.cancel()
        try await expectCancelled(task)
      }
    },
    NetworkTransportConformance("An operation that is cancelled on its way ends, and brings nothing any more") {
      trial in
      try await trial.run({ _ in .never }) { caller in
        switch caller.style {
        case .awaited:
          let task = Task {
            try await caller.client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData)
          }
          try await eventually("a request") { caller.requests.value == 1 }
          task.cancel()
          try await expectCancelled(task)
        case .callback, .watcher:
          let calls = Locked(0)
          let running = caller.start { calls.withLock { $0 += 1 } }
          try await eventually("a request") { caller.requests.value == 1 }
          running.cancel()
          try await Task.sleep(for: .milliseconds(20))
          try expect(calls.withLock { $0 }, is: 0, "calls of the handler")
        case .sequence, .watchedSequence:
          let task = Task { try await caller.fetch() }
          try await eventually("a request") { caller.requests.value == 1 }
          task.cancel()
          let outcomes = try await task.value.filter { $0 != .cancelled }
          try expect(outcomes, is: [Outcome](), "outcomes")
        }
      }
    },
    NetworkTransportConformance("The client tells once that an operation begins, and once that it is over") { trial in
      try await trial.run({ $0 == 2 ? .never : .response(Responses.hero()) }) { caller in
        let events = EventCount(caller.client.events)
        let results = Locked(0)
        let first = caller.start { results.withLock { $0 += 1 } }
        try await eventually("a result") { results.withLock { $0 } > 0 }
        try await eventually("an end") { events.ended.withLock { $0 } == 1 }
        first.cancel()
        let second = caller.start {}
        try await eventually("a request") { caller.requests.value == 2 }
        second.cancel()
        try await eventually("another end") { events.ended.withLock { $0 } == 2 }
        try expect(events.started.withLock { $0 }, is: 2, "operations that have begun")
        try expect(events.ended.withLock { $0 }, is: 2, "operations that are over")
      }
    },
    NetworkTransportConformance("To cancel what is over does no harm") { trial in
      try await trial.run({ _ in .response(Responses.hero()) }) { caller in
        for _ in 0..<2 {
          let results = Locked(0)
          let running = caller.start { results.withLock { $0 += 1 } }
          try await eventually("a result") { results.withLock { $0 } > 0 }
          running.cancel()
          running.cancel()
        }
        try expect(caller.requests.value, is: 2, "requests")
      }
    },
    NetworkTransportConformance(
      "A consumer that leaves early ends the subscription, and others go on", needs: [.subscriptions, .stopping]
    ) { trial in
      try await trial.run({ $0 == 1 ? .endless(Responses.hero("again")) : .parts([Responses.hero("other")]) }) {
        caller in
        let first = try await caller.subscribe(1)
        try expect(first, is: [Outcome.result(name: "again", from: .server)], "the first subscription")
        let second = try await caller.subscribe(1)
        try expect(second, is: [Outcome.result(name: "other", from: .server)], "the second subscription")
      }
    },
    NetworkTransportConformance("Many operations at once each have their own result") { trial in
      try await trial.run({ .response(Responses.hero("\($0)")) }) { caller in
        let outcomes = try await withThrowingTaskGroup(of: Outcome?.self) { group in
          for _ in 0..<20 { group.addTask { try await caller.last(1, .fetchIgnoringCacheCompletely) } }
          return try await group.reduce(into: []) { $0 += [$1] }
        }
        let names = outcomes.compactMap { outcome in
          if case .result(let name?, .server, 0, false)? = outcome { name } else { nil as String? }
        }
        try expect(Set(names).count, is: 20, "different names of \(outcomes.map { $0.map { "\($0)" } ?? "none" })")
      }
    },
  ]

  static let setups: [NetworkTransportConformance] = [
    NetworkTransportConformance(
      "A query is sent again if the connection breaks before its answer", needs: [.retries]
    ) { trial in
      var setup = TransportSetup()
      setup.retries = true
      let body = Responses.hero()
      try await trial.run(with: setup, { $0 == 1 ? .brokenOff(body, after: 10) : .response(body) }) { caller in
        try expect(try await caller.last(), is: Outcome.result(name: "R2-D2", from: .server) as Outcome?, "outcome")
        try expect(caller.requests.value, is: 2, "requests")
      }
    },
    NetworkTransportConformance(
      "A query is sent again after a status that may pass", needs: [.retries, .statuses]
    ) { trial in
      var setup = TransportSetup()
      setup.retries = true
      try await trial.run(with: setup, { $0 == 1 ? .status(503, body: "later") : .response(Responses.hero()) }) {
        caller in
        try expect(try await caller.last(), is: Outcome.result(name: "R2-D2", from: .server) as Outcome?, "outcome")
        try expect(caller.requests.value, is: 2, "requests")
      }
    },
    NetworkTransportConformance(
      "A server that asks to wait is asked again when that is over, and not at all if it is too long",
      needs: [.retries, .statuses]
    ) { trial in
      guard trial.subject.sendsRetryAfter else { return }
      var setup = TransportSetup()
      setup.retries = true
      for status in [429, 503] {
        let answer: @Sendable (Int) -> ServerAnswer = {
          $0 == 1 ? .status(status, body: "later") : .response(Responses.hero())
        }
        setup.retryAfter = "600"
        try await trial.run(with: setup, answer) { caller in
          try expect(try await caller.last(), is: Outcome.failure("httpStatus") as Outcome?, "outcome")
          try expect(caller.requests.value, is: 1, "requests")
        }
        let begin = ContinuousClock.now
        setup.retryAfter = "1"
        try await trial.run(with: setup, answer) { caller in
          try expect(try await caller.last(), is: Outcome.result(name: "R2-D2", from: .server) as Outcome?, "outcome")
          try expect(caller.requests.value, is: 2, "requests")
          // (At least so long: a busy machine takes longer.)
          try expect(ContinuousClock.now - begin >= .seconds(1), is: true, "whether it has waited")
        }
      }
    },
    NetworkTransportConformance(
      "Credentials that are refused are renewed once, and the query is sent again", needs: [.credentials]
    ) {
      trial in
      let authenticator = Renewing()
      var setup = TransportSetup()
      setup.authenticator = authenticator
      try await trial.run(with: setup, { .response($0 == 1 ? Responses.refused : Responses.hero()) }) { caller in
        try expect(try await caller.last(), is: Outcome.result(name: "R2-D2", from: .server) as Outcome?, "outcome")
        try expect(authenticator.renewals.value, is: 1, "renewals")
      }
    },
    NetworkTransportConformance("Identical queries at once are sent once", needs: [.deduplication]) { trial in
      var setup = TransportSetup()
      setup.deduplicatesQueries = true
      try await trial.run(with: setup, { $0 == 1 ? .never : .response(Responses.hero()) }) { caller in
        let events = EventCount(caller.client.events)
        let queries = (0..<10).map { _ in Task { try await caller.last() } }
        defer { for query in queries { query.cancel() } }
        try await eventually("ten queries") { events.started.withLock { $0 } == 10 && caller.requests.value > 0 }
        // A query of another user. When it is answered, the others have been sent.
        _ = try await caller.last(context: UserMark.object.context(1))
        try expect(caller.requests.value, is: 2, "requests of ten queries and another one")
      }
    },
    NetworkTransportConformance("Identical queries at once each have a result", needs: [.deduplication]) { trial in
      var setup = TransportSetup()
      setup.deduplicatesQueries = true
      try await trial.run(with: setup, { _ in .response(Responses.hero()) }) { caller in
        let outcomes = try await withThrowingTaskGroup(of: Outcome?.self) { group in
          for _ in 0..<10 { group.addTask { try await caller.last() } }
          return try await group.reduce(into: []) { $0 += [$1] }
        }
        // A watcher may be told first what the answer to another one has changed.
        let names = outcomes.map { outcome in
          if case .result(let name, _, 0, false)? = outcome { name } else { nil as String? }
        }
        try expect(names, is: Array(repeating: "R2-D2" as String?, count: 10), "names in the results")
      }
    },
    NetworkTransportConformance("Equal queries of different users share no answer", needs: [.deduplication]) { trial in
      var setup = TransportSetup()
      setup.deduplicatesQueries = true
      for mark in UserMark.allCases {
        try await trial.run(with: setup, { .response(Responses.hero("\($0)")) }) { caller in
          let outcomes = try await withThrowingTaskGroup(of: Outcome?.self) { group in
            for user in 0..<4 {
              group.addTask {
                try await caller.last(1, .fetchIgnoringCacheData, mark.configuration(user), context: mark.context(user))
              }
            }
            return try await group.reduce(into: []) { $0 += [$1] }
          }
          // A transport that cannot send them says so.
          if mark == .headers, outcomes.allSatisfy({ $0 == .failure("invalidRequest") }) { return }
          try expect(caller.requests.value, is: outcomes.count, "requests of users who are told apart by their \(mark)")
        }
      }
    },
  ]

  private static func expectCancelled(_ task: Task<GraphQLResult<HeroQuery.Data>, any Error>) async throws {
    do {
      throw Failure(description: "expected a CancellationError, found \(Outcome(try await task.value))")
    } catch is CancellationError {
      return
    }
  }

  /// What tells the operations of users apart.
  private enum UserMark: CaseIterable {
    case headers, context, object, unknownContext

    func configuration(_ user: Int) -> RequestConfiguration? {
      self == .headers ? RequestConfiguration(headers: ["X-User": "\(user)"]) : nil
    }

    func context(_ user: Int) -> (any RequestContext)? {
      switch self {
      case .headers: nil
      case .context: Comparable(user: user)
      case .object: Object()
      case .unknownContext: Unknown(user: user)
      }
    }

    private struct Comparable: RequestContext, Hashable { let user: Int }
    private final class Object: RequestContext {}
    private struct Unknown: RequestContext { let user: Int }
  }

  private final class Renewing: Authenticator {
    let renewals = TransportTrial.Counter()

    func credentials() async throws -> [String: String] { ["Authorization": "Bearer \(renewals.value)"] }

    func renew(refused: [String: String]) async throws -> Bool {
      _ = renewals.next()
      return true
    }
  }
}

extension TransportTrial.Caller {
  /// Starts a query with a callback.
  func start(_ body: @escaping @Sendable () -> Void) -> any Cancellable {
    let query = HeroQuery()
    if style == .watcher {
      return client.watch(query: query, cachePolicy: .fetchIgnoringCacheData, callbackQueue: .global()) { _ in body() }
    }
    return client.fetch(query: query, cachePolicy: .fetchIgnoringCacheData, queue: .global()) { _ in body() }
  }
}

/// Counts the operations of a client that begin, and those that are over.
private final class EventCount: Sendable {
  let started = Locked(0), ended = Locked(0)
  private let task: Task<Void, Never>

  init(_ events: AsyncStream<ClientEvent>) {
    task = Task { [started, ended] in
      for await event in events {
        switch event.kind {
        case .operationStarted: started.withLock { $0 += 1 }
        case .operationEnded: ended.withLock { $0 += 1 }
        default: break
        }
      }
    }
  }

  deinit { task.cancel() }
}
