import Foundation
import GraphQLExecution

/// Everything the server knows, in memory. Characters and starships are objects whose members are fields of the schema
/// or, such as `friendIDs`, serve the resolvers.
actor Galaxy {
  private var characters: GraphQLValue.Object = Galaxy.originalCharacters
  private let starships: GraphQLValue.Object = Galaxy.originalStarships
  /// The newest first.
  private var reviews: [GraphQLValue] = Galaxy.originalReviews
  private var listeners: [UUID: AsyncStream<GraphQLValue>.Continuation] = [:]
  private var listenerWaiters: [(isMet: @Sendable (Int) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  func character(_ id: String) -> GraphQLValue { characters[id] ?? .null }

  func starship(_ id: String) -> GraphQLValue { starships[id] ?? .null }

  /// Luke is the hero of the second film, R2-D2 of the saga.
  func hero(of episode: String?) -> GraphQLValue { character(episode == "EMPIRE" ? "1000" : "2001") }

  func search(_ text: String) -> GraphQLValue {
    let candidates = characters.map(\.value) + starships.map(\.value)
    return .list(
      candidates.filter { candidate in
        candidate["name"]?.string?.range(of: text, options: .caseInsensitive) != nil
      })
  }

  func renameCharacter(_ id: String, to name: String) throws -> GraphQLValue {
    guard var character = characters[id] else {
      throw ExecutionError("There is no character with the id \(id).", extensions: ["code": "NOT_FOUND"])
    }
    guard !name.isEmpty else { throw ExecutionError("A name has at least one letter.") }
    character["name"] = .string(name)
    characters[id] = character
    return character
  }

  // MARK: - Reviews

  func reviews(of episode: String) -> GraphQLValue {
    .list(reviews.filter { $0["episode"]?.string == episode })
  }

  func createReview(_ input: GraphQLValue.Object, of episode: String) throws -> GraphQLValue {
    guard let stars = input["stars"]?.int, (0...5).contains(stars) else {
      throw ExecutionError("A review has 0 to 5 stars.", extensions: ["code": "BAD_USER_INPUT"])
    }
    var review = input
    review["id"] = .string("review-\(reviews.count + 1)")
    review["episode"] = .string(episode)
    review["createdAt"] = .string(Date().ISO8601Format())
    reviews.insert(.object(review), at: 0)
    for listener in listeners.values { listener.yield(.object(review)) }
    return .object(review)
  }

  // MARK: - Subscriptions

  /// Reviews that are created from now on.
  func newReviews() -> AsyncStream<GraphQLValue> {
    let id = UUID()
    let (stream, continuation) = AsyncStream<GraphQLValue>.makeStream()
    continuation.onTermination = { _ in Task { await self.removeListener(id) } }
    listeners[id] = continuation
    tellWaiters()
    return stream
  }

  private func removeListener(_ id: UUID) {
    listeners[id] = nil
    tellWaiters()
  }

  private func tellWaiters() {
    listenerWaiters.removeAll { waiter in
      guard waiter.isMet(listeners.count) else { return false }
      waiter.continuation.resume()
      return true
    }
  }

  /// How many subscriptions there are.
  var listenerCount: Int { listeners.count }

  /// Waits until there are this many subscriptions.
  func waitForListeners(_ count: Int) async { await waitForListeners { $0 >= count } }

  /// Waits until the number of subscriptions fulfils a condition.
  func waitForListeners(_ isMet: @escaping @Sendable (Int) -> Bool) async {
    if isMet(listeners.count) { return }
    await withCheckedContinuation { listenerWaiters.append((isMet, $0)) }
  }
}
