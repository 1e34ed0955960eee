import Apollo
import Fixture0001

// Verbs with `async` in an extension of a protocol that an app has made the client conform to.

/// A protocol of the app.
public protocol OwnSender: AnyObject {}

extension ApolloClient: OwnSender {}

nonisolated extension OwnSender {
  fileprivate func fetch<Query: GraphQLQuery>(
    query: Query, cachePolicy: CachePolicy = .default, attempts: Int = 1, delay: Int = 0, name: String = ""
  ) async throws -> Query.Data {
    throw OwnVerbError(verb: "fetch of a sender")
  }

  fileprivate func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, attempts: Int = 1, delay: Int = 0, name: String = ""
  ) async throws -> Mutation.Data {
    throw OwnVerbError(verb: "perform of a sender")
  }

  fileprivate func upload<Operation: GraphQLOperation>(
    operation: Operation, files: [GraphQLFile], attempts: Int = 1, delay: Int = 0, name: String = ""
  ) async throws -> Operation.Data {
    throw OwnVerbError(verb: "upload of a sender")
  }
}

/// Calls the verbs of the protocol.
@MainActor public final class OwnSenderModel {
  private let client: ApolloClient

  public init(client: ApolloClient) { self.client = client }

  /// The verbs that were called.
  public func verbs() async -> [String] {
    let mutation = CreateReviewMutation(review: ReviewInput(stars: 1))
    return [
      await verb { try await self.client.fetch(query: ReviewsQuery()).latest.count },
      await verb { try await self.client.perform(mutation: mutation).createReview?.stars ?? 0 },
      await verb { try await self.client.upload(operation: mutation, files: []).createReview?.stars ?? 0 },
    ]
  }

  private func verb(_ body: @MainActor () async throws -> Int) async -> String {
    do {
      return "client: \(try await body())"
    } catch {
      return (error as? OwnVerbError)?.verb ?? "\(error)"
    }
  }
}
