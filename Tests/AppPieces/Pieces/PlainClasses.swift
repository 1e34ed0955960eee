import Apollo
import ApolloWebSocket
import Fixture0001
import Foundation

// Classes that belong to no actor: a repository that passes on completions, an object with weak handlers, a captured
// variable, a queue of the app's own.

public final class Repository {
  private let client: ApolloClient
  private var running: [Cancellable] = []
  public private(set) var lastError: Error?
  public private(set) var clears = 0

  public final class Answer {}

  public init(client: ApolloClient) { self.client = client }

  public func stars(completion: @escaping (Result<[Int], Error>) -> Void) {
    client.fetch(query: ReviewsQuery()) { result in
      switch result {
      case .success(let value): completion(.success(value.data?.latest.map(\.stars) ?? []))
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  public func add(_ stars: Int, completion: ((Int?) -> Void)? = nil) {
    let request = client.perform(mutation: CreateReviewMutation(review: ReviewInput(stars: stars))) {
      [weak self] result in
      if case .failure(let error) = result { self?.lastError = error }
      completion?((try? result.get())?.data?.createReview?.stars)
    }
    running.append(request)
  }

  public func forgetAll(completion: @escaping (Result<Void, Error>) -> Void) {
    client.clearCache(completion: completion)
  }

  #if !swift(>=6)
    /// The body of a transaction runs on a thread of the store. In Swift 6 mode the compiler warns of what it captures, and
    /// of what it returns.
    public func clearReviews(completion: @escaping (Result<Answer, Error>) -> Void) {
      client.store.withinReadWriteTransaction(
        { transaction in
          try transaction.removeObject(for: "QUERY_ROOT")
          self.clears += 1
          return Answer()
        }, callbackQueue: .main, completion: completion)
    }
  #endif

  /// The handler belongs to the caller, and is generic.
  public func run<Query: GraphQLQuery>(_ query: Query, then handler: @escaping GraphQLResultHandler<Query.Data>) {
    client.fetch(query: query, resultHandler: handler)
  }
}

public func countEvents(_ client: ApolloClient, until enough: Int, _ done: @escaping (Int) -> Void) -> Cancellable {
  var count = 0
  return client.subscribe(subscription: ReviewAddedSubscription()) { _ in
    count += 1
    if count == enough { done(count) }
  }
}

/// Handlers on a queue of the app's own, which is serial.
public final class Importer {
  private let queue = DispatchQueue(label: "importer")
  private let client: ApolloClient
  private var imported: [Int] = []

  public init(client: ApolloClient) { self.client = client }

  public func start(_ done: @escaping ([Int]) -> Void) {
    client.fetch(query: ReviewsQuery(), queue: queue) { [weak self] result in
      guard let self else { return }
      self.imported += (try? result.get())?.data?.latest.map(\.stars) ?? []
      done(self.imported)
    }
  }
}
