@testable import ApolloOperations
import ApolloConcurrency
@testable import Apollo
import Foundation
import StyledTests
import Testing
import Waiting

/// A server whose answers a test gives one by one, over each kind of transport.
final class HeldServer: Sendable {
  /// What sends the operations of the client.
  enum Way: CaseIterable { case chain, responseTransport, foreign }

  private typealias Waiting = (name: String, continuation: CheckedContinuation<String, any Error>)
  private let waiting = Awaited<[Waiting]>([])
  /// Tell the client the states of the operations, by their names.
  private let reports = Locked<[String: @Sendable (SubscriptionState) -> Void]>([:])
  private let clientOfAll = Locked<ApolloClient?>(nil)
  var client: ApolloClient { clientOfAll.withLock { $0 }! }

  init(
    _ way: Way, cache: any NormalizedCache = InMemoryNormalizedCache(),
    retry: MaxRetryInterceptor.Configuration? = nil
  ) {
    switch way {
    case .chain:
      let client = FakeServer.client(cache: cache) { [weak self] name, _ in try await self?.hold(name) ?? "" }.client
      clientOfAll.withLock { $0 = client }
    case .responseTransport:
      var client = ApolloClient(networkTransport: Bytes(server: self), store: ApolloStore(cache: cache))
      if let retry {
        var configuration = ApolloClient.Configuration(url: URL(string: "http://held.example/")!)
        configuration.retry = retry
        client = ApolloClient(networkTransport: Bytes(server: self), configuration: configuration)
      }
      clientOfAll.withLock { $0 = client }
    case .foreign:
      let client = ApolloClient(networkTransport: Foreign(server: self), store: ApolloStore(cache: cache))
      clientOfAll.withLock { $0 = client }
    }
  }

  private func hold(_ name: String) async throws -> String {
    let number = Locked<CheckedContinuation<String, any Error>?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        number.withLock { $0 = continuation }
        waiting.change { $0.append((name, continuation)) }
      }
    } onCancel: {
      // The answer comes too late, as it does on a network.
    }
  }

  /// Waits for the request of an operation, and answers it. Requests of one operation are answered in their order.
  func answer(_ name: String, _ body: String) async throws { try await request(name).resume(returning: body) }

  /// Waits for the request of an operation, and lets it fail.
  func fail(_ name: String) async throws {
    try await request(name).resume(throwing: URLError(.networkConnectionLost))
  }

  func request(
    _ name: String, at index: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> CheckedContinuation<String, any Error> {
    try await waiting.take(sourceLocation: sourceLocation) { waiting -> Waiting? in
      let indices = waiting.indices.filter { waiting[$0].name == name }
      return index < indices.count ? waiting.remove(at: indices[index]) : nil
    }.continuation
  }

  /// Reports states of the operation that was sent last with a name, as a response transport does.
  func report(_ name: String, _ states: [SubscriptionState]) throws {
    let report = try #require(reports.withLock { $0[name] })
    for state in states { report(state) }
  }

  var waitingCount: Int { waiting.value.count }

  /// Waits until so many requests wait for an answer.
  func until(waitingCount count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await waiting.until(sourceLocation: sourceLocation) { $0.count == count }
  }

  private final class Bytes: ResponseTransport {
    private weak let server: HeldServer?
    private let style = ResponseStyle.current
    init(server: HeldServer) { self.server = server }

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
      server?.reports.withLock { $0[Operation.operationName] = { request.report($0) } }
      let body = try await server?.hold(Operation.operationName) ?? ""
      try await receive(TransportResponse(Data((style?.restyle(body) ?? body).utf8)))
    }
  }

  /// A transport of an app, which makes results by itself and writes nothing to the cache.
  private final class Foreign: NetworkTransport {
    private weak let server: HeldServer?
    init(server: HeldServer) { self.server = server }

    func send<Operation: GraphQLOperation>(
      operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
      callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
    ) -> any Cancellable {
      let handler = Handoff(completionHandler)
      let task = Task { [server] in
        do {
          let body = try await server?.hold(Operation.operationName) ?? ""
          let answer = try OperationPipeline(store: nil).read(
            ResponseBytes(Data(body.utf8)), of: operation, makesRecords: false)
          handler.value(.success(answer.result))
        } catch {
          handler.value(.failure(error))
        }
      }
      return CallbackCancellable { task.cancel() }
    }
  }
}
