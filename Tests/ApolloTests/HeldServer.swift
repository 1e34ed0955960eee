@testable import Apollo
import Foundation
import StyledTests

/// A server whose answers a test gives one by one, over each kind of transport.
final class HeldServer: Sendable {
  /// What sends the operations of the client.
  enum Way: CaseIterable { case chain, responseTransport, foreign }

  private typealias Waiting = (name: String, continuation: CheckedContinuation<String, any Error>)
  private let waiting = Locked<[Waiting]>([])
  private let clientOfAll = Locked<ApolloClient?>(nil)
  var client: ApolloClient { clientOfAll.withLock { $0 }! }

  init(_ way: Way, cache: any NormalizedCache = InMemoryNormalizedCache()) {
    switch way {
    case .chain:
      let client = FakeServer.client(cache: cache) { [weak self] name, _ in try await self?.hold(name) ?? "" }.client
      clientOfAll.withLock { $0 = client }
    case .responseTransport:
      let client = ApolloClient(networkTransport: Bytes(server: self), store: ApolloStore(cache: cache))
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
        waiting.withLock { $0.append((name, continuation)) }
      }
    } onCancel: {
      // The answer comes too late, as it does on a network.
    }
  }

  /// Waits for the request of an operation, and answers it. Requests of one operation are answered in their order.
  func answer(_ name: String, _ body: String) async { await request(name).resume(returning: body) }

  /// Waits for the request of an operation, and lets it fail.
  func fail(_ name: String) async { await request(name).resume(throwing: URLError(.networkConnectionLost)) }

  func request(_ name: String, at index: Int = 0) async -> CheckedContinuation<String, any Error> {
    while true {
      let found = waiting.withLock { waiting -> Waiting? in
        let indices = waiting.indices.filter { waiting[$0].name == name }
        return index < indices.count ? waiting.remove(at: indices[index]) : nil
      }
      if let found { return found.continuation }
      await Task.yield()
    }
  }

  var waitingCount: Int { waiting.withLock { $0.count } }

  private final class Bytes: ResponseTransport {
    private weak let server: HeldServer?
    private let style = ResponseStyle.current
    init(server: HeldServer) { self.server = server }

    func exchange<Operation: GraphQLOperation>(
      _ request: OperationRequest<Operation>, receive: @escaping @Sendable (TransportResponse) async throws -> Void
    ) async throws {
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
