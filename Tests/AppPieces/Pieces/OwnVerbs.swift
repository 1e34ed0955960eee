import Apollo
import Fixture0001
import Foundation

// Verbs with `async` that an app has added to the client, because releases 0.x and 1.x have none: with the parameters of
// release 1.0, with those of 1.25, and with others.

/// What the app's own verbs throw in place of an error of the client.
public struct OwnVerbError: Error {
  public let verb: String
}

nonisolated extension ApolloClient {
  fileprivate func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .fetchIgnoringCacheData, contextIdentifier: UUID? = nil,
    queue: DispatchQueue = .main
  ) async throws -> Query.Data {
    try await withCheckedThrowingContinuation { continuation in
      fetch(query: query, cachePolicy: cachePolicy, contextIdentifier: contextIdentifier, queue: queue) { result in
        continuation.resume(with: result.flatMap { own($0.data, "fetch") })
      }
    }
  }

  fileprivate func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = true, contextIdentifier: UUID? = nil,
    context: RequestContext? = nil, queue: DispatchQueue = .main
  ) async throws -> GraphQLResult<Mutation.Data> {
    try await withCheckedThrowingContinuation { continuation in
      perform(
        mutation: mutation, publishResultToStore: publishResultToStore, contextIdentifier: contextIdentifier,
        context: context, queue: queue
      ) { result in
        continuation.resume(with: result.mapError { _ in OwnVerbError(verb: "perform") })
      }
    }
  }

  fileprivate func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], file: String = #file, line: Int = #line, function: String = #function
  ) async throws -> Operation.Data {
    try await withCheckedThrowingContinuation { continuation in
      upload(operation: operation, files: files) { result in
        continuation.resume(with: result.flatMap { own($0.data, "upload") })
      }
    }
  }
}

nonisolated extension ApolloClientProtocol {
  fileprivate func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, publishResultToStore: Bool = false, retries: Int = 0
  ) async throws -> Mutation.Data {
    throw OwnVerbError(verb: "perform of any client")
  }
}

nonisolated private func own<Data>(_ data: Data?, _ verb: String) -> Result<Data, Error> {
  data.map { .success($0) } ?? .failure(OwnVerbError(verb: verb))
}

/// A model that waits by the app's own verbs.
@MainActor public final class OwnVerbModel {
  private let client: ApolloClient
  public private(set) var log: [String] = []

  public init(client: ApolloClient) { self.client = client }

  public func load() async {
    await note("fetch") { try await self.client.fetch(query: ReviewsQuery()).latest.count }
    await note("fetch") {
      let data = try await self.client.fetch(query: ReviewsQuery(), cachePolicy: .fetchIgnoringCacheCompletely)
      return data.latest.count
    }
    await note("perform") {
      let mutation = CreateReviewMutation(review: ReviewInput(stars: 1))
      let result = try await self.client.perform(mutation: mutation)
      return result.data?.createReview?.stars ?? 0
    }
    await note("upload") {
      let mutation = CreateReviewMutation(review: ReviewInput(stars: 1))
      return try await self.client.upload(operation: mutation, files: []).createReview?.stars ?? 0
    }
    await note("any client") {
      let client: ApolloClientProtocol = self.client
      let mutation = CreateReviewMutation(review: ReviewInput(stars: 1))
      return try await client.perform(mutation: mutation).createReview?.stars ?? 0
    }
  }

  private func note(_ call: String, _ body: @MainActor () async throws -> Int) async {
    do {
      log.append("\(call): \(try await body())")
    } catch let error as OwnVerbError {
      log.append("\(call): own \(error.verb)")
    } catch {
      log.append("\(call): \(type(of: error))")
    }
  }
}
