import Foundation
import GraphQLExecution

/// What the server knows.
actor Posts {
  private var posts: [Post]
  private let latency: Duration
  private var fault: FeedServer.Fault?
  /// The answers that are held back; nil if none are to be.
  private var held: [CheckedContinuation<Void, Never>]?

  private struct Post {
    let id: String
    let author: String
    let text: String
    var likes: Int
    var isLiked = false

    var value: GraphQLValue {
      [
        "__typename": "Post", "id": .string(id), "author": .string(author), "text": .string(text),
        "likes": .int(likes), "isLiked": .bool(isLiked),
      ]
    }
  }

  init(count: Int, latency: Duration) {
    self.latency = latency
    let lines = [
      ("Ada", "The engine weaves algebra as the loom weaves flowers."), ("Grace", "Found a moth in relay 70."),
      ("Alan", "Can machines think? Mine sulks."), ("Barbara", "Abstraction is a girl's best friend."),
      ("Edsger", "The shortest path is the one not taken twice."), ("Margaret", "We landed. The software held."),
      ("Dennis", "Hello, world."),
    ]
    posts = (0..<count).map { index in
      let (author, text) = lines[index % lines.count]
      return Post(id: String(index + 1), author: author, text: text, likes: 3 + index * 7 % 11)
    }
  }

  func set(_ fault: FeedServer.Fault?) { self.fault = fault }

  func hold() { held = held ?? [] }

  func letGo() {
    for answer in held ?? [] { answer.resume() }
    held = nil
  }

  /// Waits as long as the server takes.
  func answerLater() async throws {
    try await Task.sleep(for: latency)
    if held != nil { await withCheckedContinuation { held?.append($0) } }
    if fault == .isUnreachable { throw URLError(.notConnectedToInternet) }
  }

  /// A page of the feed: https://relay.dev/graphql/connections.htm. A cursor is the id of a post.
  func page(first: Int, after: String?) -> GraphQLValue {
    let start = after.flatMap { id in posts.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
    let rest = posts[start...], page = rest.prefix(max(0, first))
    return [
      "edges": .list(page.map { ["cursor": .string($0.id), "node": $0.value] }),
      "pageInfo": [
        "hasNextPage": .bool(page.count < rest.count), "endCursor": page.last.map { .string($0.id) } ?? .null,
      ],
    ]
  }

  func like(_ id: String) throws -> GraphQLValue {
    guard fault != .refusesLikes else { throw ExecutionError("You have liked enough for today.") }
    guard let index = posts.firstIndex(where: { $0.id == id }) else {
      throw ExecutionError("There is no post with the id \(id).")
    }
    if !posts[index].isLiked { posts[index].likes += 1 }
    posts[index].isLiked = true
    return posts[index].value
  }

  func likeAsSomebodyElse(_ id: String) {
    guard let index = posts.firstIndex(where: { $0.id == id }) else { return }
    posts[index].likes += 1
  }
}
