import Apollo
import Foundation
import ScriptedServer
import Testing
import Waiting

/// Gives results when something has happened.
private struct HoldingInterceptor: GraphQLInterceptor {
  let event: Event

  func intercept<Request: GraphQLRequest>(
    request: Request, next: NextInterceptorFunction<Request>
  ) async throws -> InterceptorResultStream<Request> {
    await next(request).map { parsed in
      try await event.wait()
      return parsed
    }
  }
}

@Suite("Results that wait, in bytes", .timeLimit(.minutes(5)))
struct WaitingResultTests {
  private static let event =
    #"{"payload":{"data":{"count":1},"extensions":{"x":"\#(String(repeating: "x", count: 1_000))"}}}"#

  /// Runs a client of a server that sends a hundred events of one kilobyte, and then nothing.
  private func withEvents(
    _ limits: ResponseLimits?, _ interceptors: [any GraphQLInterceptor] = [],
    _ body: (ApolloClient, ScriptedServer) async throws -> Void
  ) async throws {
    let never = ScriptedServer.Gate()
    defer { never.open() }
    let parts = (0..<100).map { _ in "\r\n---\r\nContent-Type: application/json\r\n\r\n\(Self.event)" }.joined()
    try await serve { _, _ in
      [.begin(contentType: "multipart/mixed; boundary=\"-\""), .write(parts + "\r\n---"), .wait(never)]
    } _: { server async throws in
      var configuration = ApolloClient.Configuration(url: try #require(URL(string: server.address)))
      configuration.http.limits = limits
      configuration.http.graphQLInterceptors = interceptors
      try await body(ApolloClient(configuration: configuration), server)
    }
  }

  @Test("A sequence that is not iterated ends with an error behind the results that wait")
  func sequence() async throws {
    try await withEvents(ResponseLimits(waitingSize: 20_000)) { client, server in
      let events = client.subscribe(to: CountSubscription())
      for await _ in events.states {}
      var count = 0
      let error = await #expect(throws: OperationError.self) {
        for try await _ in events { count += 1 }
      }
      // Pieces of the body may wait as well, if the results are made slowly.
      #expect((1...20).contains(count), "\(count)")
      #expect((error?.cause as? ResponseLimits.Exceeded)?.limit == .waitingSize, "\(error as Any)")
      try await server.until(connectionCount: 0)
    }
  }

  @Test("An interceptor around the operation that does not go on gets what waits, and then the error")
  func intercepted() async throws {
    let goOn = Event()
    try await withEvents(ResponseLimits(waitingSize: 20_000), [HoldingInterceptor(event: goOn)]) { client, server in
      let events = client.subscribe(to: CountSubscription())
      // The connection may be gone as soon as it is there.
      try await server.untilAllAreClosed()
      goOn.happen()
      var count = 0
      let error = await #expect(throws: OperationError.self) {
        for try await _ in events { count += 1 }
      }
      // Pieces of the body, results behind the interceptor, and results that are not iterated: each may be 20 of them.
      #expect((1...60).contains(count), "\(count)")
      #expect((error?.cause as? ResponseLimits.Exceeded)?.limit == .waitingSize, "\(error as Any)")
    }
  }

  @Test("Results that an interceptor changes are taken when they are asked for, and nothing follows an error")
  func mapped() async throws {
    let taken = Event()
    let results = AsyncThrowingStream<ParsedResult<HeroQuery>, any Error>(unfolding: {
      taken.happen()
      return ParsedResult(result: GraphQLResult(data: nil, errors: nil, source: .server), cacheRecords: nil)
    })
    let mapped = await InterceptorResultStream<HTTPRequest<HeroQuery>>(stream: results).map { parsed in
      if taken.value == 2 { throw CancellationError() }
      return parsed
    }.mapErrors { _ in nil }
    var iterator = mapped.makeAsyncIterator()
    #expect(try await iterator.next()?.result.source == .server)
    // (What reads ahead has time to do so here.)
    for _ in 0..<1_000 { await Task.yield() }
    #expect(taken.value == 1)
    #expect(try await iterator.next()?.result.source == nil)
    #expect(try await iterator.next()?.result.source == nil)
    #expect(taken.value == 2)
  }

  @Test("One without a limit gets all of them")
  func taken() async throws {
    try await withEvents(ResponseLimits(waitingSize: 200_000)) { client, _ in
      let configuration = RequestConfiguration(buffering: .unlimited)
      var count = 0
      for try await _ in client.subscribe(to: CountSubscription(), requestConfiguration: configuration) {
        count += 1
        if count == 100 { break }
      }
      #expect(count == 100)
    }
  }

  @Test("A callback whose queue does not go on gets what waits, and then the error")
  func callbacks() async throws {
    try await withEvents(ResponseLimits(waitingSize: 20_000)) { client, server in
      let queue = DispatchQueue(label: "blocked")
      queue.suspend()
      let results = Received<Bool>()
      let last = Locked<(any Error)?>(nil)
      let subscription = client.subscribe(subscription: CountSubscription(), queue: queue) { result in
        if case .failure(let error) = result { last.withLock { $0 = error } }
        results.add((try? result.get()) != nil)
      }
      do {
        defer { queue.resume() }
        // The connection may be gone as soon as it is there.
        try await server.untilAllAreClosed()
      }
      var all: [Bool] = []
      while all.last != false, let next = await results.next() { all.append(next) }
      // Results that come while the queue goes on already are given too.
      #expect((2..<100).contains(all.count), "\(all.count)")
      #expect((last.withLock { $0 } as? ResponseLimits.Exceeded)?.limit == .waitingSize)
      subscription.cancel()
    }
  }
}
