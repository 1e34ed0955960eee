import Apollo
import ApolloConcurrency
import Foundation
import StyledTests
import Testing
import Waiting

@Suite("Operations over a transport of the app that implements `send` alone", .everyStyle, .timeLimit(.minutes(5)))
struct ForeignTransportTests {
  /// A transport of an app whose requests hold their handlers after the answer. So may it itself.
  private final class Holding: NetworkTransport {
    private final class Request: Cancellable {
      private let handler: Any
      init(_ handler: Any) { self.handler = handler }
      func cancel() {}
    }

    private let keepsHandlers: Bool
    private let kept = Locked<[Any]>([])

    init(keepsHandlers: Bool) { self.keepsHandlers = keepsHandlers }

    func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      let handler = Handoff(completionHandler)
      if keepsHandlers { kept.withLock { $0.append(handler) } }
      callbackQueue.async { handler.value(.success(GraphQLResult(data: nil, source: .server))) }
      return Request(handler)
    }
  }

  @Test("What a transport of the app has answered is over, though it holds the handler", arguments: [true, false])
  func answered(keepsHandlers: Bool) async throws {
    final class Screen: Sendable {}
    let client = ApolloClient(networkTransport: Holding(keepsHandlers: keepsHandlers), store: ApolloStore())
    let calls = Received<Bool>()
    weak var screen: Screen?
    func fetch() {
      let shown = Screen()
      screen = shown
      client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .callbacks) { result in
        withExtendedLifetime(shown) { calls.add((try? result.get()) != nil) }
      }
    }
    fetch()
    #expect(await calls.next() == true)
    if !keepsHandlers { try await eventually { screen == nil } }
    try await client.signOut()
    await DispatchQueue.callbacks.drain()
    #expect(calls.count == 0)
  }

  @Test("What a handler has held may ask for something when the operation is over")
  func released() async {
    final class Screen: Sendable {
      private let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    let client = ApolloClient(networkTransport: Holding(keepsHandlers: false), store: ApolloStore())
    let calls = Received<Bool>()
    func fetch() {
      let screen = Screen {
        client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .callbacks) { _ in
          calls.add(false)
        }
      }
      client.fetch(query: HeroQuery(), cachePolicy: .fetchIgnoringCacheData, queue: .callbacks) { _ in
        withExtendedLifetime(screen) { calls.add(true) }
      }
    }
    fetch()
    #expect(await calls.next() == true)
    #expect(await calls.next() == false)
  }

  /// A transport of an app that ends each operation without an answer.
  private final class Silent: NetworkTransport {
    func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable { EmptyCancellable() }
  }

  @Test("A subscription that ends without an event is over; a query that ends without an answer has failed")
  func withoutAnswer() async throws {
    let client = ApolloClient(networkTransport: Silent(), store: ApolloStore())
    for try await _ in client.subscribe(to: CountSubscription()) { Issue.record("There is no event.") }
    await #expect(throws: OperationError.self) { try await client.fetch(query: HeroQuery()) }
  }

  /// A transport of an app that goes on with a subscription after a failure, on another connection.
  private final class Reconnecting: NetworkTransport {
    private final class Request: Cancellable {
      let count: Locked<Int>
      init(_ count: Locked<Int>) { self.count = count }
      func cancel() { count.withLock { $0 += 1 } }
    }

    let cancelCount = Locked(0)
    private let fails: Bool
    private let kept = Locked<[Any]>([])

    init(fails: Bool) { self.fails = fails }

    func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      let handler = Handoff(completionHandler)
      kept.withLock { $0.append(handler) }
      callbackQueue.async { [fails] in
        if fails { handler.value(.failure(URLError(.networkConnectionLost))) }
        handler.value(.success(GraphQLResult(data: nil, source: .server)))
      }
      return Request(cancelCount)
    }
  }

  @Test("A subscription that a transport of the app goes on with after a failure ends with the sign-out")
  func reconnecting() async throws {
    let transport = Reconnecting(fails: true)
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    let outcomes = Received<ApolloErrorCode?>()
    let subscription = client.subscribe(subscription: CountSubscription(), queue: .callbacks) { result in
      if case .failure(let error) = result {
        outcomes.add((error as? any ApolloError)?.code ?? .network)
      } else {
        outcomes.add(nil)
      }
    }
    #expect(await outcomes.next() == .network)
    #expect(await outcomes.next() == .some(nil))
    try await client.signOut()
    #expect(await outcomes.next() == .signedOut)
    #expect(transport.cancelCount.withLock { $0 } == 1)
    subscription.cancel()
  }

  @Test("A sequence that a failure ends cancels the subscription, with which the transport would go on")
  func failedSequence() async throws {
    let transport = Reconnecting(fails: true)
    let client = ApolloClient(networkTransport: transport, store: ApolloStore())
    await #expect(throws: (any Error).self) {
      for try await _ in client.subscribe(to: CountSubscription()) {}
    }
    try await eventually { transport.cancelCount.withLock { $0 } == 1 }
  }

  @Test("A sequence gives no event of the former user after a sign-out, though it has come before")
  func bufferedEvents() async throws {
    let client = ApolloClient(networkTransport: Reconnecting(fails: false), store: ApolloStore())
    let events = client.subscribe(to: CountSubscription())
    try await eventually { if case .active = events.state { true } else { false } }
    try await client.signOut()
    var iterator = events.makeAsyncIterator()
    do {
      let event = try await iterator.next()
      Issue.record("\(event as Any)")
    } catch {
      #expect((error as? any ApolloError)?.code == .signedOut)
    }
  }
}
