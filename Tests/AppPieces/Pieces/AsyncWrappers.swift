import Apollo
import Fixture0001
import Foundation

// Callbacks wrapped for `async` code, as apps do it that came from callbacks.

public struct AsyncClient {
  private let client: ApolloClient

  public init(client: ApolloClient) { self.client = client }

  public func fetch<Query: GraphQLQuery>(query: Query) async throws -> Query.Data {
    try await withCheckedThrowingContinuation { continuation in
      client.fetch(query: query) { result in
        switch result {
        case .success(let value):
          if let data = value.data {
            continuation.resume(returning: data)
          } else {
            continuation.resume(throwing: value.errors?.first ?? URLError(.badServerResponse))
          }
        case .failure(let error): continuation.resume(throwing: error)
        }
      }
    }
  }

  public func watch<Query: GraphQLQuery>(query: Query) -> AsyncThrowingStream<GraphQLResult<Query.Data>, Error> {
    AsyncThrowingStream { continuation in
      let watcher = client.watch(query: query) { result in
        switch result {
        case .success(let value): continuation.yield(value)
        case .failure(let error): continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { @Sendable _ in watcher.cancel() }
    }
  }

  public func events<Subscription: GraphQLSubscription>(
    of subscription: Subscription
  ) -> AsyncThrowingStream<GraphQLResult<Subscription.Data>, Error> {
    AsyncThrowingStream { continuation in
      let cancellable = client.subscribe(subscription: subscription) { continuation.yield(with: $0) }
      continuation.onTermination = { @Sendable _ in cancellable.cancel() }
    }
  }

  public func clear() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
      client.clearCache { continuation.resume(with: $0) }
    }
  }
}
