import Apollo
import Fixture0001

// A view model of the main actor that knows its client only as a protocol, so that its tests can hand it a mock.

@MainActor public final class AnyClientModel {
  private let client: any ApolloClientProtocol
  public private(set) var log: [String] = []

  public init(client: any ApolloClientProtocol) { self.client = client }

  public func load() async throws {
    let result = try await client.fetch(query: ReviewsQuery())
    log.append("fetched \(result.data?.latest.map(\.stars) ?? [])")
    let newest = try await client.fetch(query: ReviewsQuery(), cachePolicy: .networkOnly)
    log.append("newest \(newest.data?.latest.count ?? 0)")
    let cached = try await client.fetch(query: ReviewsQuery(), cachePolicy: .cacheOnly)
    log.append("cached \(cached?.data?.latest.count ?? 0)")
    for try await result in try client.fetch(query: ReviewsQuery(), cachePolicy: .cacheAndNetwork) {
      log.append("both \(result.data?.latest.count ?? 0)")
    }
  }

  public func add(_ stars: Int) async throws {
    let mutation = CreateReviewMutation(review: ReviewInput(stars: stars))
    let result = try await client.perform(mutation: mutation)
    log.append("added \(result.data?.createReview?.stars ?? 0)")
    try await client.perform(mutation: mutation, publishResultToStore: false)
    try await client.upload(operation: mutation, files: [])
  }

  public func queue(_ stars: Int) async throws {
    let queued = try await client.enqueue(CreateReviewMutation(review: ReviewInput(stars: stars)), scope: "reviews")
    let result = try await queued.value
    log.append("queued \(result.data?.createReview?.stars ?? 0), \(client.outbox.count) left")
  }

  public func listen() async throws {
    for try await event in client.subscribe(to: ReviewAddedSubscription()) {
      log.append("event \(event.data?.reviewAdded?.stars ?? 0)")
      if log.last == "event 2" { break }
    }
  }

  public func follow() async throws {
    for try await result in client.watch(query: ReviewsQuery()) {
      log.append("watched \(result.data?.latest.count ?? 0)")
      break
    }
  }
}

/// Code that is generic over the client.
public func stars<Client: ApolloClientProtocol>(_ client: Client) async throws -> [Int] {
  try await client.fetch(query: ReviewsQuery()).data?.latest.map { $0.stars } ?? []
}
