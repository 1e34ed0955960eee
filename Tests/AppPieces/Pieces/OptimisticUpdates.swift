import Apollo
import Fixture0001

// Guesses of what a mutation will do, by a plain class that is not `Sendable`.

public final class ReviewGuesser {
  private let client: ApolloClient
  public var guesses: [Int] = []
  public var updates: [Int] = []

  public init(client: ApolloClient) { self.client = client }

  #if swift(>=6)
    public func add(_ stars: Int, then: @escaping (Int?) -> Void) {
      client.perform(
        mutation: CreateReviewMutation(review: ReviewInput(stars: stars)),
        optimisticUpdate: { _, _ in }, update: { _, _ in }
      ) { result in then((try? result.get())?.data?.createReview?.stars) }
    }
  #else
    // In Swift 5 mode the compiler does not ask what the closures capture, as for other bodies of transactions.
    public func add(_ stars: Int, then: @escaping (Int?) -> Void) {
      client.perform(
        mutation: CreateReviewMutation(review: ReviewInput(stars: stars)),
        optimisticUpdate: { [weak self] _, mutation in self?.guesses.append(mutation.review.stars) },
        update: { [weak self] _, data in self?.updates.append(data.createReview?.stars ?? 0) }
      ) { result in then((try? result.get())?.data?.createReview?.stars) }
    }

    public func addAndWait(_ stars: Int) async throws -> Int {
      var count = 0
      try await client.perform(
        mutation: CreateReviewMutation(review: ReviewInput(stars: stars)),
        update: { _, _ in count += 1 })
      return count
    }
  #endif
}
